/**
 * The case lists: pool, work queue and ended cases. One statement reads rows, total, sums and stage
 * chips; the database builds the JSON.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  type CASE_TABS,
  type CASE_VIEWS,
  isCaseSort,
  type listCases as listCall,
} from '#shared/collection/cases-api.ts'
import { CASE_STATES, PTP_STATES } from '#shared/collection/case-lifecycle.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import { FORBIDDEN, INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { casesInScope } from '../case-scope.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { customersNamed } from '#gateway/manage/features/customers/public.ts'
import { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  countedTo,
  filterClauses,
  isOneOf,
  isoTime,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import {
  CASE_ROW_JOINS,
  caseRowJson,
  IST_MIDNIGHT,
  NEXT_DUE,
  NOT_CONTACTED,
  NOW,
  PROOF_STATE,
  REDUCE_STATE,
} from './case-row.ts'
import { endedAndLeft, leftRowJson } from './left-cases.ts'

type Input = InputOf<typeof listCall>
type Tab = (typeof CASE_TABS)[number]
type View = (typeof CASE_VIEWS)[number]

const CODE_OF = {
  toAllocate: 'pedding_list:allocate',
  toFollow: 'pedding_list:view',
  ended: 'peded_list:view',
} as const satisfies Record<Tab, string>

/**
 * Each default order has its index in every scope; a new case has no follow-up time and is first.
 */
const DEFAULT_ORDER = {
  toAllocate: 'c.outstanding desc, c.id',
  toFollow: 'c.next_follow_at nulls first, c.outstanding desc, c.id',
  ended: 'c.ended_at desc, c.id desc',
} as const satisfies Record<Tab, string>
/**
 * A person's own queue by the time each contact is due, agreed and first ones alike. No index has it:
 * a first one follows from the stage. A person has as many cases as their limit allows, and all are sorted.
 */
const OWN_ORDER = `${NEXT_DUE} nulls first, c.outstanding desc, c.id`

const SORTABLE: Sorts = {
  caseId: notNull('c.id'),
  orderId: notNull('c.order_id'),
  userId: notNull('c.customer_id'),
  stageId: notNull('c.overdue_days'),
  overdueDays: notNull('c.overdue_days'),
  amountDue: 'c.amount_due',
  paidAmount: 'c.paid_amount',
  outstanding: notNull('c.outstanding'),
  state: 'c.state',
  agencyName: 'c.agency_id',
  groupName: 'c.group_id',
  collectorName: 'c.collector_id',
  allocationTime: 'c.allocated_at',
  followCount: 'c.follow_count',
  lastContactResult: 'c.last_contact_result',
  lastWillingness: 'c.last_willingness',
  lastFollowTime: 'c.last_follow_at',
  nextFollowTime: 'c.next_follow_at',
  commitmentTime: 'c.commitment_at',
  ptpTime: 'c.ptp_at',
  ptpAmount: 'c.ptp_amount',
  ptpState: 'c.ptp_state',
  brokenCount: 'c.broken_count',
  endTime: 'c.ended_at',
  endReason: 'c.end_reason',
  recovered: 'c.recovered',
  intimatedAt: 'c.intimated_at',
}

function sortsOf(tab: Tab): Sorts {
  const sorts = tab === 'ended' ? { ...SORTABLE, endTime: notNull('c.ended_at') } : SORTABLE
  return Object.fromEntries(Object.entries(sorts).filter(([field]) => isCaseSort(tab, field)))
}

/**
 * @throws Problem G403 for a tab whose screen the caller does not have, G-FIELD for an unknown filter
 * or sort
 */
