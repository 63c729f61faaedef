/**
 * The end of a call, as reported by the vendor or as queried. It has one effect: a call that has ended takes
 * no second result. Its result acts on the case, the tickets and the task.
 */
import { sql } from 'kysely'
import { isUnreached } from '#shared/ai-calls/ai-call-sets.ts'
import { AI_RESULT } from '#shared/ai-calls/ai-calls-live.ts'
import type { inboundAiCall } from '#shared/ai-calls/ai-calls-api.ts'
import { REFUSES } from '#shared/collection/case-lifecycle.ts'
import { contactGate } from '#shared/collection/contact-gate.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { TicketType } from '#shared/tickets/ticket-sets.ts'
import {
  contactFactsOfOrder,
  holdForRobot,
  noteRobotTalk,
} from '#gateway/manage/features/collection/public.ts'
import { openTicket } from '#gateway/manage/features/tickets/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  type MachineCaller,
  maySpeakFor,
  type VendorWork,
} from '#gateway/manage/kernel/machine-caller.ts'
import type { AiCallResult } from '#gateway/manage/vendors/ai-call-vendor.ts'
import { type LockedTask, lockTask, moveTask, nextAiState, roomsOf } from './ai-task-store.ts'
import { type DialFacts, dialFacts, isToday } from './dial-facts.ts'

type Answer = DataOf<typeof inboundAiCall>

export const TRANSCRIPT_PLACE = 'ai_call.transcript_enc'

/**
 * A vendor's callback. A vendor can report only its own calls.
 * @throws Problem G404 for an unknown call and for one of another vendor
 */
export async function reportCall(
  tx: CommandTx,
  result: AiCallResult,
  caller: MachineCaller,
): Promise<Answer> {
  const { rows } = await sql<VendorWork>`
    select a.vendor_code as "vendorCode", a.tp_cfg_id as "cfgId" from ai_call a
    where a.id = ${result.callId}`.execute(tx.db)
  const [work] = rows
  if (work && !maySpeakFor(caller, work)) {
    tx.context.log.warn(
      { ...work, key: caller.name, speaksFor: caller.vendorCode },
      'a machine key reports a call of another vendor',
    )
    throw new Problem(NOT_FOUND)
  }
  return receiveCall(tx, result)
}

/** @throws Problem G404 for an unknown call */
export async function receiveCall(tx: CommandTx, result: AiCallResult): Promise<Answer> {
  const { rows } = await sql<{ task_id: string }>`
    select a.task_id from ai_call a where a.id = ${result.callId}`.execute(tx.db)
  const found = rows[0]
  const task = found && (await lockTask(tx, found.task_id))
  if (!task) throw new Problem(NOT_FOUND)
  if (!(await endCall(tx, result))) return { taskId: task.id, state: task.state, applied: false }
  tx.emit(AI_RESULT, {
    subject: `aiTask:${task.id}`,
    rooms: roomsOf(task),
    data: {
      taskId: task.id,
      orderId: task.order_id,
      caseId: task.case_id,
      callId: result.callId,
      result: result.result,
    },
  })
  const moved = isUnreached(result.result)
    ? await afterSilence(tx, task, result)
    : await afterTalk(tx, task, result)
  tx.log({
    action: 'aiCall',
    targetKind: 'aiTask',
    targetId: task.id,
    after: { callId: result.callId, result: result.result, state: moved.state },
  })
  if (!isUnreached(result.result)) await act(tx, task, result)
  return { taskId: task.id, state: moved.state, applied: true }
}

/** @returns whether the call was still out */
async function endCall(tx: CommandTx, report: AiCallResult): Promise<boolean> {
  const { callId, result, durationSec, promiseDay, promiseAmount, transcript = [] } = report
  const sealed =
    transcript.length === 0
      ? null
      : tx.context.secrets.seal(TRANSCRIPT_PLACE, callId, JSON.stringify(transcript))
  const { rows } = await sql`
    with ended as (
      update ai_call set state = 'ended', result = ${result}, duration_sec = ${durationSec},
        promise_day = ${promiseDay ?? null}::date, promise_amount = ${promiseAmount ?? null},
        transcript_enc = ${sealed}
      where id = ${callId} and state in ('dialling', 'calling') returning contact_call_id
    )
    update call_log l set state = 'ended', duration_sec = ${durationSec} from ended e
    where l.id = e.contact_call_id returning l.id`.execute(tx.db)
  return rows.length > 0
}

