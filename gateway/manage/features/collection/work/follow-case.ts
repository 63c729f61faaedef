/**
 * Records a contact: FOLLOW_UP, with a promise PROMISE; a borrower who refuses breaks an open
 * promise at once. The holder records it, or a leader of the case's unit.
 */
import { sql } from 'kysely'
import { PROMISING, REFUSES } from '#shared/collection/case-lifecycle.ts'
import type { followCase as call } from '#shared/collection/cases-api.ts'
import { CASE_FOLLOWED } from '#shared/collection/collection-live.ts'
import { PROMISES_BROKEN } from '#shared/collection/collection-problems.ts'
import { isReached } from '#shared/collection/collection-sets.ts'
import { contactGate } from '#shared/collection/contact-gate.ts'
import { harshWordsIn } from '#shared/collection/remark-linter.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { daysBetween, istDay } from '#shared/kernel/time.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import { endTasksOfBorrower } from '#gateway/manage/features/ai-calls/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import { caseRow, FOLLOW_ROW_JOINS, type FollowRow, followRowJson } from '../cases/case-row.ts'
import { logCase, notifyAboutCase, emitPromise } from '../case-events.ts'
import {
  caseRooms,
  type LockedCase,
  moveCase,
  type MovedCase,
  nextCaseState,
} from '../case-store.ts'
import { lockForContact } from './case-access.ts'
import { type Contact, contactOf } from './contact-of.ts'
import { contactFacts, type ContactLimits, refusalOf } from './contact-facts.ts'
import { firstContactSec } from './first-contact.ts'

type Input = InputOf<typeof call>
interface Promised {
  time: string
  amount: number
}

/**
 * @throws Problem G404, C-OWN, C-POOL, G409 (the case changed since it was shown), G-FIELD, C-STATE,
 * C-PTP, and the refusals of the contact gate, unless a started call is recorded
 */
export async function followCase(tx: CommandTx, input: Input): Promise<DataOf<typeof call>> {
  const actor = staff(tx.actor)
  const locked = await lockForContact(tx, input.caseId, input.token)
  if (locked.version !== input.version) throw await staleCase(tx, locked)
  const limits = await contactFacts(tx.db, locked.id)
  const contact = await contactOf(tx.db, locked.customer_id, input.contactId)
  const promised = checkForm(input, locked, limits)
  const hasCall = await checkCall(tx, actor, input)
  // the gate was checked when a call started; a contact without a call happens now, and one that
  // the borrower began needs no permission
  const refusal =
    input.direction === 'in'
      ? null
      : contactGate(limits.facts, { now: limits.now, isBorrower: contact.isBorrower })
  if (refusal !== null && (!hasCall || limits.facts.stopped)) throw refusalOf(refusal)
  const moved = await writeCase(tx, actor, locked, input, promised, limits)
  const follow = await writeFollow(tx, actor, moved, input, promised, contact)
  await endTasksOfBorrower(tx, locked.customer_id)
  emitFollowed(tx, moved, follow, input, limits, hasCall)
  if (moved.ptp_state !== locked.ptp_state || promised !== null) emitPromise(tx, moved)
  if (moved.ptp_state === 'broken' && locked.ptp_state === 'open')
    notifyAboutCase(tx, moved.collector_id, 'promise', 'promiseBroken', moved.id)
  logCase(tx, 'pedding_list', 'follow', moved, {
    followId: follow.followId,
    contactResult: input.contactResult,
    willingness: input.willingness ?? null,
    promised: promised !== null,
    ...(input.asSaid === true ? { asSaid: true } : {}),
  })
  return { follow, case: await caseRow(tx.db, locked.id) }
}

async function staleCase(tx: CommandTx, locked: LockedCase): Promise<Problem> {
  return changedByOther(tx.db, 'case', locked.id, await caseRow(tx.db, locked.id))
}

/**
 * Rules over several fields, which the schema cannot express.
 * @throws Problem G-FIELD with a key per field, C-PTP
 */
