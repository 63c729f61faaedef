import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { StopRow as StopRowSchema } from '#shared/collection/cases-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { filesJson } from '#gateway/manage/kernel/kept-files.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'

export type StopRow = Static<typeof StopRowSchema>

/**
 * StopRow of the contract over `stop_collection s` and its customer `u`; its orders are those with
 * an open case.
 */
export const stopRowJson: RawBuilder<StopRow> = sql`json_build_object(
  'stopId', s.id, 'userId', s.customer_id, 'userName', u.name, 'orderIds',
    (select coalesce(json_agg(x.order_id order by x.order_id), '[]') from collection_case x
    where x.customer_id = s.customer_id and x.state <> 'closed'),
  'reason', s.reason, 'ticketId', s.ticket_id, 'proofId', s.proof_id, 'startTime', ${isoTime('s.start_at')},
    'endTime', s.end_at::text, 'state', s.state, 'applyBy', s.applied_by_name, 'applyById', s.applied_by,
  'decideBy', s.decided_by_name, 'remark', s.remark, 'files',
    ${sql.raw(filesJson('stop_file x', 'x.stop_id = s.id'))}, 'version', s.version)`

export async function stopRow(db: Db, stopId: string): Promise<StopRow> {
  const { rows } = await sql<{
    row: StopRow
  }>`
    select ${stopRowJson} as row
    from stop_collection s
    join customer u on u.id = s.customer_id
    where s.id = ${stopId}`.execute(db)
  return (rows[0] as { row: StopRow }).row
}
