import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { taskDetail as detailCall } from '#shared/telemarketing/tele-api.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { whatsappOf } from '#gateway/manage/features/collection/public.ts'
import { voiceCallOf } from '#gateway/manage/features/voice-calls/public.ts'
import { promotionFacts } from '../desk/promotion-facts.ts'
import { ROW_JOINS, TELE_JSON, type TeleRow } from '../tele-row.ts'
import { tasksInScope } from '../tele-scope.ts'
import { RECORD_JOINS, RECORD_JSON } from './record-row.ts'

type Detail = DataOf<typeof detailCall>

/** @throws Problem G404 for a task outside the caller's scope */
export async function taskDetail(
  { db, actor }: Query,
  { taskId }: InputOf<typeof detailCall>,
): Promise<Detail> {
  const { rows } = await sql<{
    task: TeleRow
    records: Detail['records']
    call: Detail['openCall']
  }>`
    select ${TELE_JSON} as task, coalesce((
      select json_agg(${RECORD_JSON} order by r.created_at desc, r.id desc)
      from tele_record r ${RECORD_JOINS} where r.customer_id = t.customer_id), '[]') as records,
      (select json_build_object('callId', l.id, 'way', l.way, 'exchange', ${voiceCallOf(sql`l.id`)})
        from call_log l
        where l.customer_id = t.customer_id and l.kind = 'tele'
        and l.user_id = ${actor.userId} and l.started_at > t.claimed_at
        and not exists (select 1 from tele_record v where v.call_id = l.id)
        order by l.started_at desc limit 1) as call
    from tele_task t ${ROW_JOINS}
    where t.id = ${taskId} and ${tasksInScope(actor)}`.execute(db)
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  const { task, records, call: openCall } = found
  const [{ now, facts }, { way: whatsapp }] = await Promise.all([
    promotionFacts(db, task.userId, actor.userId),
    whatsappOf(db, actor),
  ])
  const promotion = { ...facts, noContact: [...facts.noContact] }
  return { task, records, promotion, whatsapp, openCall, asOf: now }
}
