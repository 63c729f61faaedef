/** Recovery bills and reduction bills of the range, each list in one statement with its sum. */
import { type RawBuilder, sql } from 'kysely'
import type { listBills, listReductionBills } from '#shared/collection/figures-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  countedTo,
  isoTime,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { IST_MIDNIGHT } from '../cases/case-row.ts'
import {
  BILL_PLACE,
  checkRange,
  factsInScope,
  inRange,
  inUnits,
  type PlaceColumns,
} from './figure-parts.ts'

const BILL_SORTS: Sorts = {
  payTime: notNull('b.paid_at'),
  billId: notNull('b.id'),
  recordId: 'b.record_id',
  orderId: 'b.order_id',
  stageId: 'b.overdue_days',
  overdueDays: 'b.overdue_days',
  amount: 'b.amount',
  principal: 'b.principal',
  fees: 'b.fees',
  channel: 'b.channel',
  agencyName: 'b.agency_id',
  groupName: 'b.group_id',
  collectorName: 'b.collector_id',
  commission: 'b.commission',
}

/** @throws Problem G-FIELD for an invalid range of days or an unknown sort */
export async function billList(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof listBills>,
): Promise<JsonText> {
  checkRange(input)
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const filters = [
    inRange('b.paid_at', input),
    factsInScope(actor, BILL_PLACE),
    inUnits(BILL_PLACE, input),
    ...(input.recordId === undefined ? [] : [sql`b.record_id = ${input.recordId}`]),
    ...(input.orderId === undefined ? [] : [sql`b.order_id = ${input.orderId}`]),
    ...(input.channel === undefined ? [] : [sql`b.channel = ${input.channel}`]),
  ]
  const where = sql.join(filters, sql` and `)
  const order =
    input.sort === undefined
      ? sql.raw('b.paid_at desc, b.id desc')
      : sortOf(input.sort, BILL_SORTS, '', 'b.id')
  const { rows } = await sql<{ answer: string }>`
    with sums as (
      select count(*)::int as n, coalesce(sum(b.amount), 0)::bigint as amount, coalesce(sum(b.principal),
        0)::bigint as principal, coalesce(sum(b.fees), 0)::bigint as fees, coalesce(sum(b.commission),
        0)::bigint as commission from recovery_bill b where ${where}
    ), page as (
      select b.id from recovery_bill b where ${where} order by ${order}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    )
    select json_build_object(
      'rows', coalesce((
        select json_agg(json_build_object('billId', b.id, 'recordId', b.record_id, 'orderId', b.order_id,
          'caseId', b.case_id, 'userName', c.name, 'stageId', b.stage_id, 'overdueDays', b.overdue_days,
          'amount', b.amount, 'principal', b.principal, 'fees', b.fees,
          'channel', b.channel, 'payTime', ${isoTime('b.paid_at')}, 'agencyName', a.name, 'groupName',
            g.name, 'collectorId', b.collector_id, 'collectorName', u.user_name, 'extension', b.extension,
            'commission', b.commission) order by ${order})
        from page x join recovery_bill b on b.id = x.id join customer c on c.id = b.customer_id left
          join agency a on a.id = b.agency_id left join team_group g on g.id = b.group_id left
          join sys_user u on u.id = b.collector_id), '[]'),
      'total', least(s.n, ${cap}::int), 'totalCapped', s.n > ${cap}, 'asOf', ${isoTime('clock_timestamp()')},
      'sum', json_build_object('bills', s.n, 'amount', s.amount, 'principal', s.principal, 'fees', s.fees,
        'commission', s.commission))::text as answer
    from sums s`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}

/** Recovered today in the caller's scope, paise: equals today's bills and today's performance. */
export function recoveredToday(actor: StaffActor): RawBuilder<number> {
  return recoveredTodayOf(factsInScope(actor, BILL_PLACE))
}

