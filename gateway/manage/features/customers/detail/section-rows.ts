/** Rows of other features for the customer page, newest first, each within the caller's scope. */
import { type RawBuilder, sql } from 'kysely'
import { MOST_ROWS } from '#shared/customers/customer-sets.ts'
import { ORDER_VIEWERS } from '#shared/orders/order-viewers.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { casesInScope } from '#gateway/manage/features/collection/case-scope.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { reviewsInScope } from '#gateway/manage/features/review/review-scope.ts'
import { ticketQueues, ticketsInScope } from '#gateway/manage/features/tickets/ticket-scope.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { BLACKLIST_ROW } from '../lists/blacklist-list.ts'

export const RECORD_SECTIONS = [
  'review',
  'orders',
  'plans',
  'records',
  'cases',
  'tickets',
  'blacklist',
  'messages',
  'timeline',
] as const
type RecordSection = (typeof RECORD_SECTIONS)[number]

/** The section as its contract defines it. The caller has checked customer and section. */
export async function sectionRows(
  db: Db,
  actor: StaffActor,
  customerId: string,
  section: RecordSection,
): Promise<unknown> {
  const { rows } = await sql<{
    found: unknown
  }>`select ${SECTIONS[section](customerId, actor)} as found`.execute(db)
  return (rows[0] as { found: unknown }).found
}

/** Surplus of payments by the ledger, over the orders the caller may see. */
export async function creditLeft(db: Db, actor: StaffActor, customerId: string): Promise<number> {
  const { rows } = await sql<{ credit: number }>`
    select coalesce(sum(e.credit - e.debit), 0)::bigint as credit from ledger_entry e
      join loan_order o on o.id = e.order_id
    where o.customer_id = ${customerId} and e.account = 'customerCredit' and ${ordersInScope(actor)}`.execute(
    db,
  )
  return rows[0]?.credit ?? 0
}

const SECTIONS: Readonly<
  Record<RecordSection, (customerId: string, actor: StaffActor) => RawBuilder<unknown>>