/** Nobody was reached: the next redial, the next round, or the end. */
async function afterSilence(
  tx: CommandTx,
  task: LockedTask,
  { result, durationSec }: AiCallResult,
): Promise<LockedTask> {
  const set = [sql`result = ${result}`, sql`duration_sec = ${durationSec}`]
  // paused meanwhile: a person decides how it goes on; the round stays
  if (task.state !== 'calling')
    return moveTask(tx, task, {
      to: task.state,
      dueAt: task.due_at === null ? null : sql`t.due_at`,
      set,
    })
  const facts = await dialFacts(tx.db, task.id)
  const redialsLeft = facts.redialMax - task.redials
  const roundsLeft = facts.repeatFrequency - task.rounds - 1
  if (redialsLeft > 0)
    return moveTask(tx, task, {
      to: task.state,
      dueAt: await nextCall(tx, task, facts, facts.redialIntervalMin),
      set,
    })
  if (roundsLeft > 0)
    return moveTask(tx, task, {
      to: nextAiState(task, { type: 'WINDOW_CLOSED', roundsLeft }),
      dueAt: await nextCall(tx, task, facts, facts.repeatIntervalMin),
      set: [...set, sql`rounds = t.rounds + 1`, sql`redials = 0`],
    })
  return moveTask(tx, task, {
    to: nextAiState(task, { type: 'DONE', answered: false, redialsLeft, roundsLeft }),
    dueAt: null,
    set,
  })
}

/** The borrower was spoken to: nobody calls them again for this task. */
async function afterTalk(
  tx: CommandTx,
  task: LockedTask,
  { result, durationSec }: AiCallResult,
): Promise<LockedTask> {
  const set = [sql`result = ${result}`, sql`duration_sec = ${durationSec}`]
  if (task.state === 'calling') {
    const event = { type: 'DONE', answered: true, redialsLeft: 0, roundsLeft: 0 } as const
    return moveTask(tx, task, { to: nextAiState(task, event), dueAt: null, set })
  }
  // why it was cancelled stays as it was
  if (task.state === 'cancelled' || task.state === 'finished')
    return moveTask(tx, task, { to: task.state, dueAt: null, set })
  const to = nextAiState(task, { type: 'CANCEL' })
  return moveTask(tx, task, { to, dueAt: null, set, cause: 'answered' })
}

const MINUTE_MS = 60_000

/**
 * When the configuration calls again, or later today when the contact rules allow it no earlier, so
 * that the time people see is the time of the call. What the rules allow only on another day is
 * decided when it is due.
 */
async function nextCall(tx: CommandTx, task: LockedTask, facts: DialFacts, minutes: number) {
  const wanted = new Date(Date.parse(facts.now) + minutes * MINUTE_MS).toISOString()
  const { facts: contact } = await contactFactsOfOrder(tx.db, task.order_id)
  const allowed = contactGate(contact, { now: wanted, isBorrower: true })?.openTime ?? wanted
  return sql`${isToday(facts, allowed) ? allowed : wanted}::timestamptz`
}

const WILLING = 1

async function act(
  tx: CommandTx,
  { case_id: caseId, customer_id: customerId, order_id: orderId, id: taskId }: LockedTask,
  { callId, result, promiseDay, promiseAmount }: AiCallResult,
): Promise<void> {
  const promised =
    result === 'a' && promiseDay !== undefined && promiseAmount !== undefined
      ? { day: promiseDay, amount: promiseAmount }
      : null
  if (caseId !== null)
    await noteRobotTalk(tx, caseId, {
      callId,
      willingness: result === 'a' ? WILLING : result === 'b' ? REFUSES : null,
      promised,
      asksCall: result === 'e',
    })
  if (result === 'c') await holdForRobot(tx, customerId, callId)
  const type = TICKETS[result]
  if (type !== undefined)
    await openTicket(tx, {
      customerId,
      type,
      orderId,
      contactWay: 'phone',
      content: `${SAID[result]} (${taskId})`,
      files: [],
    })
}

/** 3 repayment, 5 complaint, 6 other. A complaint holds the case until it is resolved. */
const TICKETS: Partial<Record<string, TicketType>> = { c: 3, d: 5, h: 6 }
/** The content of a ticket is the customer's text; the robot's is English like its report. */
const SAID: Record<string, string> = {
  c: 'The borrower told the calling robot that the loan is repaid. Ask for the proof of payment',
  d: 'The borrower told the calling robot that the debt is not theirs. Check the identity and the loan',
  h: 'The borrower told the calling robot that they need help with the loan',
}
