import { type RawBuilder, sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { orderDetail, orderTimeline } from '#shared/orders/order-detail-api.ts'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { casesInScope } from '#gateway/manage/features/collection/case-scope.ts'
import { ordersInScope } from './order-scope.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import type { AllowedFacts } from './allowed-events.ts'
import { maskedPhone } from './order-columns.ts'
import { ORDER_ROW_JOINS, orderRowJson } from './order-row.ts'
import { penaltyOfOrder } from './order-terms.ts'

type Detail = DataOf<typeof orderDetail>
const CASE_VIEWS = ['pedding_list:view', 'peded_list:view'] as const
/** As stored; derived values are excluded. */
export type OrderLife = Omit<Detail, 'allowed' | 'terms'> & {
  terms: Omit<Detail['terms'], 'apr'>
  facts: AllowedFacts
}

/** Orders of the customer are counted here; settlements as on the customer's page. */
const customerJson = sql`json_build_object(
  'userId', c.id, 'name', c.name, 'phone', ${maskedPhone('c')}, 'city', c.city, 'postcode', c.postcode,
    'customerClass', c.customer_class, 'certified', c.certified, 'blacklisted', c.blacklisted,
  'orderCount', (select count(*) from loan_order n
    where n.customer_id = c.id), 'settlementCount', c.settlement_count)`

const plansJson = listOf(
  sql`json_build_object(
    'planId', x.id, 'orderId', x.order_id, 'serialNo', x.serial_no, 'dueTime', x.due_at::text, 'amountDue',
      x.principal + x.interest + x.service_fee + x.overdue_fine, 'principal', x.principal, 'interest',
      x.interest,
    'serviceFee', x.service_fee - x.bounce_charges, 'bounceCharge', x.bounce_charges, 'kind',
      case when x.called_in_on = x.due_at then 'calledIn' else x.kind end,
      'overdueFine', x.overdue_fine, 'reducedFees', x.reduced_fees, 'paidAmount',
      x.paid_amount, 'outstanding', x.outstanding, 'paymentStatus', x.payment_status, 'overdueDays',
      x.overdue_days,
    'actualRepaymentTime', ${isoTime('x.actual_repayment_at')}, 'version', x.version)`,
  sql`repay_plan x`,
  sql`x.due_at, x.serial_no`,
)

const transfersJson = listOf(
  sql`json_build_object(
    'transferId', x.id, 'orderId', x.order_id, 'platformOrderNo', x.platform_order_no, 'vendorOrderNo',
      x.vendor_order_no, 'vendorCode', x.vendor_code, 'payeeName', x.payee_name, 'transferType',
      x.transfer_type,
    'account', 'XXXXXX' || x.account_last4, 'amount', x.amount, 'payState', x.pay_state, 'attemptNo',
      x.attempt_no, 'failTime', ${isoTime('x.fail_at')}, 'failReason', x.fail_reason, 'waitReason',
      x.wait_reason, 'handlingMethod', x.handling_method,
    'utr', x.utr, 'createTime', ${isoTime('x.created_at')}, 'finishTime', ${isoTime('x.finished_at')},
      'conflict', x.conflict, 'conflictTime', ${isoTime('x.conflict_at')}, 'conflictOutcome',
      x.conflict_outcome, 'strayOpen', x.stray_open,
      'lostTime', ${isoTime('x.lost_at')},
      'lateTime', ${isoTime('x.late_at')}, 'version', x.version)`,
  sql`payout_transfer x`,
  sql`x.attempt_no desc`,
)

const ledgerJson = listOf(
  sql`
    json_build_object('txnId', x.txn_id, 'time', ${isoTime('x.at')}, 'day', x.biz_date::text, 'kind',
      x.kind, 'account', x.account, 'serialNo', (select p.serial_no from repay_plan p where p.id = x.plan_id),
      'debit', x.debit, 'credit', x.credit)`,
  sql`ledger_entry x`,
  sql`x.id`,
)

const remarksJson = listOf(
  sql`json_build_object('time', ${isoTime('x.at')}, 'by', x.by_name, 'remark', x.remark)`,
  sql`order_remark x`,
  sql`x.at desc, x.id desc`,
)

const EXTENSION = sql`
  'extension', (select json_build_object('fee', x.fee, 'commission', x.commission, 'days', x.days,
    'newOrderId', x.new_order_id) from extension x where x.order_id = o.id),
  'fromOrderId', o.from_order_id, 'extensionNo', (select x.serial_no from extension x
    where x.new_order_id = o.id)`

/**
 * The newest plan. If running: the reduction of the debt so far; otherwise: the reduction at its
 * end.
 */
const SETTLEMENT = sql`
  'settlement', (select json_build_object('settlementId', x.id, 'approvalId', x.approval_id, 'state',
    x.state, 'asOf', x.as_of::text, 'total', x.total, 'paid', coalesce(x.paid, x.total - o.outstanding),
    'rows', x.rows, 'startTime', ${isoTime('x.started_at')}, 'endTime', ${isoTime('x.ended_at')})
    from settlement_plan x where x.order_id = o.id order by x.started_at desc limit 1)`

const factsJson = (actor: StaffActor) => sql`json_build_object(
  'insideCoolingOff', coalesce(o.cooling_off_until > clock_timestamp(), false),
  'paymentToConfirm', exists (select from repay_record x where x.order_id = o.id
    and x.pay_state = 'inProgress' and x.operator_id is distinct from ${actor.userId}))`

/**
 * The newest case: the open one, else the one that ended last. The alias `c` is what the case scope
 * expects.
 */
function caseOf(actor: StaffActor): RawBuilder<unknown> {
  if (!CASE_VIEWS.some((code) => actor.rights.permissions.has(code))) return sql`null`
  return sql`
    (select c.id from collection_case c where c.order_id = o.id and ${casesInScope(actor)}
      order by (c.state = 'closed'), c.created_at desc limit 1)`
}

/** The machine's refusal reason. */
const REFUSAL = sql`
  case when o.refusal_code is not null then json_build_object('code', o.refusal_code, 'coolDownUntil',
    o.cool_down_until::text) end`

const termsJson = sql`json_build_object(
  'serviceRate', (o.product_snapshot ->> 'serviceRate')::int, 'dailyRate',
    (o.product_snapshot ->> 'dailyRate')::int, 'penalty', ${penaltyOfOrder},
  'periods', (o.product_snapshot ->> 'periods')::int, 'daysPerPeriod',
    (o.product_snapshot ->> 'daysPerPeriod')::int, 'coolingOffDays',
    (o.product_snapshot ->> 'coolingOffDays')::int,
  'emi', o.product_snapshot -> 'emi')`

/**
 * One order with its whole history in one statement. Ledger and notes are included only for the
 * lender's own staff. Null when the order is missing or outside the caller's scope.
 */
export async function findOrderLife(
  db: Db,
  actor: StaffActor,
  orderId: string,
): Promise<OrderLife | null> {
  const { rows } = await sql<{ data: OrderLife }>`
    select json_build_object(
      'order', ${orderRowJson}, 'customer', ${customerJson}, 'refusal', ${REFUSAL},
        'closeAmountType', o.close_amount_type, 'terms', ${termsJson},
        'plans', ${plansJson}, 'transfers', ${transfersJson}, 'ledger', ${ofHouse(actor, ledgerJson)},
        'remarks', ${ofHouse(actor, remarksJson)},
      'facts', ${factsJson(actor)}, 'caseId', ${caseOf(actor)}, 'withheld',
        ${JSON.stringify(actor.rights.isOutside ? ['ledger', 'remarks'] : [])}::json, ${EXTENSION},
        ${SETTLEMENT}
    ) as data
    from loan_order o ${ORDER_ROW_JOINS} where o.id = ${orderId} and ${ordersInScope(actor)}`.execute(
    db,
  )
  return rows[0]?.data ?? null
}

/**
 * Status changes, oldest first; an outside agency gets them without notes. Null when the order is
 * missing or outside the caller's scope.
 */
export async function findTimeline(
  db: Db,
  actor: StaffActor,
  orderId: string,
): Promise<DataOf<typeof orderTimeline> | null> {
  const note = actor.rights.isOutside ? sql`null` : sql`x.note`
  const changes = listOf(
    sql`json_build_object(
      'time', ${isoTime('x.at')}, 'from', x.from_status, 'to', x.to_status,
      'by', x.by_name, 'cause', x.cause, 'note', ${note})`,
    sql`order_status_log x`,
    sql`x.at, x.id`,
  )
  const { rows } = await sql<{
    data: DataOf<typeof orderTimeline>
  }>`select ${changes} as data from loan_order o where o.id = ${orderId} and ${ordersInScope(actor)}`.execute(
    db,
  )
  return rows[0]?.data ?? null
}

/** Whether the order exists within the caller's scope. */
export async function isOrderInScope(db: Db, actor: StaffActor, orderId: string): Promise<boolean> {
  return (await ordersSeen(db, actor, [orderId])).length === 1
}

/** Those of the orders that exist within the caller's scope. */
export async function ordersSeen(
  db: Db,
  actor: StaffActor,
  orderIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select o.id from loan_order o where o.id = ${anyOf(orderIds)} and ${ordersInScope(actor)}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** A list for the lender's own staff; empty for others. */
function ofHouse(actor: StaffActor, list: RawBuilder<unknown>): RawBuilder<unknown> {
  return actor.rights.isOutside ? sql`'[]'::json` : list
}

/** Rows `x` of a table that belong to order `o`, as a JSON array. */
function listOf(
  row: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(${row} order by ${order}), '[]') from ${from} where x.order_id = o.id)`
}
