/**
 * Processed cases of a unit or a person: those that ended with them, and those recalled or moved
 * away, as they left. Amounts, days, stage and holder are those of the move; recoveries and
 * contacts are those of the unit alone. A case that returned is open again and no longer among
 * them.
 */
import { type RawBuilder, sql } from 'kysely'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { placeOf } from '#gateway/manage/kernel/scope.ts'
import { casesInScope } from '../case-scope.ts'
import { type CaseRow, caseRowJson } from './case-row.ts'

/** Columns that lists and rows read of a case: filters, sums and order work on left cases too. */
const COLUMNS = [
  'id',
  'order_id',
  'customer_id',
  'stage_id',
  'state',
  'overdue_days',
  'amount_due',
  'paid_amount',
  'paid_on',
  'paid_on_amount',
  'outstanding',
  'agency_id',
  'department_id',
  'group_id',
  'collector_id',
  'allocated_at',
  'follow_count',
  'last_contact_result',
  'last_willingness',
  'last_follow_at',
  'next_follow_at',
  'commitment_at',
  'ptp_at',
  'ptp_amount',
  'ptp_state',
  'broken_count',
  'intimated_at',
  'hold_reason',
  'hold_until',
  'end_reason',
  'ended_at',
  'recovered',
  'token',
  'version',
] as const

/** Column of the case → expression over `case_allocation` or the tables that record the work. */
const ENDS = {
  agency_id: { from: 'from_agency_id', to: 'to_agency_id', worker: 'agency_id' },
  department_id: { from: 'from_department_id', to: 'to_department_id', worker: 'department_id' },
  group_id: { from: 'from_group_id', to: 'to_group_id', worker: 'group_id' },
  collector_id: { from: 'from_user_id', to: 'to_user_id', worker: 'operator_id' },
} as const

/**
 * A table `c` shaped like `collection_case`; null for a caller without a unit, whose cases never
 * leave.
 * @param only these cases, a list of ids for `in`; without it the columns are computed for all rows
 */
export function endedAndLeft(
  actor: StaffActor,
  only?: RawBuilder<unknown>,
): RawBuilder<unknown> | null {
  const place = placeOf(actor)
  if (place === null) return null
  const { column, value } = place
  const { from, to, worker } = ENDS[column]
  const recovered = sql`
    (
      select coalesce(sum(b.amount), 0)::bigint
      from recovery_bill b
      where b.order_id = x.order_id and b.case_id = m.case_id and ${sql.ref(`b.${column}`)} = ${value}
    )`
  const follows = sql`follow_up f where f.case_id = m.case_id and ${sql.ref(`f.${worker}`)} = ${value}`
  const among = (id: string) => (only === undefined ? sql`true` : sql`${sql.ref(id)} in ${only}`)
  const last = (what: string) =>
    sql`(select ${sql.ref(`f.${what}`)} from ${follows} order by f.created_at desc, f.id desc limit 1)`
  return sql`(
    select ${sql.join(COLUMNS.map((name) => sql.ref(`c.${name}`)))}, false as has_left
    from collection_case c
    where c.ended_at is not null and ${casesInScope(actor)} and ${among('c.id')}
    union all
    select m.case_id, x.order_id, x.customer_id, m.from_stage, case
      when m.to_user_id is null then 'unallocated'
      else 'allocated' end, coalesce(m.overdue_days, x.overdue_days), coalesce(m.outstanding,
      0) + ${recovered}, ${recovered}, null::date, 0::bigint,
      coalesce(m.outstanding, 0), m.from_agency_id, m.from_department_id, m.from_group_id, m.from_user_id,
      (select max(g.at) from case_allocation g where g.case_id = m.case_id and g.id < m.id
        and g.to_user_id = m.from_user_id and g.from_user_id is distinct
        from g.to_user_id), (select count(*)::int from ${follows}), ${last('contact_result')},
      ${last('willingness')}, ${last('created_at')}, ${last('next_follow_at')}, ${last('commitment_at')},
        null::timestamptz, null::bigint, null::text, 0, null::timestamptz, null::text, null::date,
      case when m.to_user_id is null then 'recalled'
        else 'moved' end, m.at, ${recovered}, 0, coalesce(m.case_version, 1), true
    from (
      select distinct on (n.case_id) n.id, n.case_id, n.from_stage, n.to_user_id, n.overdue_days,
        n.case_version, n.outstanding, n.from_agency_id, n.from_department_id, n.from_group_id,
        n.from_user_id, n.at
      from case_allocation n
      where ${sql.ref(`n.${from}`)} = ${value}
        and ${sql.ref(`n.${from}`)} is distinct from ${sql.ref(`n.${to}`)}
        and ${among('n.case_id')}
      order by n.case_id desc, n.id desc
    ) m join collection_case x on x.id = m.case_id
    where ${sql.ref(`x.${column}`)} is distinct from ${value}
  ) c`
}

/** Facts beside the case, which belong to its present unit. */
const HIDDEN = {
  attemptsToday: 0,
  attemptsWeek: 0,
  reduceState: null,
  proofState: null,
  needsIntimation: false,
  rbiClass: '',
} satisfies Partial<CaseRow>
export const leftRowJson: RawBuilder<CaseRow> = sql`
  case
    when c.has_left then (${caseRowJson}::jsonb || ${sql.lit(JSON.stringify(HIDDEN))})::json
    else ${caseRowJson}
  end`