/** @param bills which bills `b` count */
export function recoveredTodayOf(bills: RawBuilder<boolean>): RawBuilder<number> {
  return sql<number>`
    (select coalesce(sum(b.amount), 0)::bigint from recovery_bill b where ${bills}
      and b.paid_at >= ${IST_MIDNIGHT} and b.paid_at < ${IST_MIDNIGHT} + interval '1 day')`
}

const REDUCTION_PLACE: PlaceColumns = {
  agency: 'd.agency_id',
  department: 'd.department_id',
  group: 'd.group_id',
  collector: 'd.collector_id',
  stage: 'd.stage_id',
}
/** Basis points of the role's cap, rounded half up. */
const CAP_USE = 'round(d.reduce_amount::numeric * 10000 / d.cap_amount)::int'
const REDUCTION_SORTS: Sorts = {
  launchTime: 'd.launched_at',
  reduceId: 'd.id',
  orderId: 'd.order_id',
  stageId: 'd.stage_id',
  amountDue: 'd.amount_due',
  reduceAmount: 'd.reduce_amount',
  usedAmount: 'd.used_amount',
  recoveredAmount: 'd.recovered_amount',
  capUse: CAP_USE,
  state: 'd.state',
  usedTime: 'd.used_at',
  agencyName: 'd.agency_id',
  groupName: 'd.group_id',
  collectorName: 'd.collector_id',
}

/**
 * By the day a reduction was launched.
 * @throws Problem G-FIELD for an invalid range of days or an unknown sort
 */
export async function reductionBillList(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof listReductionBills>,
): Promise<JsonText> {
  checkRange(input)
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const filters = [
    inRange('d.launched_at', input),
    factsInScope(actor, REDUCTION_PLACE),
    inUnits(REDUCTION_PLACE, input),
    ...(input.reduceId === undefined ? [] : [sql`d.id = ${input.reduceId}`]),
    ...(input.orderId === undefined ? [] : [sql`d.order_id = ${input.orderId}`]),
    ...(input.state === undefined ? [] : [sql`d.state = ${input.state}`]),
  ]
  const where = sql.join(filters, sql` and `)
  const order =
    input.sort === undefined
      ? sql.raw('d.launched_at desc, d.id desc')
      : sortOf(input.sort, REDUCTION_SORTS, '', 'd.id')
  const { rows } = await sql<{ answer: string }>`
    with sums as (
      select count(*)::int as n, coalesce(sum(d.reduce_amount), 0)::bigint as reduced,
        coalesce(sum(d.used_amount), 0)::bigint as used, coalesce(sum(d.recovered_amount),
        0)::bigint as recovered from reduction d where ${where}
    ), page as (
      select d.id from reduction d where ${where} order by ${order}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    )
    select json_build_object(
      'rows', coalesce((
        select json_agg(json_build_object('reduceId', d.id, 'orderId', d.order_id, 'caseId', d.case_id,
          'userName', c.name, 'stageId', d.stage_id, 'amountDue', d.amount_due, 'reduceAmount',
          d.reduce_amount, 'usedAmount', d.used_amount,
          'recoveredAmount', d.recovered_amount, 'capUse', ${sql.raw(CAP_USE)}, 'state', d.state, 'cause',
            d.cause, 'launchBy', d.launched_by_name, 'launchTime', ${isoTime('d.launched_at')}, 'decideBy',
            d.decided_by_name, 'usedTime', ${isoTime('d.used_at')},
          'agencyName', a.name, 'groupName', g.name, 'collectorId', d.collector_id, 'collectorName',
            u.user_name) order by ${order})
        from page x join reduction d on d.id = x.id join customer c on c.id = d.customer_id left
          join agency a on a.id = d.agency_id left join team_group g on g.id = d.group_id left
          join sys_user u on u.id = d.collector_id), '[]'),
      'total', least(s.n, ${cap}::int), 'totalCapped', s.n > ${cap}, 'asOf', ${isoTime('clock_timestamp()')},
      'sum', json_build_object('reductions', s.n, 'reduceAmount', s.reduced, 'usedAmount', s.used,
        'recoveredAmount', s.recovered))::text as answer
    from sums s`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}
