/**
 * The facts of all boards, read by one statement whatever the number of scopes and screens: cases
 * by stage, unit and holder, today's contacts and payments, people, queues, runs. Lines are JSON
 * arrays: a busy floor has thousands of them.
 */
import { sql } from 'kysely'
import type { Thresholds } from '#shared/wall/wall-api.ts'
import type { AlertKey, AlertLevel } from '#shared/wall/wall-sets.ts'
import {
  CASE_COUNTS,
  IS_ENABLED,
  IST_MIDNIGHT,
  IST_TODAY,
  isOnDuty,
  isOnline,
  NOW,
} from '#gateway/manage/features/collection/public.ts'
import { OLDEST_TIME, WAITING } from '#gateway/manage/features/review/public.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'

/** Place of a fact: agency, department, group, collector. */
export type Place = [
  agency: string | null,
  department: string | null,
  group: string | null,
  collector: string | null,
]
type CaseCount = [
  ...Place,
  stageId: string,
  had: number,
  open: number,
  unallocated: number,
  unallocatedOldest: string | null,
  outstanding: number,
  ptpToday: number,
  ptpTodayAmount: number,
  contacted: number,
  dueNow: number,
  notContacted: number,
  held: number,
]
type PromiseCount = [...Place, stageId: string, kept: number, decided: number]
type ContactCount = [...Place, stageId: string, contacts: number, reached: number]
type CallCount = [...Place, stageId: string, calls: number]
type PersonFact = [...Place, name: string, onDuty: boolean, online: boolean]
type PaidHour = [
  ...Place,
  stageId: string,
  day: string,
  hour: number,
  amount: number,
  count: number,
]
type PaidLine = [...Place, stageId: string, time: string, amount: number]
type GivenLine = [...Place, stageId: string | null, time: string, count: number, amount: number]

export interface BoardFacts {
  asOf: string
  today: string
  stages: { stageId: string; target: number }[]
  agencies: { id: string; name: string }[]
  departments: { id: string; name: string }[]
  groups: { id: string; name: string }[]
  cases: CaseCount[]
  promises: PromiseCount[]
  contacts: ContactCount[]
  calls: CallCount[]
  people: PersonFact[]
  hours: PaidHour[]
  paid: PaidLine[]
  given: GivenLine[]
  queues: {
    reviewWaiting: number
    reviewOldestTime: string | null
    ticketsOpen: number
    disburseFailed: number
  }
  runs: {
    runId: string
    unitKind: string
    unitId: string | null
    stageIds: string[]
    state: string
    done: number
    total: number
    failed: number
  }[]
  alerts: {
    unitKey: string
    key: AlertKey
    level: AlertLevel
    value: number
    since: string
    backAt: string | null
    ackBy: string | null
  }[]
  limits: Record<string, Thresholds>
}

/** Latest payments and allocations read for the feed; they include those of each unit. */
const LATEST_PAID = 200
const LATEST_MOVES = 600
const MOST_COUNTED = 10_000

const PLACE = (table: string) =>
  sql.raw(`${table}.agency_id, ${table}.department_id, ${table}.group_id, ${table}.collector_id`)
const KEPT_PLACE = sql.raw(
  ['agency_id', 'department_id', 'group_id', 'collector_id']
    .map((column) => `nullif(x.${column}, '') as ${column}`)
    .join(', '),
)
/** Since when the case waits that has waited longest in the place `x`; as `collection_case_waiting` is. */
const OLDEST_OF_PLACE = `(
  select c.waiting_since from collection_case c
  where x.unallocated > 0 and c.waiting_since is not null and c.stage_id = x.stage_id
    and coalesce(c.agency_id, '') = coalesce(x.agency_id, '')
    and coalesce(c.department_id, '') = coalesce(x.department_id, '')
    and coalesce(c.group_id, '') = coalesce(x.group_id, '')
    and coalesce(c.collector_id, '') = coalesce(x.collector_id, '')
  order by c.waiting_since limit 1)`
const PTP_TODAY = sql<boolean>`
  (c.ptp_state = 'open' and c.ptp_at >= ${IST_MIDNIGHT} and c.ptp_at < ${IST_MIDNIGHT} + interval '1 day')`
const IN_HAND = sql<boolean>`c.state in ('allocated', 'promised')`

const days = (from: number, to: number) =>
  sql`
    b.paid_at >= ${IST_MIDNIGHT} - interval '1 day' * ${from}::int
      and b.paid_at < ${IST_MIDNIGHT} - interval '1 day' * ${to}::int`

