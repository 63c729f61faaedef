import { sql } from 'kysely'
import { FORBIDDEN, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { fileBytes, type StoredFile } from '#gateway/manage/kernel/stored-bytes.ts'
import { FileAnswer } from '#gateway/manage/kernel/answer.ts'

/**
 * The file, for its requester while they still have the right to it.
 * @throws Problem G404 for another's file and for a deleted one; G403 when the right was
 * removed
 */
export async function downloadExport(tx: CommandTx, jobId: string): Promise<FileAnswer> {
  const { userId, rights } = staff(tx.actor)
  const { rows } = await sql<
    StoredFile & { name: string; mime: string; code: string; menu: string; opened: boolean }
  >`
    select f.id, f.purpose, f.name, f.mime, f.content, j.params ->> 'code' as code, j.menu,
      coalesce(j.params ->> 'reveal' = 'true', false) as opened
    from job j join file_object f on f.id = j.file_id where j.id = ${jobId} and j.user_id = ${userId}
      and f.expires_at > clock_timestamp()`.execute(tx.db)
  const file = rows[0]
  if (!file) throw new Problem(NOT_FOUND)
  if (
    !rights.permissions.has(file.code) ||
    (file.opened && !rights.permissions.has(`${file.menu}:reveal`))
  )
    throw new Problem(FORBIDDEN)
  tx.log({
    action: 'exportDownload',
    menu: file.menu,
    targetKind: 'job',
    targetId: jobId,
    after: { file: file.name },
  })
  return new FileAnswer(file.mime, () => fileBytes(tx.context, file), file.name)
}