function checkForm(
  input: Input,
  locked: LockedCase,
  { now, ptpMaxDays, harshWords }: ContactLimits,
): Promised | null {
  const fields: Record<string, string> = {}
  const willingness = input.willingness ?? null
  const reached = isReached(input.contactResult)
  if (reached && willingness === null) fields.willingness = 'required'
  if (reached && input.commitmentTime == null) fields.commitmentTime = 'required'
  if (input.asSaid !== true && harshWordsIn(input.remark, harshWords).length > 0)
    fields.remark = 'collection:desk.fault.harsh'
  if (Date.parse(input.nextFollowTime) <= Date.parse(now)) fields.nextFollowTime = 'future'
  const isIncoming = input.direction === 'in'
  if (isIncoming && !reached) fields.contactResult = 'choice'
  if (isIncoming && input.callId != null) fields.callId = 'unknown'
  if (
    !isIncoming &&
    input.contactWay === 'phone' &&
    (input.contactResult === 1 || input.contactResult === 2) &&
    input.callId == null
  )
    fields.callId = 'required'
  const promised =
    input.ptpTime == null || input.ptpAmount == null
      ? null
      : { time: input.ptpTime, amount: input.ptpAmount }
  if (promised === null && input.ptpTime != null) fields.ptpAmount = 'required'
  if (promised === null && input.ptpAmount != null) fields.ptpTime = 'required'
  if (promised !== null) {
    const days = daysBetween(istDay(now), istDay(promised.time))
    if (willingness === null || !PROMISING.includes(willingness)) fields.willingness = 'promising'
    if (Date.parse(promised.time) <= Date.parse(now)) fields.ptpTime = 'future'
    else if (days > ptpMaxDays) fields.ptpTime = 'tooFar'
    if (promised.amount > locked.outstanding) fields.ptpAmount = 'aboveOutstanding'
  }
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
  return promised
}

/**
 * Whether the contact is a call the person started on this case and has not recorded yet.
 * @throws Problem G-FIELD for a call of another person
 */
async function checkCall(
  tx: CommandTx,
  actor: StaffActor,
  { caseId, callId }: Input,
): Promise<boolean> {
  if (callId == null) return false
  const { rows } = await sql`
    select from call_log l where l.id = ${callId} and l.case_id = ${caseId} and l.user_id = ${actor.userId}
      and not exists (select 1 from follow_up f where f.call_id = l.id)`.execute(tx.db)
  if (rows.length === 0) throw new Problem(INVALID_FIELDS, {}, { fields: { callId: 'unknown' } })
  return true
}

async function writeCase(
  tx: CommandTx,
  actor: StaffActor,
  locked: LockedCase,
  input: Input,
  promised: Promised | null,
  limits: ContactLimits,
): Promise<MovedCase> {
  const willingness = input.willingness ?? null
  const contact = { insideWindow: true, remark: input.remark }
  const isBroken = locked.state === 'promised' && willingness === REFUSES
  const set = [
    sql`follow_count = c.follow_count + 1`,
    sql`last_contact_result = ${input.contactResult}`,
    sql`last_willingness = ${willingness}`,
    sql`last_follow_at = clock_timestamp()`,
    sql`next_follow_at = ${input.nextFollowTime}::timestamptz`,
    sql`commitment_at = ${input.commitmentTime ?? null}::timestamptz`,
  ]
  if (promised !== null) {
    const byLeader = actor.userId !== locked.collector_id
    if (locked.state === 'allocated' && locked.broken_count >= limits.ptpMaxBroken && !byLeader)
      throw new Problem(PROMISES_BROKEN, { n: locked.broken_count })
    const to = nextCaseState(locked, {
      type: 'PROMISE',
      ...contact,
      willingness,
      amount: promised.amount,
      outstanding: locked.outstanding,
      days: daysBetween(istDay(limits.now), istDay(promised.time)),
      maxDays: limits.ptpMaxDays,
      brokenCount: locked.broken_count,
      maxBroken: limits.ptpMaxBroken,
      byLeader,
    })
    set.push(
      sql`ptp_at = ${promised.time}::timestamptz`,
      sql`ptp_amount = ${promised.amount}`,
      sql`ptp_made_at = clock_timestamp()`,
      sql`ptp_paid = 0`,
      sql`ptp_state = 'open'`,
    )
    return moveCase(tx, locked, { to, set })
  }
  const followed = nextCaseState(locked, { type: 'FOLLOW_UP', ...contact })
  if (!isBroken) return moveCase(tx, locked, { to: followed, set })
  const to = nextCaseState(
    { id: locked.id, state: followed },
    {
      type: 'PROMISE_BROKEN',
      over: false,
      refused: true,
      paid: locked.ptp_paid,
      promised: locked.ptp_amount ?? 0,
      keptPercent: 0,
    },
  )
  return moveCase(tx, locked, {
    to,
    set: [...set, sql`ptp_state = 'broken'`, sql`broken_count = c.broken_count + 1`],
  })
}

