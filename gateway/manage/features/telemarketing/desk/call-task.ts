import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { promotionGate } from '#shared/telemarketing/promotion-gate.ts'
import { NO_LINE } from '#shared/telemarketing/tele-problems.ts'
import type { callTask as call } from '#shared/telemarketing/tele-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockTask } from '../task-store.ts'
import { requireAssignee } from '../tele-refusals.ts'
import { promotionFacts, refusalOf } from './promotion-facts.ts'

/** A second click, or a request repeated after a lost answer, within this time is the same call. */
const SAME_PRESS_SECONDS = 60

/**
 * Starts a call through the promotional line of the caller. It counts as a contact, so the gate is
 * checked under the task's lock.
 * @throws Problem G404, M-OWN, M-LEASE, M-STATE, M-BLACK, M-DND, C-HELD, M-LINE, C-WIN, C-ASKED,
 * M-LIM, M-CAP
 */
export async function callTask(
  tx: CommandTx,
  { taskId, token }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const { userId } = staff(tx.actor)
  const task = await lockTask(tx, taskId)
  requireAssignee(tx, task, token)
  const { now, facts, lineId, seatNumber } = await promotionFacts(tx.db, task.customer_id, userId)
  if (seatNumber === null) throw new Problem(NO_LINE)
  const same = await sql<{ id: string }>`
    select l.id from call_log l
    where l.customer_id = ${task.customer_id} and l.user_id = ${userId} and l.kind = 'tele'
      and l.started_at > clock_timestamp() - make_interval(secs => ${SAME_PRESS_SECONDS})
    order by l.started_at desc limit 1`.execute(tx.db)
  const [again] = same.rows
  if (again) return { callId: again.id, seatNumber }
  const refusal = promotionGate(facts, now)
  if (refusal !== null) throw refusalOf(refusal)
  const { rows } = await sql<{ id: string }>`
    insert into call_log (kind, customer_id, user_id, contact_id, way, state, started_at)
    values ('tele', ${task.customer_id}, ${userId}, ${task.customer_id}, 'phone', 'started',
      clock_timestamp())
    returning id`.execute(tx.db)
  const callId = (rows[0] as { id: string }).id
  tx.log({
    menu: task.segment,
    action: 'call',
    targetKind: 'tele',
    targetId: task.id,
    after: { callId, lineId },
  })
  return { callId, seatNumber }
}
