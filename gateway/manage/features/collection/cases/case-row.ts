/**
 * CaseRow and FollowRow of the contracts as JSON built by PostgreSQL. Personal values are masked
 * here; times are ISO 8601 UTC with milliseconds, as the driver returns them elsewhere.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type {
  CaseRow as CaseRowSchema,
  FollowRow as FollowRowSchema,
} from '#shared/collection/cases-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'

export type CaseRow = Static<typeof CaseRowSchema>
export type FollowRow = Static<typeof FollowRowSchema>

/**
 * Now, today in IST and its first instant. As subselects they are evaluated once per statement, not
 * per row, and an index can serve them.
 */
export const NOW = sql.raw<string>('(select clock_timestamp())')
export const IST_TODAY = sql.raw<string>(
  `(select (clock_timestamp() at time zone 'Asia/Kolkata')::date)`,
)
const MIDNIGHT = `(select date_trunc('day', clock_timestamp() at time zone 'Asia/Kolkata') at time zone 'Asia/Kolkata')`
export const IST_MIDNIGHT = sql.raw<string>(MIDNIGHT)

/**
 * A case of today: open, or ended today. Both ends are given, because a range open at one end counts
 * as a third of all cases, and the past would be read.
 */
export const HAD_TODAY = sql.raw<boolean>(
  `(c.state <> 'closed' or (c.ended_at >= ${MIDNIGHT} and c.ended_at < ${MIDNIGHT} + interval '1 day'))`,
)
/** A case somebody contacted today. */
export const CONTACTED_TODAY = sql.raw<boolean>(`(c.last_follow_at >= ${MIDNIGHT})`)

/** Days over which contacts count for the weekly limit, today included. */
const WEEK_DAYS = 7

/**
 * Contacts of a customer over all channels since IST midnight, `days` days back: calls and messages
 * begun in the console, and contacts recorded without one. A borrower's own call does not count.
 */
function attempts(customer: string, days: number): string {
  const since = `${MIDNIGHT} - interval '${days} days'`
  return `(
    (
      select count(*) from call_log l
      where l.customer_id = ${customer} and l.kind = 'case' and l.started_at >= ${since}
    ) + (
      select count(*) from follow_up f
      where f.customer_id = ${customer} and f.call_id is null and f.direction = 'out'
        and f.created_at >= ${since}
    )
  )::int`
}
export function attemptsToday(customer: string): RawBuilder<number> {
  return sql.raw(attempts(customer, 0))
}
export function attemptsWeek(customer: string): RawBuilder<number> {
  return sql.raw(attempts(customer, WEEK_DAYS - 1))
}

/**
 * The newest of these contacts as a subquery of at most one row (`at`, `way`, `user_id`); a call of
 * the robot has no user.
 */
export function lastAttempt(customer: string): RawBuilder<unknown> {
  return sql.raw(`(
    select x.at, x.way, x.user_id
    from (
      (
        select l.started_at as at, l.way, l.user_id from call_log l
        where l.customer_id = ${customer} and l.kind = 'case'
        order by l.started_at desc limit 1
      ) union all (
        select f.created_at, f.contact_way, f.operator_id from follow_up f
        where f.customer_id = ${customer} and f.call_id is null and f.direction = 'out'
        order by f.created_at desc limit 1
      )
    ) x
    order by x.at desc limit 1
  )`)
}

/** Joins of `caseRowJson` beside `collection_case c`. */
export const CASE_ROW_JOINS = sql`
  join customer u on u.id = c.customer_id
  join loan_order o on o.id = c.order_id
  join product p on p.id = o.product_id
  left join agency a on a.id = c.agency_id
  left join team_group g on g.id = c.group_id
  left join sys_user k on k.id = c.collector_id`

/** Of the latest one of the case's order. */
const lastState = (table: 'reduction' | 'repay_proof', at: string): string =>
  `(select x.state from ${table} x where x.order_id = c.order_id order by x.${at} desc, x.id desc limit 1)`
export const REDUCE_STATE = sql.raw<string | null>(lastState('reduction', 'launched_at'))
export const PROOF_STATE = sql.raw<string | null>(lastState('repay_proof', 'created_at'))

/** Not contacted since its holder got it. */
export const NOT_CONTACTED = '(c.last_follow_at is null or c.last_follow_at < c.allocated_at)'
const clockParameter = (code: string): string =>
  `(select x.value from sys_config x where x.code = '${code}')`
/**
 * Counted within the lender's contact hours; a later edit of the stage applies to open cases too.
 */
