/**
 * Files attached to a record: encrypted, because they show names, accounts and faces; each opening is
 * for one person and is logged.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { MIME_OF } from '#shared/kernel/file-kind.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from './actor.ts'
import type { CommandTx } from './command.ts'
import { MARKED_MIME, watermarked } from './pictures/watermark.ts'
import { CONTENT_PLACE, fileBytes, type StoredFile } from './stored-bytes.ts'
import type { SealedColumn } from './sealed-column.ts'
import { FileAnswer } from './answer.ts'
import type { Upload } from './uploads.ts'

/** A photo is some hundred kilobytes, an export some megabytes: few of them in one transaction. */
const RESEALED_AT_ONCE = 10
/** Pictures drawn for the demo are not encrypted. */
const DRAWN = 'synthetic'

/** Files of one purpose, for the manifest of the feature that seals them. */
export function sealedFile(purpose: string): SealedColumn {
  return {
    place: CONTENT_PLACE,
    table: 'file_object',
    column: 'content',
    only: `purpose = '${purpose}'`,
    chunk: RESEALED_AT_ONCE,
  }
}

export interface KeptFor {
  /** `purpose` of their rows; the feature's manifest brings `sealedFile` of it. */
  purpose: string
  /** Prefix of their names. */
  name: string
  ownerId: string | null
}

/**
 * Stores the files of a call in its transaction, so that a refused call leaves none.
 * @returns their ids in the order they came in
 */
export async function keepFiles(
  tx: CommandTx,
  { purpose, name, ownerId }: KeptFor,
  files: readonly Upload[],
): Promise<string[]> {
  const ids: string[] = []
  for (const [i, { bytes, kind }] of files.entries()) {
    const id = `F${randomBytes(9).toString('hex')}`
    await sql`
      insert into file_object (id, purpose, name, mime, size, sha256, content, owner_id)
      values (${id}, ${purpose}, ${`${name}-${i + 1}.${kind}`}, ${MIME_OF[kind]}, ${bytes.length},
        ${createHash('sha256').update(bytes).digest()},
        ${tx.context.secrets.seal(CONTENT_PLACE, id, bytes.toString('base64'))}, ${ownerId})`.execute(
      tx.db,
    )
    ids.push(id)
  }
  return ids
}

/** What the operate log has of them: what they are, not what they show. */
export const filesInLog = (files: readonly Upload[]): { kind: string; sha256: string }[] =>
  files.map(({ kind, sha256 }) => ({ kind, sha256 }))

/** Kind of a file, over `file_object o`. */
export const FILE_KIND = `case o.mime when 'application/pdf' then 'pdf' when 'image/jpeg' then 'jpg' else 'png' end`

/**
 * KeptFile rows as JSON, in the order they came.
 * @param from what names them as `x.file_id` and counts them as `x.n`, with its condition
 */
export const filesJson = (from: string, where: string): string =>
  `(select coalesce(json_agg(json_build_object('fileId', o.id, 'kind', ${FILE_KIND}) order by x.n), '[]')
    from ${from} join file_object o on o.id = x.file_id where ${where})`

export interface FileRequest {
  fileId: string
  /** Over `file_object o`: that it belongs to what the caller named and may see. */
  isOf: RawBuilder<boolean>
  /** In the operate log. */
  action: string
  targetKind: string
  targetId: string
}

interface Row extends StoredFile {
  name: string
  mime: string
  account: string
  now: string
}

/**
 * A picture is delivered with a watermark of viewer and time; a PDF is delivered as a file, because
 * nothing here renders it.
 * @throws Problem G404 unless `isOf` holds
 */
export async function openKeptFile(
  tx: CommandTx,
  { fileId, isOf, ...seen }: FileRequest,
): Promise<FileAnswer> {
  const { userId } = staff(tx.actor)
  const { rows } = await sql<Row>`
    select o.id, o.purpose, o.name, o.mime, o.content, u.account, clock_timestamp() as now
    from file_object o join sys_user u on u.id = ${userId} where o.id = ${fileId} and ${isOf}`.execute(
    tx.db,
  )
  const file = rows[0]
  if (!file) throw new Problem(NOT_FOUND)
  const isPdf = file.mime === MIME_OF.pdf
  tx.log({ ...seen, after: { fileId, saved: isPdf } })
  const isDrawn = file.purpose === DRAWN
  const bytes = () => fileBytes(tx.context, file)
  if (isPdf) return new FileAnswer(file.mime, bytes, file.name)
  return new FileAnswer(MARKED_MIME, async () =>
    watermarked({
      bytes: await bytes(),
      isDrawn,
      account: file.account,
      at: file.now,
      hidesNumber: false,
    }),
  )
}
