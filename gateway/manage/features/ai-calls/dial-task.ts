/**
 * A task that is due dials, or is put off or ended by the rules. The call is committed before it is
 * handed to the vendor, under an id the vendor takes once: a crash neither loses nor doubles it.
 */
import { sql } from 'kysely'
import type { CancelCause } from '#shared/ai-calls/ai-call-sets.ts'
import { contactGate } from '#shared/collection/contact-gate.ts'
import { addDays, istAt, istClock, istDay } from '#shared/kernel/time.ts'
import { contactFactsOfOrder, emitRobotCall } from '#gateway/manage/features/collection/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { AiCallOrder } from '#gateway/manage/vendors/ai-call-vendor.ts'
import type { VendorLane } from '#gateway/manage/vendors/routing/vendors-by-lane.ts'
import { takeLine } from './ai-lines.ts'
import { cancelTask, type LockedTask, lockTask, moveTask, nextAiState } from './ai-task-store.ts'
import { type DialFacts, dialFacts, isToday } from './dial-facts.ts'
import { robotLane } from './robot-lane.ts'

export type Dialling =
  | { kind: 'dial'; handing: Handing }
  | { kind: 'later' | 'ended' | 'noLine' | 'nothing' }

/** A call that is committed, and the vendor that is handed it. */
export interface Handing {
  order: AiCallOrder
  lane: VendorLane
}

/**
 * @param installation the vendor of apps without services of their own
 * @returns the order of a call that is now committed, or why there is none
 */
export async function dialTask(
  tx: CommandTx,
  context: Pick<AppContext, 'secrets'>,
  taskId: string,
  installation: string | null,
): Promise<Dialling> {
  const task = await lockTask(tx, taskId)
  if (task === null || task.due_at === null) return { kind: 'nothing' }
  const facts = await dialFacts(tx.db, taskId)
  if (Date.parse(task.due_at) > Date.parse(facts.now)) return { kind: 'nothing' }
  const { facts: contact } = await contactFactsOfOrder(tx.db, task.order_id)
  const cause = endOf(facts, contact.stopped)
  if (cause !== null) {
    await cancelTask(tx, task, cause)
    return { kind: 'ended' }
  }
  if (!facts.isConfigOn) return putOff(tx, task, facts, null)
  const refusal = contactGate(contact, { now: facts.now, isBorrower: true })
  if (refusal !== null) return putOff(tx, task, facts, refusal.openTime ?? nextMorning(facts))
  const opens = opening(facts)
  if (opens !== null) return putOff(tx, task, facts, opens)
  const lane = await robotLane(tx.db, { taskId, appId: facts.appId }, installation)
  // every robot of the app is left out for now
  if (lane === null) return putOff(tx, task, facts, nextTry(facts))
  const line = await takeLine(tx)
  if (line === null) return { kind: 'noLine' }
  const callId = await beginCall(tx, task, facts, { lineId: line.id, lane })
  const handing: Handing = {
    lane,
    order: {
      callId,
      robotId: facts.robotId,
      to: context.secrets.open('customer.phone_enc', task.customer_id, facts.phone),
      from: line.number,
      language: facts.language,
      script: {
        productName: facts.productName,
        amount: facts.amount,
        dueDay: facts.dueDay,
        overdueDays: facts.overdueDays,
      },
    },
  }
  return { kind: 'dial', handing }
}

/** Why nobody is called for this task any more; null = it goes on. */
export function endOf(
  facts: Pick<DialFacts, 'isOpen' | 'isHeld' | 'byPerson' | 'isIgnored'>,
  isStopped: boolean,
): CancelCause | null {
  if (!facts.isOpen) return 'closed'
  if (facts.isHeld || isStopped) return 'held'
  if (facts.byPerson) return 'person'
  return facts.isIgnored ? 'ignored' : null
}

/**
 * A round goes on in its hours; a round whose hours are over ends, and with it the task when it was
 * the last one.
 * @param at ISO 8601; null = the configuration is switched off: it waits for it
 */
async function putOff(
  tx: CommandTx,
  task: LockedTask,
  facts: DialFacts,
  at: string | null,
): Promise<Dialling> {
  const dueAt = at === null ? sql`clock_timestamp()` : sql`${at}::timestamptz`
  if (task.state === 'pending' || (at !== null && isToday(facts, at))) {
    await moveTask(tx, task, { to: task.state, dueAt })
    return { kind: 'later' }
  }
  const roundsLeft = facts.repeatFrequency - task.rounds - 1
  const to =
    roundsLeft > 0
      ? nextAiState(task, { type: 'WINDOW_CLOSED', roundsLeft })
      : nextAiState(task, { type: 'DONE', answered: false, redialsLeft: 0, roundsLeft })
  await moveTask(tx, task, {
    to,
    dueAt: to === 'pending' ? dueAt : null,
    set: [sql`rounds = t.rounds + 1`, sql`redials = 0`],
  })
  return { kind: to === 'pending' ? 'later' : 'ended' }
}

/** When the hours of the configuration open next; null = they are open. */
function opening({ now, startTime, endTime }: DialFacts): string | null {
  const clock = istClock(now)
  if (clock >= startTime && clock < endTime) return null
  return istAt(clock < startTime ? istDay(now) : addDays(istDay(now), 1), startTime)
}

const NEXT_TRY_MS = 60_000

function nextTry({ now }: DialFacts): string {
  return new Date(Date.parse(now) + NEXT_TRY_MS).toISOString()
}

function nextMorning({ now, startTime }: DialFacts): string {
  return istAt(addDays(istDay(now), 1), startTime)
}

async function beginCall(
  tx: CommandTx,
  task: LockedTask,
  facts: DialFacts,
  { lineId, lane }: { lineId: string; lane: VendorLane },
): Promise<string> {
  const isRedial = task.state === 'calling'
  const to = isRedial
    ? task.state
    : nextAiState(task, { type: 'START', mayContact: true, ignored: facts.isIgnored })
  // it counts as a contact of the borrower, and as work of no person and no unit
  const { rows } = await sql<{ id: string }>`
    with contact as (
      insert into call_log (kind, case_id, customer_id, user_id, contact_id, way, state, started_at)
      values ('case', ${task.case_id}, ${task.customer_id}, null, ${task.customer_id}, 'phone', 'started',
        clock_timestamp()) returning id
    )
    insert into ai_call (task_id, no, line_id, vendor_code, tp_cfg_id, contact_call_id, state, started_at,
      ask_at)
    select ${task.id}, ${task.attempt + 1}, ${lineId}, ${lane.vendorCode}, ${lane.cfgId}, contact.id,
      'dialling', clock_timestamp(),
      clock_timestamp() + interval '1 minute' from contact
    returning id`.execute(tx.db)
  await moveTask(tx, task, {
    to,
    dueAt: null,
    set: [
      sql`attempt = t.attempt + 1`,
      sql`redials = ${isRedial ? task.redials + 1 : 0}`,
      sql`started_at = clock_timestamp()`,
    ],
  })
  if (task.case_id !== null) await emitRobotCall(tx, task.case_id)
  return (rows[0] as { id: string }).id
}