const FIRST_DUE = `(
  case when c.allocated_at is not null and c.ended_at is null and ${NOT_CONTACTED}
    then first_contact_due(
      c.allocated_at,
      (select s.first_contact_hours from stage s where s.stage_id = c.stage_id),
      ${clockParameter('collection.callFrom')},
      ${clockParameter('collection.callTo')}
    )
  end
)`
/** When the next contact is due: the planned one, else the first one of a new case. */
export const NEXT_DUE = `coalesce(c.next_follow_at, ${FIRST_DUE})`

export const caseRowJson: RawBuilder<CaseRow> = sql`json_build_object(
  'caseId', c.id, 'orderId', c.order_id, 'userId', c.customer_id, 'userName', u.name, 'phone',
    'XXXXXX' || u.phone_last4, 'productName', p.name, 'stageId', c.stage_id, 'overdueDays', c.overdue_days,
    'amountDue', c.amount_due,
  'paidAmount', c.paid_amount, 'paidToday', case when c.paid_on = ${IST_TODAY} then c.paid_on_amount
    else 0 end, 'outstanding', c.outstanding, 'state', c.state, 'agencyId', c.agency_id, 'agencyName',
    a.name,
  'departmentId', c.department_id, 'groupId', c.group_id, 'groupName', g.name, 'collectorId',
    c.collector_id, 'collectorName', k.user_name, 'allocationTime', ${isoTime('c.allocated_at')},
    'firstDueTime', ${isoTime(FIRST_DUE)}, 'followCount', c.follow_count,
  'lastContactResult', c.last_contact_result, 'lastWillingness', c.last_willingness, 'lastFollowTime',
    ${isoTime('c.last_follow_at')}, 'nextFollowTime', ${isoTime('c.next_follow_at')},
  'commitmentTime', ${isoTime('c.commitment_at')}, 'ptpTime', ${isoTime('c.ptp_at')}, 'ptpAmount',
    c.ptp_amount, 'ptpState', c.ptp_state, 'brokenCount', c.broken_count, 'attemptsToday',
    ${attemptsToday('c.customer_id')},
  'attemptsWeek', ${attemptsWeek('c.customer_id')}, 'intimatedAt', ${isoTime('c.intimated_at')},
    'needsIntimation', coalesce(not a.in_house, false), 'reduceState', ${REDUCE_STATE}, 'proofState',
    ${PROOF_STATE}, 'holdReason', c.hold_reason, 'holdUntil', c.hold_until::text,
  'endReason', c.end_reason, 'endTime', ${isoTime('c.ended_at')}, 'recovered', c.recovered, 'rbiClass',
    o.rbi_class, 'token', c.token, 'version', c.version)`

/** One case as its contract row. The caller has checked the scope and the existence. */
export async function caseRow(db: Db, caseId: string): Promise<CaseRow> {
  const { rows } = await sql<{
    row: CaseRow
  }>`select ${caseRowJson} as row from collection_case c ${CASE_ROW_JOINS} where c.id = ${caseId}`.execute(
    db,
  )
  return (rows[0] as { row: CaseRow }).row
}

/** A note beside `case_note n` and its writer `k`. */
export const caseNoteJson = sql`json_build_object(
  'noteId', n.id, 'remark', n.remark, 'operatorId', n.operator_id, 'operatorName', k.user_name,
  'createTime', ${isoTime('n.created_at')})`

/** Joins of `followRowJson` beside `follow_up f`. */
export const FOLLOW_ROW_JOINS = sql`
  join customer u on u.id = f.customer_id
  join sys_user k on k.id = f.operator_id
  left join agency a on a.id = f.agency_id
  left join call_log l on l.id = f.call_id`

export const followRowJson: RawBuilder<FollowRow> = sql`json_build_object(
  'followId', f.id, 'caseId', f.case_id, 'orderId', f.order_id, 'userId', f.customer_id, 'userName', u.name,
    'agencyId', f.agency_id, 'agencyName', a.name, 'stageId', f.stage_id, 'relation', f.relation,
  'direction', f.direction, 'contactWay', f.contact_way, 'contactNumber', case when f.contact_last4 is null then null
    else 'XXXXXX' || f.contact_last4 end, 'reachable', f.reachable, 'contactResult', f.contact_result,
    'willingness', f.willingness,
  'allocationTime', ${isoTime('f.allocation_at')}, 'commitmentTime', ${isoTime('f.commitment_at')},
    'nextFollowTime', ${isoTime('f.next_follow_at')}, 'ptpTime', ${isoTime('f.ptp_at')}, 'ptpAmount',
    f.ptp_amount,
  'remark', f.remark, 'operatorId', f.operator_id, 'operatorName', k.user_name, 'createTime',
    ${isoTime('f.created_at')}, 'callId', f.call_id, 'durationSec', coalesce(f.duration_sec,
    l.duration_sec), 'endCause', l.end_cause)`