async function writeFollow(
  tx: CommandTx,
  actor: StaffActor,
  moved: MovedCase,
  input: Input,
  promised: Promised | null,
  contact: Contact,
): Promise<FollowRow> {
  if (input.callId != null)
    await sql`update call_log set state = 'ended' where id = ${input.callId} and state = 'started'`.execute(
      tx.db,
    )
  const { rows } = await sql<{ row: FollowRow }>`
    with f as (
      insert into follow_up (case_id, order_id, customer_id, operator_id, agency_id, department_id,
        group_id, stage_id, contact_id, relation, direction, contact_way, contact_last4, reachable, contact_result,
        willingness, allocation_at,
        commitment_at, next_follow_at, ptp_at, ptp_amount, remark, call_id, created_at, first_contact_sec)
      values (${moved.id}, ${moved.order_id}, ${moved.customer_id}, ${actor.userId}, ${moved.agency_id},
        ${moved.department_id}, ${moved.group_id}, ${moved.stage_id}, ${contact.contactId},
        ${contact.relation}, ${input.direction ?? 'out'}, ${input.contactWay},
        ${contact.last4}, ${isReached(input.contactResult)}, ${input.contactResult},
          ${input.willingness ?? null}, ${moved.allocated_at}::timestamptz,
          ${input.commitmentTime ?? null}::timestamptz, ${input.nextFollowTime}::timestamptz,
        ${promised?.time ?? null}::timestamptz, ${promised?.amount ?? null}::bigint, ${input.remark},
          ${input.callId ?? null}, clock_timestamp(), ${firstContactSec(moved, actor.userId)})
      returning *
    )
    select ${followRowJson} as row from f ${FOLLOW_ROW_JOINS}`.execute(tx.db)
  return (rows[0] as { row: FollowRow }).row
}

/** A contact with a call was counted when the call started; an incoming one does not count. */
function emitFollowed(
  tx: CommandTx,
  moved: MovedCase,
  follow: FollowRow,
  input: Input,
  { facts }: ContactLimits,
  hasCall: boolean,
): void {
  const more = hasCall || input.direction === 'in' ? 0 : 1
  tx.emit(CASE_FOLLOWED, {
    subject: `case:${moved.id}`,
    version: moved.version,
    rooms: caseRooms(moved.id, moved),
    data: {
      caseId: moved.id,
      followId: follow.followId,
      contactResult: input.contactResult,
      willingness: input.willingness ?? null,
      commitmentTime: moved.commitment_at,
      nextFollowTime: moved.next_follow_at,
      lastFollowTime: moved.last_follow_at,
      followCount: moved.follow_count,
      attemptsToday: facts.attemptsToday + more,
      attemptsWeek: facts.attemptsWeek + more,
    },
  })
}