export async function boardFacts(context: AppContext): Promise<BoardFacts> {
  const { rows } = await sql<{ facts: BoardFacts }>`
    with cases as (
      select k.agency_id, k.department_id, k.group_id, k.collector_id, k.stage_id, sum(k.had)::int as had,
        sum(k.open)::int as open, sum(k.unallocated)::int as unallocated,
        sum(k.outstanding)::bigint as outstanding, sum(k.ptp)::int as ptp,
        sum(k.ptp_amount)::bigint as ptp_amount, sum(k.contacted)::int as contacted,
        sum(k.due_now)::int as due_now, sum(k.not_contacted)::int as not_contacted,
        sum(k.held)::int as held
      from (
        select ${KEPT_PLACE}, x.stage_id, x.going + x.ended as had, x.open, x.unallocated, x.outstanding,
          0 as ptp, 0 as ptp_amount, x.contacted, x.undated as due_now, x.not_contacted, x.held
        from ${CASE_COUNTS} x
        union all
        -- what depends on the hour is counted from the cases it concerns
        select ${PLACE('c')}, c.stage_id, 0, 0, 0, 0, 1, c.ptp_amount, 0, 0, 0, 0
        from collection_case c where ${PTP_TODAY}
        union all
        select ${PLACE('c')}, c.stage_id, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0
        from collection_case c where ${IN_HAND} and c.next_follow_at <= ${NOW}
      ) k
      group by k.agency_id, k.department_id, k.group_id, k.collector_id, k.stage_id
      having sum(k.had) > 0
    ), promises as (
      select ${PLACE('c')}, c.stage_id, count(*) filter (where c.ptp_state <> 'broken')::int as kept,
        count(*)::int as decided
      from collection_case c where c.ptp_state in ('kept', 'keptPart', 'broken')
        and c.ptp_at >= ${IST_MIDNIGHT} - interval '6 days'
        and c.ptp_at < ${IST_MIDNIGHT} + interval '1 day'
        group by c.agency_id, c.department_id, c.group_id, c.collector_id, c.stage_id
    ), contacts as (
      select f.agency_id, f.department_id, f.group_id, f.operator_id as collector_id, f.stage_id,
        count(*)::int as contacts, count(*) filter (where f.reachable)::int as reached
      from follow_up f where f.created_at >= ${IST_MIDNIGHT}
        group by f.agency_id, f.department_id, f.group_id, f.operator_id, f.stage_id
    ), calls as (
      select u.agency_id, u.department_id, u.group_id, u.id as collector_id, c.stage_id,
        count(*)::int as calls
      from call_log l join sys_user u on u.id = l.user_id
        -- one case of each call: as a join all cases that ever were may be read
        cross join lateral (select x.stage_id from collection_case x where x.id = l.case_id offset 0) c
        where l.kind = 'case' and l.way = 'phone' and l.started_at >= ${IST_MIDNIGHT}
        group by u.agency_id, u.department_id, u.group_id, u.id, c.stage_id
    ), people as (
      select u.agency_id, u.department_id, u.group_id, u.id as collector_id, u.user_name,
        ${isOnDuty('u.id')} as on_duty, ${isOnline('u.id')} as online from collector k
        join sys_user u on u.id = k.user_id where ${IS_ENABLED}
    ), hours as (
      select ${PLACE('b')}, b.stage_id, ist_day(b.paid_at) as day,
        extract(hour from b.paid_at at time zone 'Asia/Kolkata')::int as hour,
        sum(b.amount)::bigint as amount, count(*) filter (where b.amount > 0)::int as payments
      from recovery_bill b where ${days(0, -1)} or ${days(1, 0)} or ${days(7, 6)}
        group by b.agency_id, b.department_id, b.group_id, b.collector_id, b.stage_id, day, hour
    ), paid as (
      select ${PLACE('b')}, b.stage_id, b.paid_at, b.amount from recovery_bill b
        where ${days(0, -1)} and b.amount > 0 order by b.paid_at desc limit ${LATEST_PAID}
    ), moves as (
      select m.to_user_id, m.case_id, m.at, m.run_id from case_allocation m where m.at >= ${IST_MIDNIGHT}
        order by m.at desc, m.id desc limit ${LATEST_MOVES}
    ), given as (
      select u.agency_id, u.department_id, u.group_id, u.id as collector_id, case
        when count(distinct c.stage_id) = 1 then min(c.stage_id) end as stage_id, max(m.at) as at,
        count(*)::int as cases, sum(c.outstanding)::bigint as amount
      from moves m join sys_user u on u.id = m.to_user_id join collection_case c on c.id = m.case_id
        group by u.agency_id, u.department_id, u.group_id, u.id, coalesce(m.run_id, to_char(m.at,
        'YYYYMMDDHH24MI'))
    )
    select json_build_object(
      'asOf', ${isoTime('clock_timestamp()')}, 'today', ${IST_TODAY}::text,
      'stages', (select coalesce(json_agg(json_build_object('stageId', s.stage_id, 'target', s.daily_target)
        order by s.min_days), '[]') from stage s where s.status = 'enabled'),
      'agencies', (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name)
        order by a.name), '[]') from agency a where a.status = 'enabled'),
      'departments', (select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name)), '[]')
        from department d),
      'groups', (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name)
        order by g.name), '[]') from team_group g),
      'cases', (select coalesce(json_agg(json_build_array(${PLACE('x')}, x.stage_id, x.had, x.open,
        x.unallocated, ${isoTime(OLDEST_OF_PLACE)}, x.outstanding, x.ptp, x.ptp_amount, x.contacted, x.due_now,
        x.not_contacted, x.held)), '[]') from cases x),
      'promises', (select coalesce(json_agg(json_build_array(${PLACE('x')}, x.stage_id, x.kept, x.decided)),
        '[]') from promises x),
      'contacts', (select coalesce(json_agg(json_build_array(${PLACE('x')}, x.stage_id, x.contacts,
        x.reached)), '[]') from contacts x),
      'calls', (select coalesce(json_agg(json_build_array(${PLACE('x')}, x.stage_id, x.calls)), '[]')
        from calls x),
      'people', (select coalesce(json_agg(json_build_array(${PLACE('x')}, x.user_name, x.on_duty,
        x.online)), '[]') from people x),
      'hours', (select coalesce(json_agg(json_build_array(${PLACE('x')}, x.stage_id,
        x.day::text, x.hour, x.amount, x.payments)), '[]')
        from hours x),
      'paid', (select coalesce(json_agg(json_build_array(${PLACE('x')}, x.stage_id, ${isoTime('x.paid_at')},
        x.amount) order by x.paid_at desc), '[]') from paid x),
      'given', (select coalesce(json_agg(json_build_array(${PLACE('x')}, x.stage_id, ${isoTime('x.at')},
        x.cases, x.amount) order by x.at desc), '[]') from given x),
      'queues', json_build_object('reviewWaiting', ${WAITING}, 'reviewOldestTime', ${OLDEST_TIME},
        'ticketsOpen', (select count(*)::int
        from (select from feedback f where f.progress <> 'finished' limit ${MOST_COUNTED}) t),
        'disburseFailed', (select count(*)::int
          from (select from loan_order o where o.status = 31 limit ${MOST_COUNTED}) f)),
      'runs', (select coalesce(json_agg(json_build_object('runId', r.id, 'unitKind', r.unit_kind, 'unitId',
        r.unit_id, 'stageIds', r.stage_ids, 'state', r.state, 'done', r.done, 'total', r.total, 'failed',
        r.failed) order by r.started_at desc), '[]')
        from allocation_run r where r.state in ('running', 'paused')),
      'alerts', (select coalesce(json_agg(json_build_object('unitKey', l.unit_key, 'key', l.alert_key,
        'level', l.level, 'value', l.value, 'since', ${isoTime('l.since')}, 'backAt',
        ${isoTime('l.back_at')}, 'ackBy', l.acked_by_name) order by l.since, l.alert_key), '[]')
        from board_alert l),
      'limits', (select coalesce(json_object_agg(t.unit_key, t.limits), '{}') from board_threshold t)
    ) as facts`.execute(context.database.kysely)
  return (rows[0] as { facts: BoardFacts }).facts
}

/** Limits of a unit that set none. */
export async function usualLimits(context: AppContext): Promise<Thresholds> {
  const { parameters } = context
  return {
    target: null,
    ptpKept: await parameters.int('board.ptpKept'),
    unallocatedMinutes: await parameters.int('board.unallocatedMinutes'),
    reviewMinutes: await parameters.int('board.reviewMinutes'),
    disburseFailed: await parameters.int('board.disburseFailed'),
  }
}
