/**
 * Writes one `collection_case` at a time: lock the row, ask the lifecycle, `moveCase`. The fencing
 * token grows by one whenever the holder changes, to a person or to nobody. Every change of holder
 * or place is a row of `case_allocation`, and the same statement updates `collector.open_cases`,
 * the number of allocated and promised cases of a person.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  caseLifecycle,
  type CaseEvent,
  type CaseState,
  type PtpState,
} from '#shared/collection/case-lifecycle.ts'
import { CASE_STATE } from '#shared/collection/collection-problems.ts'
import type { MoveCause } from '#shared/collection/collection-sets.ts'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

/** Place of a case. */
export interface CasePlace {
  agency_id: string | null
  department_id: string | null
  group_id: string | null
  collector_id: string | null
}

export interface LockedCase extends CasePlace {
  id: string
  order_id: string
  customer_id: string
  stage_id: string
  state: CaseState
  overdue_days: number
  /** Paise. */
  amount_due: number
  paid_amount: number
  outstanding: number
  agency_name: string | null
  group_name: string | null
  collector_name: string | null
  /** The agency is an outside one: the borrower must be informed before its first contact. */
  needs_intimation: boolean
  rbi_class: string
  allocated_at: string | null
  follow_count: number
  last_contact_result: number | null
  last_willingness: number | null
  last_follow_at: string | null
  next_follow_at: string | null
  commitment_at: string | null
  ptp_at: string | null
  ptp_amount: number | null
  ptp_made_at: string | null
  /** Paise paid since the promise was made and until the end of its day. */
  ptp_paid: number
  ptp_state: PtpState | null
  broken_count: number
  token: number
  intimated_at: string | null
  hold_reason: string | null
  /** IST day. */
  hold_until: string | null
  end_reason: string | null
  ended_at: string | null
  recovered: number
  /** Paise paid on the IST day of today. */
  paid_today: number
  version: number
}

const COLUMNS = sql.raw(`
    c.id, c.order_id, c.customer_id, c.stage_id, c.state, c.overdue_days, c.amount_due, c.paid_amount,
      c.outstanding, c.agency_id, c.department_id, c.group_id, c.collector_id,
  (select a.name from agency a where a.id = c.agency_id) as agency_name, (select g.name from team_group g
    where g.id = c.group_id) as group_name, (select u.user_name from sys_user u
    where u.id = c.collector_id) as collector_name,
  coalesce((select not a.in_house from agency a
    where a.id = c.agency_id), false) as needs_intimation, (select o.rbi_class from loan_order o
    where o.id = c.order_id) as rbi_class,
  c.allocated_at, c.follow_count, c.last_contact_result, c.last_willingness, c.last_follow_at,
    c.next_follow_at, c.commitment_at, c.ptp_at, c.ptp_amount, c.ptp_made_at, c.ptp_paid, c.ptp_state,
    c.broken_count, c.token,
  c.intimated_at, c.hold_reason, c.hold_until, c.end_reason, c.ended_at, c.recovered,
  case when c.paid_on = (clock_timestamp() at time zone 'Asia/Kolkata')::date then c.paid_on_amount
    else 0 end as paid_today, c.version`)

/**
 * @param scope rows the caller may write
 * @throws Problem G404 when it is missing or out of scope
 */
export async function lockCase(
  tx: CommandTx,
  caseId: string,
  scope: RawBuilder<boolean>,
): Promise<LockedCase> {
  const [found] = await lockCases(tx, sql<boolean>`c.id = ${caseId} and ${scope}`)
  if (!found) throw new Problem(NOT_FOUND)
  return found
}

/** Locks several in the order of their ids, so that two commands cannot deadlock. */
export async function lockCases(tx: CommandTx, which: RawBuilder<boolean>): Promise<LockedCase[]> {
  const { rows } = await sql<LockedCase>`
      select ${COLUMNS} from collection_case c where ${which} order by c.id for update of c`.execute(
    tx.db,
  )
  return rows
}

/**
 * Asks the lifecycle.
 * @throws Problem C-STATE (409) with state, event and what is allowed in `data`
 */
export function nextCaseState(
  locked: Pick<LockedCase, 'id' | 'state'>,
  event: CaseEvent,
): CaseState {
  try {
    return caseLifecycle.next(locked.state, event)
  } catch (error) {
    if (!(error instanceof IllegalTransition)) throw error
    throw new Problem(
      CASE_STATE,
      { state: locked.state },
      {
        caseId: locked.id,
        state: locked.state,
        event: event.type,
        allowed: caseLifecycle.allowed(locked.state),
      },
    )
  }
}

export interface CaseMove {
  to: CaseState
  /**
   * New place; absent = unchanged. With another holder the token grows and the first contact waits
   * for the intimation again.
   */
  place?: CasePlace
  /** Column assignments beside state, place, token and version. */
  set?: RawBuilder<unknown>[]
  /** Why the holder, the place or the stage changes; required when one does. */
  cause?: MoveCause
  reason?: string | null
  toStage?: string
  runId?: string | null
}

