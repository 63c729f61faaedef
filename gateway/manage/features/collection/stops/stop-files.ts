/** What was sent in with the wish to stop: a notice of a court, a certificate, a letter. */
import { sql } from 'kysely'
import type { stopFile } from '#shared/collection/stops-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { keepFiles, openKeptFile } from '#gateway/manage/kernel/kept-files.ts'
import { casesInScope } from '#gateway/manage/kernel/scope.ts'
import type { FileAnswer } from '#gateway/manage/kernel/serve.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { stopsInScope } from './stop-store.ts'

export async function attachFiles(cx: Cx, stopId: string, files: readonly Upload[]): Promise<void> {
  if (files.length === 0) return
  const ids = await keepFiles(
    cx,
    { purpose: 'stop', name: stopId, ownerId: cx.actor.userId },
    files,
  )
  await sql`insert into stop_file (stop_id, n, file_id) select ${stopId}, x.n, x.id from unnest(${ids}::text[]) with ordinality x(id, n)`.execute(
    cx.db,
  )
}

/** For who sees the stop, in its list or in a case of its customer. @throws Problem G404 */
export async function openStopFile(
  cx: Cx,
  { stopId, fileId }: InputOf<typeof stopFile>,
): Promise<FileAnswer> {
  const actor = staff(cx.actor)
  const isSeen = sql<boolean>`(${stopsInScope(actor)} or s.customer_id in (select c.customer_id from collection_case c where ${casesInScope(actor)}))`
  const isOf = sql<boolean>`o.id in (select x.file_id from stop_file x join stop_collection s on s.id = x.stop_id where s.id = ${stopId} and ${isSeen})`
  return openKeptFile(cx, {
    fileId,
    isOf,
    action: 'stopFile',
    targetKind: 'stop',
    targetId: stopId,
  })
}
