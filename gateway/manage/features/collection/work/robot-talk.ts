/**
 * What a call of the robot does to a case: it counts as a contact, and the borrower's answer is
 * noted as a person's follow-up would note it, a promise within the same limits.
 */
import { sql } from 'kysely'
import { caseLifecycle, PROMISING, REFUSES } from '#shared/collection/case-lifecycle.ts'
import { CASE_FOLLOWED } from '#shared/collection/collection-live.ts'
import { daysBetween, istAt, istDay } from '#shared/kernel/time.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitPromise, logCase, notifyAboutCase } from '../case-events.ts'
import {
  caseRooms,
  lockCases,
  type LockedCase,
  moveCase,
  type MovedCase,
  nextCaseState,
} from '../case-store.ts'
import { contactFacts, type ContactLimits } from './contact-facts.ts'

export interface RobotTalk {
  callId: string
  /** Willingness of the sets of follow-ups; null = not mentioned. */
  willingness: number | null
  promised: { day: string; amount: number } | null
  /** The borrower asked to be called: the next follow-up is due now. */
  asksCall: boolean
}

/** Promises of the robot are of a day: it ends with the working day. */
const PROMISE_CLOCK = '18:00'

/** The counts of contacts after a call began. The case itself does not change. */
export async function emitRobotCall(tx: CommandTx, caseId: string): Promise<void> {
  const [locked] = await lockCases(tx, sql<boolean>`c.id = ${caseId}`)
  if (!locked) return
  const { facts } = await contactFacts(tx.db, caseId)
  tx.emit(CASE_FOLLOWED, {
    subject: `case:${caseId}`,
    rooms: caseRooms(caseId, locked),
    data: followed(locked, null, facts),
  })
}

/**
 * Records the answer of a reached borrower.
 * @returns whether the promise was taken; a closed case takes nothing
 */
export async function noteRobotTalk(
  tx: CommandTx,
  caseId: string,
  talk: RobotTalk,
): Promise<boolean> {
  const [locked] = await lockCases(tx, sql<boolean>`c.id = ${caseId} and c.state <> 'closed'`)
  if (!locked) return false
  const limits = await contactFacts(tx.db, caseId)
  const promise = promiseOf(locked, talk, limits)
  const moved = await writeTalk(tx, locked, talk, promise)
  tx.emit(CASE_FOLLOWED, {
    subject: `case:${caseId}`,
    version: moved.version,
    rooms: caseRooms(caseId, moved),
    data: followed(moved, talk.callId, limits.facts),
  })
  const isBroken = moved.ptp_state === 'broken' && locked.ptp_state === 'open'
  if (promise !== null || isBroken) emitPromise(tx, moved)
  if (isBroken) notifyAboutCase(tx, moved.collector_id, 'promise', 'promiseBroken', caseId)
  if (talk.asksCall) notifyAboutCase(tx, moved.collector_id, 'assigned', 'robotAsksCall', caseId)
  logCase(tx, 'ai_call_config', 'robotTalk', moved, {
    callId: talk.callId,
    willingness: talk.willingness,
    promised: promise !== null,
  })
  return promise !== null
}

interface TakenPromise {
  to: MovedCase['state']
  /** ISO 8601, UTC. */
  at: string
  amount: number
}

/** Null when the case takes no promise now, or the day is beyond the limits. */
function promiseOf(
  locked: LockedCase,
  { promised, willingness }: RobotTalk,
  { now, ptpMaxDays, ptpMaxBroken }: ContactLimits,
): TakenPromise | null {
  if (promised === null || willingness === null || !PROMISING.includes(willingness)) return null
  const amount = Math.min(promised.amount, locked.outstanding)
  const event = {
    type: 'PROMISE' as const,
    insideWindow: true,
    remark: 'robot',
    willingness,
    amount,
    outstanding: locked.outstanding,
    days: daysBetween(istDay(now), promised.day),
    maxDays: ptpMaxDays,
    brokenCount: locked.broken_count,
    maxBroken: ptpMaxBroken,
    byLeader: false,
  }
  if (!caseLifecycle.can(locked.state, event)) return null
  return {
    to: nextCaseState(locked, event),
    at: istAt(promised.day, PROMISE_CLOCK),
    amount,
  }
}

function writeTalk(
  tx: CommandTx,
  locked: LockedCase,
  { willingness, asksCall }: RobotTalk,
  promise: TakenPromise | null,
): Promise<MovedCase> {
  const set = [
    sql`last_contact_result = 1`,
    sql`last_willingness = coalesce(${willingness}::int, c.last_willingness)`,
    sql`last_follow_at = clock_timestamp()`,
    ...(asksCall ? [sql`next_follow_at = clock_timestamp()`] : []),
  ]
  if (promise !== null)
    return moveCase(tx, locked, {
      to: promise.to,
      set: [
        ...set,
        sql`next_follow_at = ${promise.at}::timestamptz`,
        sql`ptp_at = ${promise.at}::timestamptz`,
        sql`ptp_amount = ${promise.amount}`,
        sql`ptp_made_at = clock_timestamp()`,
        sql`ptp_paid = 0`,
        sql`ptp_state = 'open'`,
      ],
    })
  if (locked.state !== 'promised' || willingness !== REFUSES)
    return moveCase(tx, locked, { to: locked.state, set })
  const to = nextCaseState(locked, {
    type: 'PROMISE_BROKEN',
    over: false,
    refused: true,
    paid: locked.ptp_paid,
    promised: locked.ptp_amount ?? 0,
    keptPercent: 0,
  })
  return moveCase(tx, locked, {
    to,
    set: [...set, sql`ptp_state = 'broken'`, sql`broken_count = c.broken_count + 1`],
  })
}

function followed(
  row: LockedCase,
  followId: string | null,
  { attemptsToday, attemptsWeek }: { attemptsToday: number; attemptsWeek: number },
) {
  const hasFollow = followId !== null
  return {
    caseId: row.id,
    followId,
    contactResult: hasFollow ? row.last_contact_result : null,
    willingness: hasFollow ? row.last_willingness : null,
    commitmentTime: hasFollow ? row.commitment_at : null,
    nextFollowTime: hasFollow ? row.next_follow_at : null,
    lastFollowTime: row.last_follow_at,
    followCount: row.follow_count,
    attemptsToday,
    attemptsWeek,
  }
}
