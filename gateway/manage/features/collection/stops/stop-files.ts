/** Files sent with a stop request: a court notice, a certificate, a letter. */
import { sql } from 'kysely'
import type { stopFile } from '#shared/collection/stops-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { keepFiles, openKeptFile } from '#gateway/manage/kernel/kept-files.ts'
import { casesInScope } from '../case-scope.ts'
import type { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { stopsInScope } from './stop-store.ts'

export async function attachFiles(
  tx: CommandTx,
  stopId: string,
  files: readonly Upload[],
): Promise<void> {
  if (files.length === 0) return
  const ids = await keepFiles(
    tx,
    { purpose: 'stop', name: stopId, ownerId: tx.actor.userId },
    files,
  )
  await sql`
    insert into stop_file (stop_id, n, file_id) select ${stopId}, x.n, x.id
      from unnest(${ids}::text[]) with ordinality x(id, n)`.execute(tx.db)
}

/** For viewers of the stop, in its list or in a case of its customer. @throws Problem G404 */
export async function openStopFile(
  tx: CommandTx,
  { stopId, fileId }: InputOf<typeof stopFile>,
): Promise<FileAnswer> {
  const actor = staff(tx.actor)
  const isSeen = sql<boolean>`
    (${stopsInScope(actor)} or s.customer_id in (select c.customer_id from collection_case c
      where ${casesInScope(actor)}))`
  const isOf = sql<boolean>`
    o.id in (select x.file_id from stop_file x join stop_collection s on s.id = x.stop_id
      where s.id = ${stopId} and ${isSeen})`
  return openKeptFile(tx, {
    fileId,
    isOf,
    action: 'stopFile',
    targetKind: 'stop',
    targetId: stopId,
  })
}
