/** What tickets know of customers. */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  ERASED,
  eraseRows,
  type PersonalData,
  withFiles,
} from '#gateway/manage/kernel/personal-data.ts'

export const ticketData: PersonalData = {
  name: 'tickets',
  isHeld: sql`exists (
    select from feedback f where f.customer_id = c.id and f.progress <> 'finished')`,
  lastAt: sql`(
    select max(greatest(f.created_at, f.finished_at)) from feedback f where f.customer_id = c.id)`,
  erase,
}

function erase(tx: CommandTx, id: string): Promise<Record<string, number>> {
  const tickets = sql`select f.id from feedback f where f.customer_id = ${id}`
  const steps = sql`select s.id from feedback_step s where s.feedback_id in (${tickets})`
  return eraseRows(tx, {
    feedback_file: withFiles('feedback_file', sql<boolean>`x.step_id in (${steps})`),
    feedback_step: sql`
      update feedback_step set content = null, remark = null where feedback_id in (${tickets})`,
    feedback_handover: sql`
      update feedback_handover set reason = ${ERASED},
        decide_reason = case when decide_reason is null then null else ${ERASED} end
      where feedback_id in (${tickets})`,
    feedback: sql`update feedback set content = ${ERASED} where customer_id = ${id}`,
  })
}
