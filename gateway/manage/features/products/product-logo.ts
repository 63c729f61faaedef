/** The picture of a product lies open and leaves unmarked: it shows no person and no account (README 1). */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { MIME_OF } from '#shared/kernel/file-kind.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { productLogo as call } from '#shared/products/products-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { FileAnswer } from '#gateway/manage/kernel/serve.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'

/** @returns its id */
export async function keepLogo(cx: Cx, { bytes, kind }: Upload): Promise<string> {
  const id = `F${randomBytes(9).toString('hex')}`
  await sql`
    insert into file_object (id, purpose, name, mime, size, sha256, content)
    values (${id}, 'logo', ${`logo.${kind}`}, ${MIME_OF[kind]}, ${bytes.length}, ${createHash('sha256').update(bytes).digest()}, ${bytes})`.execute(
    cx.db,
  )
  return id
}

/** After its product let go of it. */
export async function dropLogo(cx: Cx, fileId: string): Promise<void> {
  await sql`delete from file_object o where o.id = ${fileId} and o.purpose = 'logo'`.execute(cx.db)
}

/** @throws Problem G404 unless it is this product's */
export async function openLogo(
  db: Db,
  { productId, fileId }: InputOf<typeof call>,
): Promise<FileAnswer> {
  const { rows } = await sql<{ name: string; mime: string; content: Buffer }>`
    select o.name, o.mime, o.content from product p join file_object o on o.id = p.logo_file_id where p.id = ${productId} and o.id = ${fileId}`.execute(
    db,
  )
  const file = rows[0]
  if (!file) throw new Problem(NOT_FOUND)
  return new FileAnswer(file.mime, file.content, file.name)
}
