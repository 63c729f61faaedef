/** Pictures of staff: sealed like every face, opened for colleagues without a mark and without a log. */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { filesInLog, keepFiles } from '#gateway/manage/kernel/kept-files.ts'
import { fileBytes, type StoredFile } from '#gateway/manage/kernel/stored-bytes.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'

export const AVATAR = 'avatar'

/** @returns the id of the new picture; null when there is none any more */
export async function saveAvatar(tx: CommandTx, files: readonly Upload[]): Promise<string | null> {
  const { userId } = staff(tx.actor)
  const { rows } = await sql<{ before: string | null }>`
    select u.avatar_file_id as before from sys_user u where u.id = ${userId} for update`.execute(
    tx.db,
  )
  const before = rows[0]?.before ?? null
  const [fileId = null] = await keepFiles(
    tx,
    { purpose: AVATAR, name: AVATAR, ownerId: userId },
    files,
  )
  await sql`update sys_user set avatar_file_id = ${fileId} where id = ${userId}`.execute(tx.db)
  if (before !== null)
    await sql`delete from file_object where id = ${before} and purpose = ${AVATAR}`.execute(tx.db)
  tx.afterCommit(() => tx.context.forgetSessions(userId))
  tx.log({
    action: AVATAR,
    targetKind: 'user',
    targetId: userId,
    before: { has: before !== null },
    after: { has: fileId !== null, files: filesInLog(files) },
  })
  return fileId
}

/** @throws Problem G404 unless the file is this person's picture now */
export async function openAvatar(
  context: AppContext,
  db: Db,
  { userId, fileId }: { userId: string; fileId: string },
): Promise<FileAnswer> {
  const { rows } = await sql<StoredFile & { name: string; mime: string }>`
    select o.id, o.purpose, o.name, o.mime, o.content
    from sys_user u join file_object o on o.id = u.avatar_file_id
    where u.id = ${userId} and o.id = ${fileId}`.execute(db)
  const file = rows[0]
  if (!file) throw new Problem(NOT_FOUND)
  return new FileAnswer(file.mime, () => fileBytes(context, file), file.name)
}