export async function caseList(
  db: Db,
  actor: StaffActor,
  secrets: Secrets,
  input: Input,
): Promise<JsonText> {
  if (!actor.rights.permissions.has(CODE_OF[input.tab])) throw new Problem(FORBIDDEN)
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const skip = ((input.pageNum ?? 1) - 1) * size
  // a case that left is shown as it left: the caller must not see later facts of its order
  const left =
    input.tab === 'ended' && input.reduceState === undefined && input.proofState === undefined
      ? endedAndLeft(actor)
      : null
  const source = left ?? sql`collection_case c`
  const onPage =
    left === null
      ? sql`page x join collection_case c on c.id = x.id`
      : endedAndLeft(actor, sql`(select x.id from page x)`)
  const shown =
    left === null
      ? sql<boolean>`${tabOf(input.tab, input.state)} and ${casesInScope(actor)}`
      : sql<boolean>`true`
  const where = sql<boolean>`${sql.join([shown, ...filtersOf(input, secrets)], sql` and `)}`
  const order = orderOf(actor, input)
  // open cases are counted to the last; of the past as many as a total says
  const most = input.tab === 'ended' ? sql`limit ${cap + 1}` : sql``
  const stages = sql`
    select c.stage_id, count(*)::int as cases, sum(c.outstanding)::bigint as outstanding
      from collection_case c where ${tabOf(input.tab, undefined)} and ${casesInScope(actor)}
      group by c.stage_id`
  const { rows } = await sql<{ answer: string }>`
    with sums as (
      select count(*)::int as n, coalesce(sum(c.outstanding), 0)::bigint as outstanding
      from (select c.outstanding from ${source} where ${where} ${most}) c
    ), page as (
      select c.id from ${source} where ${where} order by ${order} limit ${size} offset ${skip}
    )
    select json_build_object(
      'rows', coalesce((select json_agg(${left === null ? caseRowJson : leftRowJson} order by ${order})
        from ${onPage} ${CASE_ROW_JOINS}), '[]'),
      'total', least(s.n, ${cap}::int), 'totalCapped', s.n > ${cap}, 'asOf',
        ${isoTime('clock_timestamp()')}, 'totals', case when ${input.tab !== 'ended'} or s.n <= ${cap}
        then json_build_object('cases', s.n, 'outstanding', s.outstanding) end,
      'stages', ${
        input.tab === 'ended'
          ? sql`'[]'::json`
          : sql`
        (
          select coalesce(
            json_agg(
              json_build_object('stageId', t.stage_id, 'cases', t.cases, 'outstanding', t.outstanding)
              order by g.min_days
            ),
            '[]'
          )
          from (${stages}) t
          join stage g on g.stage_id = t.stage_id
        )`
      }
    )::text as answer
    from sums s`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}

function orderOf({ rights }: StaffActor, { tab, sort }: Input): RawBuilder<unknown> {
  if (sort !== undefined) return sortOf(sort, sortsOf(tab), '', 'c.id')
  return sql.raw(tab === 'toFollow' && rights.scope === 'own' ? OWN_ORDER : DEFAULT_ORDER[tab])
}

/** Held cases are hidden; a filter that names them shows them, except those a person ended. */
function tabOf(tab: Tab, state: string | undefined): RawBuilder<boolean> {
  switch (tab) {
    case 'toAllocate':
      return sql<boolean>`c.state in ('unallocated', 'allocating')`
    case 'toFollow':
      return state?.split(',').includes('held') === true
        ? sql<boolean>`(c.state in ('allocated', 'promised') or (c.state = 'held' and c.end_reason is null))`
        : sql<boolean>`c.state in ('allocated', 'promised')`
    case 'ended':
      return sql<boolean>`c.ended_at is not null`
  }
}

export function viewOf(view: View): RawBuilder<boolean> {
  switch (view) {
    case 'dueNow':
      return sql<boolean>`(c.next_follow_at is null or c.next_follow_at <= ${NOW})`
    case 'promisesToday':
      return sql<boolean>`
        (c.ptp_state = 'open' and c.ptp_at >= ${IST_MIDNIGHT}
          and c.ptp_at < ${IST_MIDNIGHT} + interval '1 day')`
    case 'broken':
      return sql<boolean>`c.ptp_state = 'broken'`
    case 'newToday':
      return sql<boolean>`c.allocated_at >= ${IST_MIDNIGHT}`
    case 'notContacted':
      return sql.raw<boolean>(NOT_CONTACTED)
    case 'paidPartly':
      return sql<boolean>`c.paid_amount > 0`
  }
}