/** The row after a move, with what its events carry. */
export interface MovedCase extends LockedCase {
  from: LockedCase
}

/**
 * Writes one move of a locked case.
 * @throws TypeError when a move has no cause (a bug)
 */
export async function moveCase(
  tx: CommandTx,
  locked: LockedCase,
  { to, place, set = [], cause, reason = null, toStage, runId = null }: CaseMove,
): Promise<MovedCase> {
  const after = place ?? locked
  const isOtherHolder = after.collector_id !== locked.collector_id
  const isMoved =
    isOtherHolder ||
    after.agency_id !== locked.agency_id ||
    after.department_id !== locked.department_id ||
    after.group_id !== locked.group_id ||
    (toStage !== undefined && toStage !== locked.stage_id)
  if (isMoved && cause === undefined) throw new TypeError(`case ${locked.id} moves without a cause`)
  const assignments = [
    sql`state = ${to}`,
    sql`version = c.version + 1`,
    sql`updated_at = clock_timestamp()`,
    ...(place === undefined
      ? []
      : [
          sql`agency_id = ${place.agency_id}`,
          sql`department_id = ${place.department_id}`,
          sql`group_id = ${place.group_id}`,
          sql`collector_id = ${place.collector_id}`,
        ]),
    ...(isOtherHolder
      ? [
          sql`token = c.token + 1`,
          sql`
            allocated_at = case when ${after.collector_id}::text is null then null
              else clock_timestamp() end`,
        ]
      : []),
    // RBI circular of 12 Aug 2022: the borrower must be informed of a new agent before the first
    // contact
    ...(isOtherHolder || after.agency_id !== locked.agency_id ? [sql`intimated_at = null`] : []),
    ...(toStage === undefined ? [] : [sql`stage_id = ${toStage}`]),
    ...set,
  ]
  const wasInHand = isInHand(locked.state, locked.collector_id)
  const isNowInHand = isInHand(to, after.collector_id)
  const { rows } = await sql<LockedCase>`
    with moved as (
      update collection_case c set ${sql.join(assignments)} where c.id = ${locked.id}
        and c.version = ${locked.version} returning c.*
    ), logged as (
      insert into case_allocation (case_id, cause, from_user_id, to_user_id, from_agency_id, to_agency_id,
        from_department_id, to_department_id, from_group_id, to_group_id, from_stage, to_stage,
        overdue_days, case_version, outstanding, reason, by_user_id, by_name, run_id, at)
      select m.id, ${cause ?? null}::text, ${locked.collector_id}::text, m.collector_id,
        ${locked.agency_id}::text, m.agency_id, ${locked.department_id}::text, m.department_id,
        ${locked.group_id}::text, m.group_id, ${locked.stage_id}::text, m.stage_id, m.overdue_days,
        m.version, m.outstanding, ${reason}::text, ${tx.actor.userId}::text, ${tx.actor.userName}::text,
        ${runId}::text, clock_timestamp()
      from moved m where ${isMoved}
    ), counted as (
      update collector k set open_cases = greatest(0, k.open_cases + d.n)
      from (select s.user_id, sum(s.n)::int as n
        from (values (${locked.collector_id}::text, ${wasInHand ? -1 : 0}::int),
        (${after.collector_id}::text, ${isNowInHand ? 1 : 0}::int)) as s (user_id, n) group by s.user_id
        having sum(s.n) <> 0) d
      where k.user_id = d.user_id
    )
    select ${COLUMNS} from moved c`.execute(tx.db)
  const row = rows[0]
  // the row is locked, so no other transaction can have moved it
  if (!row) throw new Error(`case ${locked.id} changed under its lock`)
  return { ...row, from: locked }
}

/** Whether a case counts as a collector's open work. */
export function isInHand(state: CaseState, collectorId: string | null): boolean {
  return collectorId !== null && (state === 'allocated' || state === 'promised')
}

/** Rooms of a case: its own, scope `all`, and the units and holders before and after. */
export function caseRooms(caseId: string, ...places: CasePlace[]): string[] {
  const rooms = [`case:${caseId}`, 'scope:all']
  for (const place of places) {
    if (place.agency_id !== null) rooms.push(`scope:agency:${place.agency_id}`)
    if (place.department_id !== null) rooms.push(`scope:dept:${place.department_id}`)
    if (place.group_id !== null) rooms.push(`scope:group:${place.group_id}`)
    if (place.collector_id !== null) rooms.push(`user:${place.collector_id}`)
  }
  return [...new Set(rooms)]
}

/** Place of a collector: their own unit. */
export async function placeOfCollector(
  tx: CommandTx,
  collectorId: string,
): Promise<CasePlace | null> {
  const { rows } = await sql<CasePlace>`
    select u.agency_id, u.department_id, u.group_id, u.id as collector_id from sys_user u
      join collector k on k.user_id = u.id where u.id = ${collectorId}`.execute(tx.db)
  return rows[0] ?? null
}

export const POOL: CasePlace = {
  agency_id: null,
  department_id: null,
  group_id: null,
  collector_id: null,
}
