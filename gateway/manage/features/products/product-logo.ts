/**
 * A product logo shows no person and no account, so it is stored unencrypted and not watermarked.
 */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { MIME_OF } from '#shared/kernel/file-kind.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { productLogo as call } from '#shared/products/products-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'

/** @returns the file id */
export async function keepLogo(tx: CommandTx, { bytes, kind }: Upload): Promise<string> {
  const id = `F${randomBytes(9).toString('hex')}`
  const hash = createHash('sha256').update(bytes).digest()
  await sql`
    insert into file_object (id, purpose, name, mime, size, sha256, content)
    values (${id}, 'logo', ${`logo.${kind}`}, ${MIME_OF[kind]}, ${bytes.length}, ${hash}, ${bytes})
  `.execute(tx.db)
  return id
}

/** Deletes a logo that its product no longer refers to. */
export async function dropLogo(tx: CommandTx, fileId: string): Promise<void> {
  await sql`delete from file_object o where o.id = ${fileId} and o.purpose = 'logo'`.execute(tx.db)
}

/** @throws Problem G404 unless the file is this product's logo */
export async function openLogo(
  db: Db,
  { productId, fileId }: InputOf<typeof call>,
): Promise<FileAnswer> {
  const { rows } = await sql<{ name: string; mime: string; content: Buffer }>`
    select o.name, o.mime, o.content from product p join file_object o on o.id = p.logo_file_id
      where p.id = ${productId} and o.id = ${fileId}`.execute(db)
  const file = rows[0]
  if (!file) throw new Problem(NOT_FOUND)
  return new FileAnswer(file.mime, file.content, file.name)
}
