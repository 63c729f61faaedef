import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import { promotionGate } from '#shared/telemarketing/promotion-gate.ts'
import { NO_LINE } from '#shared/telemarketing/tele-problems.ts'
import type { callTask as call } from '#shared/telemarketing/tele-api.ts'
import type { ContactWay } from '#shared/telemarketing/tele-sets.ts'
import { endTasksOfBorrower } from '#gateway/manage/features/ai-calls/public.ts'
import {
  requireLineLeft,
  whatsappOf,
  type WhatsappRoute,
} from '#gateway/manage/features/collection/public.ts'
import { ringExtension } from '#gateway/manage/features/voice-calls/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type LockedTask, lockTask } from '../task-store.ts'
import { requireAssignee } from '../tele-refusals.ts'
import { promotionFacts, type PromotionNow, refusalOf } from './promotion-facts.ts'

/** A second click, or a request repeated after a lost answer, within this time is the same call. */
const SAME_PRESS_SECONDS = 60

/**
 * Starts a call through the promotional line of the caller, whose extension the exchange of the app
 * rings if it has one, or a message by WhatsApp: from their
 * business line, else by a link that is answered once. Both count as a contact, so the gate is
 * checked under the task's lock.
 * @throws Problem G404, M-OWN, M-LEASE, M-TASK, M-BLACK, M-DND, C-HELD, M-LINE, C-WIN, C-ASKED,
 * M-LIM, C-LINE, C-LINEB, G403 (staff of an outside agency without a business line)
 */
export async function callTask(
  tx: CommandTx,
  { taskId, token, way }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const actor = staff(tx.actor)
  const task = await lockTask(tx, taskId)
  requireAssignee(tx, task, token)
  const whatsapp = way === 'whatsapp' ? await whatsappOf(tx.db, actor) : null
  if (whatsapp?.way === 'none') throw new Problem(FORBIDDEN)
  const facts = await promotionFacts(tx.db, task.customer_id, actor.userId)
  if (way === 'phone' && facts.seatNumber === null) throw new Problem(NO_LINE)
  const callId =
    (await samePress(tx, task, actor.userId, way)) ?? (await beginCall(tx, task, facts, whatsapp))
  if (whatsapp === null) {
    const { seatNumber } = facts
    const press = { callId, extension: seatNumber, lineKind: 'promotional', taskId } as const
    const exchange = await ringExtension(tx, { ...press, userId: actor.userId })
    return { callId, seatNumber, link: null, exchange }
  }
  return whatsapp.way === 'line'
    ? { callId, seatNumber: whatsapp.seatNumber, link: null, exchange: null }
    : { callId, seatNumber: null, link: await linkTo(tx, task), exchange: null }
}

async function samePress(
  tx: CommandTx,
  task: LockedTask,
  userId: string,
  way: ContactWay,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select l.id from call_log l
    where l.customer_id = ${task.customer_id} and l.user_id = ${userId} and l.kind = 'tele'
      and l.way = ${way}
      and l.started_at > clock_timestamp() - make_interval(secs => ${SAME_PRESS_SECONDS})
    order by l.started_at desc limit 1`.execute(tx.db)
  return rows[0]?.id ?? null
}

/** @param whatsapp null = by phone. A link is complete once it was answered. */
async function beginCall(
  tx: CommandTx,
  task: LockedTask,
  { now, facts, lineId }: PromotionNow,
  whatsapp: WhatsappRoute | null,
): Promise<string> {
  const way: ContactWay = whatsapp === null ? 'phone' : 'whatsapp'
  const refusal = promotionGate(facts, now, way)
  if (refusal !== null) throw refusalOf(refusal)
  await requireLineLeft(tx, staff(tx.actor), {
    kind: whatsapp === null ? 'promotional' : 'whatsapp',
    customerId: task.customer_id,
  })
  const { rows } = await sql<{ id: string }>`
    insert into call_log (kind, customer_id, user_id, contact_id, way, state, started_at)
    values ('tele', ${task.customer_id}, ${staff(tx.actor).userId}, ${task.customer_id}, ${way},
      ${whatsapp?.way === 'link' ? 'sent' : 'started'}, clock_timestamp())
    returning id`.execute(tx.db)
  const callId = (rows[0] as { id: string }).id
  await endTasksOfBorrower(tx, task.customer_id)
  tx.log({
    menu: task.segment,
    action: 'call',
    targetKind: 'tele',
    targetId: task.id,
    after: { callId, way, lineId: whatsapp === null ? lineId : whatsapp.lineId },
  })
  return callId
}

/** The number leaves the console here, so the reveal is logged beside the call. */
async function linkTo(tx: CommandTx, { customer_id: id, segment }: LockedTask): Promise<string> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select c.phone_enc as sealed from customer c where c.id = ${id}`.execute(tx.db)
  tx.log({
    menu: segment,
    action: 'reveal',
    targetKind: 'customer',
    targetId: id,
    after: { field: 'phone', reason: 'whatsapp' },
  })
  const { sealed } = rows[0] as { sealed: Buffer }
  return `https://wa.me/91${tx.context.secrets.open('customer.phone_enc', id, sealed)}`
}