function filtersOf(input: Input, secrets: Secrets): RawBuilder<boolean>[] {
  const { all: filters, add } = filterClauses()
  add(input.caseId, (id) => sql`c.id = ${id}`)
  add(input.orderId, (id) => sql`c.order_id = ${id}`)
  add(input.userId, (id) => sql`c.customer_id = ${id}`)
  add(input.userName, (name) => sql`c.customer_id = ${customersNamed(name)}`)
  // one lookup per app: the index begins with it
  add(
    input.phone,
    (phone) =>
      sql`
        c.customer_id in (select u.id from app x join customer u on u.app_id = x.id
          where u.phone_h = ${secrets.blindIndex('phone', phone)})`,
  )
  add(input.stageId, (ids) => isOneOf('c.stage_id', ids, 'text'))
  add(input.state, (states) => sql`c.state = any(${known('state', states, CASE_STATES)}::text[])`)
  add(input.agencyId, (id) => sql`c.agency_id = ${id}`)
  add(input.departmentId, (id) => sql`c.department_id = ${id}`)
  add(input.groupId, (id) => sql`c.group_id = ${id}`)
  add(input.collectorId, (id) => sql`c.collector_id = ${id}`)
  add(input.overdueFrom, (days) => sql`c.overdue_days >= ${days}`)
  add(input.overdueTo, (days) => sql`c.overdue_days <= ${days}`)
  add(input.amountFrom, (amount) => sql`c.outstanding >= ${amount}`)
  add(input.amountTo, (amount) => sql`c.outstanding <= ${amount}`)
  add(
    input.ptpState,
    (states) => sql`c.ptp_state = any(${known('ptpState', states, PTP_STATES)}::text[])`,
  )
  add(input.contactResult, (results) => isOneOf('c.last_contact_result', results, 'int'))
  add(input.willingness, (levels) => isOneOf('c.last_willingness', levels, 'int'))
  add(input.neverContacted, (never) => (never ? sql`c.follow_count = 0` : sql`c.follow_count > 0`))
  // the few orders that have one are read first
  add(
    input.reduceState,
    (state) =>
      sql`
        (c.order_id in (select r.order_id from reduction r where r.state = ${state})
          and ${REDUCE_STATE} = ${state})`,
  )
  add(
    input.proofState,
    (state) =>
      sql`
        (c.order_id in (select p.order_id from repay_proof p where p.state = ${state})
          and ${PROOF_STATE} = ${state})`,
  )
  add(input.endReason, (reason) => sql`c.end_reason = ${reason}`)
  add(input.view, viewOf)
  const ranges = [
    ['c.ptp_at', input.ptpTimeFrom, input.ptpTimeTo],
    ['c.next_follow_at', input.nextFollowFrom, input.nextFollowTo],
    ['c.allocated_at', input.allocationTimeFrom, input.allocationTimeTo],
    ['c.ended_at', input.endTimeFrom, input.endTimeTo],
  ] as const
  for (const [column, from, to] of ranges) {
    add(from, (time) => sql`${sql.raw(column)} >= ${time}::timestamptz`)
    add(to, (time) => sql`${sql.raw(column)} <= ${time}::timestamptz`)
  }
  return filters
}

/** @throws Problem G-FIELD for a word outside the set */
function known(field: string, given: string, set: readonly string[]): string[] {
  const words = given.split(',')
  if (words.some((word) => !set.includes(word)))
    throw new Problem(INVALID_FIELDS, {}, { fields: { [field]: 'enum' } })
  return words
}