> = {
  review: (id, actor) =>
    listOf(
      sql`
        json_build_object('reviewId', r.id, 'orderId', r.order_id, 'state', r.state, 'machineState',
          r.machine_state, 'machineTime', ${isoTime('r.machine_at')}, 'needManual', r.need_manual,
          'manualResult', r.manual_result,
      'rejectCode', r.reject_code, 'reviewerName', r.reviewer_name, 'queuedTime', ${isoTime('r.queued_at')},
        'finishTime', ${isoTime('r.finished_at')}, 'mayOpen',
        ${mayOpen(actor, ['review_list'], reviewsInScope(actor))})`,
      sql`from review r where r.customer_id = ${id}`,
      'r.id desc',
    ),
  orders: (id, actor) =>
    listOf(
      sql`
        json_build_object('orderId', o.id, 'status', o.status, 'tags', o.tags, 'productName', p.name,
          'appName', a.name, 'channelName', h.name, 'amount', o.amount, 'arrivalAmount', o.arrival_amount,
          'serviceCharge', o.service_charge,
      'interest', o.interest, 'contractAmount', o.contract_amount, 'tenureDays', o.tenure_days, 'term',
        o.term, 'failReason', o.fail_reason, 'closeType', o.close_type, 'outstanding', o.outstanding,
        'overdueDays', o.overdue_days, 'dueTime', o.due_at::text,
      'createTime', ${isoTime('o.created_at')}, 'disburseTime', ${isoTime('o.disbursed_at')}, 'closeTime',
        ${isoTime('o.closed_at')}, 'mayOpen', ${mayOpen(actor, ORDER_VIEWERS, ordersInScope(actor))},
      'reviewId', (select r.id from review r where r.order_id = o.id
        and ${mayOpen(actor, ['review_list'], reviewsInScope(actor))} order by r.created_at desc limit 1))`,
      sql`
        from loan_order o join product p on p.id = o.product_id join app a on a.id = o.app_id
          join channel h on h.id = o.channel_id where o.customer_id = ${id}`,
      'o.created_at desc, o.id desc',
    ),
  plans: (id, actor) =>
    listOf(
      sql`
        json_build_object('planId', p.id, 'orderId', p.order_id, 'serialNo', p.serial_no, 'dueTime',
          p.due_at::text, 'amountDue', p.principal + p.interest + p.service_fee + p.overdue_fine,
          'overdueFine', p.overdue_fine, 'kind', case when p.called_in_on = p.due_at then 'calledIn'
          else p.kind end,
      'paidAmount', p.paid_amount, 'outstanding', p.outstanding, 'paymentStatus', p.payment_status,
        'overdueDays', p.overdue_days)`,
      sql`
        from repay_plan p join loan_order o on o.id = p.order_id where o.customer_id = ${id}
          and ${ordersInScope(actor)}`,
      'p.due_at desc, p.serial_no desc',
    ),
  records: (id, actor) =>
    listOf(
      sql`
        json_build_object('recordId', r.id, 'orderId', r.order_id, 'planId', r.plan_id, 'amount', r.amount,
          'payState', r.pay_state, 'repaymentType', r.repayment_type, 'payTime', ${isoTime('r.paid_at')},
          'channel', r.channel,
      'utr', r.utr, 'upi', r.upi_masked, 'flag', r.flag, 'operatorName', r.operator_name, 'reversedTime',
        ${isoTime('r.reversed_at')})`,
      sql`
        from repay_record r where r.customer_id = ${id}
          and (${actor.rights.scope === 'all'}
          or r.order_id in (select o.id from loan_order o where o.customer_id = ${id}
          and ${ordersInScope(actor)}))`,
      'r.paid_at desc, r.id desc',
    ),
  cases: (id, actor) => sql`json_build_object(
    'cases', ${listOf(
      sql`
        json_build_object('caseId', c.id, 'orderId', c.order_id, 'stageId', c.stage_id, 'state', c.state,
          'overdueDays', c.overdue_days, 'outstanding', c.outstanding,
        'collectorName', (select u.user_name from sys_user u
          where u.id = c.collector_id), 'allocationTime', ${isoTime('c.allocated_at')}, 'ptpTime',
          ${isoTime('c.ptp_at')}, 'ptpAmount', c.ptp_amount, 'ptpState', c.ptp_state,
        'endTime', ${isoTime('c.ended_at')})`,
      sql`from collection_case c where c.customer_id = ${id} and ${casesInScope(actor)}`,
      'c.created_at desc, c.id desc',
    )},
    'follows', ${listOf(
      sql`
        json_build_object('followId', f.id, 'caseId', f.case_id, 'createTime', ${isoTime('f.created_at')},
          'contactWay', f.contact_way, 'reachable', f.reachable, 'contactResult', f.contact_result,
          'willingness', f.willingness,
        'ptpTime', ${isoTime('f.ptp_at')}, 'ptpAmount', f.ptp_amount, 'remark', f.remark, 'operatorName',
          u.user_name)`,
      sql`
        from follow_up f join sys_user u on u.id = f.operator_id join collection_case c on c.id = f.case_id
          where f.customer_id = ${id} and ${casesInScope(actor)}`,
      'f.created_at desc, f.id desc',
    )})`,
  tickets: (id, actor) =>
    listOf(
      sql`
        json_build_object('feedbackId', t.id, 'type', t.type, 'queue', t.queue, 'progress', t.progress,
          'level', t.level, 'orderId', t.order_id, 'processorName', t.processor_name, 'createTime',
          ${isoTime('t.created_at')},
      'dueTime', ${isoTime('t.due_at')}, 'finishTime', ${isoTime('t.finished_at')})`,
      sql`from feedback t where t.customer_id = ${id} and ${ticketsInScope(actor)}`,
      't.created_at desc, t.id desc',
    ),
  blacklist: (id) =>
    listOf(
      BLACKLIST_ROW,
      sql`from blacklist b join customer c on c.id = b.customer_id where b.customer_id = ${id}`,
      'b.created_at desc, b.id desc',
    ),
  // a message is shown only to users who may see its subject: the case, or the ticket
  messages: (id, actor) =>
    listOf(
      sql`
        json_build_object('messageId', m.id::text, 'time', ${isoTime('m.at')}, 'template', m.template,
          'way', m.way, 'recipient', m.sent_to, 'state', m.state)`,
      sql`from message_log m left join collection_case c on c.id = m.case_id
      where m.customer_id = ${id} and (m.case_id is null or ${casesInScope(actor)})
        and (m.template not in ('ticketAnswered', 'ticketEnded')
        or ${actor.rights.scope === 'all' && ticketQueues(actor).length > 0})`,
      'm.at desc, m.id desc',
    ),
  timeline: (id, actor) => sql`(
    select coalesce(json_agg(json_build_object('time', ${isoTime('s.at')}, 'kind', s.kind, 'ref', s.ref,
      'code', s.code, 'by', s.by) order by s.at desc), '[]')
    from (
      select e.at, e.kind, e.ref, e.code, e.by from (
        select c.registered_at as at, 'registered' as kind, c.id as ref, null as code, null as by
          from customer c where c.id = ${id}
        union all select l.at, 'order', l.order_id, l.to_status::text, l.by_name from loan_order o
          join order_status_log l on l.order_id = o.id where o.customer_id = ${id}
        union all select b.created_at, 'listed', b.id, b.source, (select u.user_name from sys_user u
          where u.id = b.operator_id) from blacklist b where b.customer_id = ${id}
        union all select b.ended_at, 'unlisted', b.id, b.source, (select u.user_name from sys_user u
          where u.id = b.ended_by) from blacklist b where b.customer_id = ${id} and b.ended_at is not null
        union all select t.created_at, 'ticket', t.id, t.type::text, null from feedback t
          where t.customer_id = ${id} and ${ticketsInScope(actor)}
      ) e order by e.at desc limit ${MOST_ROWS}
    ) s)`,
}

function listOf(
  row: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  order: string,
): RawBuilder<unknown> {
  return sql`
    (select coalesce(json_agg(x.row), '[]')
      from (select ${row} as row ${from} order by ${sql.raw(order)} limit ${MOST_ROWS}) x)`
}

/** Whether the caller has a menu that opens the record, and the record is in scope. */
function mayOpen(
  { rights }: StaffActor,
  menus: readonly string[],
  inScope: RawBuilder<boolean>,
): RawBuilder<boolean> {
  return menus.some((menu) => rights.permissions.has(`${menu}:view`))
    ? inScope
    : sql<boolean>`false`
}
