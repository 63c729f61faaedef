/** One case with everything needed to contact the borrower and record it, in one statement. */
import { type RawBuilder, sql } from 'kysely'
import { caseLifecycle, type CaseEventType } from '#shared/collection/case-lifecycle.ts'
import type { caseDetail as call } from '#shared/collection/cases-api.ts'
import { contactGate } from '#shared/collection/contact-gate.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { casesInScope } from '../case-scope.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { voiceCallOf } from '#gateway/manage/features/voice-calls/public.ts'
import { ticketsInScope } from '#gateway/manage/features/tickets/ticket-scope.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { stopRowJson } from '../stops/stop-row.ts'
import { contactFacts } from '../work/contact-facts.ts'
import { busyLine } from '../work/line-left.ts'
import { whatsappOf } from '../work/whatsapp-way.ts'
import {
  CASE_ROW_JOINS,
  caseNoteJson,
  type CaseRow,
  caseRowJson,
  FOLLOW_ROW_JOINS,
  followRowJson,
  lastAttempt,
} from './case-row.ts'

type Detail = DataOf<typeof call>
type Stored = Omit<
  Detail,
  'allowed' | 'busyLine' | 'gate' | 'gateFacts' | 'harshWords' | 'limits' | 'whatsapp'
>

const FOLLOWS = sql`
  (select coalesce(json_agg(${followRowJson} order by f.created_at desc, f.id desc), '[]')
    from follow_up f ${FOLLOW_ROW_JOINS} where f.case_id = c.id)`
const NOTES = sql`
  (select coalesce(json_agg(${caseNoteJson} order by n.created_at desc, n.id desc), '[]')
    from case_note n join sys_user k on k.id = n.operator_id where n.case_id = c.id)`
const STOPS = sql`
  (select coalesce(json_agg(${stopRowJson} order by s.start_at desc), '[]') from stop_collection s
    where s.customer_id = c.customer_id)`
const ORDER = sql`
  json_build_object('orderId', o.id, 'status', o.status, 'amount', o.amount, 'contractAmount',
    o.contract_amount, 'outstanding', o.outstanding, 'dueTime', o.due_at::text, 'disburseTime',
    ${isoTime('o.disbursed_at')},
  'term', o.term, 'tags', o.tags, 'version', o.version)`
const PLANS = sql`(select coalesce(json_agg(json_build_object(
    'planId', y.id, 'orderId', y.order_id, 'serialNo', y.serial_no, 'dueTime', y.due_at::text, 'amountDue',
      y.principal + y.interest + y.service_fee + y.overdue_fine, 'principal', y.principal, 'interest',
      y.interest,
    'serviceFee', y.service_fee - y.bounce_charges, 'bounceCharge', y.bounce_charges, 'kind',
      case when y.called_in_on = y.due_at then 'calledIn' else y.kind end,
      'overdueFine', y.overdue_fine, 'reducedFees', y.reduced_fees, 'paidAmount',
      y.paid_amount, 'outstanding', y.outstanding, 'paymentStatus', y.payment_status, 'overdueDays',
      y.overdue_days,
    'actualRepaymentTime', ${isoTime('y.actual_repayment_at')}, 'version', y.version)
      order by y.due_at, y.serial_no), '[]') from repay_plan y where y.order_id = c.order_id)`
const PAYMENTS = sql`
  (select coalesce(json_agg(json_build_object('recordId', r.id, 'amount', r.amount, 'payTime',
    ${isoTime('r.paid_at')}, 'channel', r.channel, 'payState', r.pay_state, 'reversed',
    r.reversed_at is not null)
    order by r.paid_at desc, r.id desc), '[]') from repay_record r where r.order_id = c.order_id)`

/** @throws Problem G404 when it is missing or outside the caller's scope */
export async function caseDetail(db: Db, actor: StaffActor, caseId: string): Promise<Detail> {
  const { rows } = await sql<{ detail: Stored }>`
    select json_build_object(
      'case', ${caseRowJson}, 'customer', ${customerOf(actor)}, 'order', ${ORDER}, 'otherOrders',
        ${otherOrdersOf(actor)}, 'plans', ${PLANS}, 'payments', ${PAYMENTS}, 'links', ${linksOf(actor)},
        'reductions', ${reductionsOf(actor)}, 'follows', ${FOLLOWS}, 'notes', ${NOTES},
        'lastAttempt', ${lastAttemptOf(actor)}, 'openCall', ${openCallOf(actor)}, 'moves', ${movesOf(actor)},
      'stops', ${STOPS}, 'tickets', ${ticketsOf(actor)}) as detail
    from collection_case c ${CASE_ROW_JOINS} where c.id = ${caseId} and ${casesInScope(actor)}`.execute(
    db,
  )
  const stored = rows[0]?.detail
  if (!stored) throw new Problem(NOT_FOUND)
  const { now, facts, ptpMaxDays, ptpMaxBroken, harshWords } = await contactFacts(db, caseId)
  const refusal = contactGate(facts, { now, isBorrower: true })
  return {
    ...stored,
    allowed: allowedEvents(stored.case, actor),
    whatsapp: (await whatsappOf(db, actor)).way,
    busyLine: await busyLine(db, actor.userId, {
      kind: 'service',
      customerId: stored.customer.userId,
    }),
    gate:
      refusal === null
        ? null
        : { id: refusal.problem.id, params: refusal.params, openTime: refusal.openTime },
    gateFacts: { ...facts, noContact: [...facts.noContact], holidays: [...facts.holidays] },
    harshWords,
    limits: {
      perDay: facts.perDay,
      perWeek: facts.perWeek,
      gapMinutes: facts.gapMinutes,
      ptpMaxDays,
      ptpMaxBroken,
    },
  }
}

/** Tickets of the borrower that the caller may see, newest first. */
function ticketsOf(actor: StaffActor): RawBuilder<unknown> {
  return sql`
    (select coalesce(json_agg(json_build_object('feedbackId', t.id, 'type', t.type, 'progress', t.progress,
      'createTime', ${isoTime('t.created_at')}) order by t.id desc), '[]')
    from feedback t where t.customer_id = c.customer_id and ${ticketsInScope(actor)})`
}

/**
 * RBI circular of 12 Aug 2022: an outside agency gets what it needs to reach the borrower, and
 * nothing about the employer.
 */
function customerOf({ rights }: StaffActor): RawBuilder<unknown> {
  const company =
    rights.scope === 'all'
      ? sql`u.company_name`
      : sql`case when coalesce(a.in_house, false) then u.company_name end`
  return sql`
    json_build_object('userId', u.id, 'name', u.name, 'phone', 'XXXXXX' || u.phone_last4, 'language',
      u.language, 'company', ${company}, 'city', u.city, 'postcode', u.postcode)`
}

/** `o` of the inner query is another order than the case's. */
function otherOrdersOf(actor: StaffActor): RawBuilder<unknown> {
  return sql`
    (select coalesce(json_agg(json_build_object('orderId', o.id, 'status', o.status, 'amount', o.amount,
      'outstanding', o.outstanding, 'overdueDays', o.overdue_days) order by o.created_at desc), '[]')
    from loan_order o where o.customer_id = c.customer_id and o.id <> c.order_id
      and o.status in (30, 43, 50, 90) and ${ordersInScope(actor)})`
}

/** The name of the actor; names of another agency's staff are not shown. */
function nameOf({ rights }: StaffActor, userId: string, name: string): RawBuilder<unknown> {
  return rights.scope === 'all'
    ? sql.raw(name)
    : sql`
      case when exists (select 1 from sys_user w where w.id = ${sql.ref(userId)}
        and w.agency_id = ${rights.agencyId}) then ${sql.raw(name)} end`
}

function lastAttemptOf(actor: StaffActor): RawBuilder<unknown> {
  const name = '(select w.user_name from sys_user w where w.id = y.user_id)'
  return sql`
    (select json_build_object('time', ${isoTime('y.at')}, 'way', y.way, 'byRobot', y.user_id is null,
        'by', ${nameOf(actor, 'y.user_id', name)})
      from ${lastAttempt('c.customer_id')} y)`
}

/** A call that was begun and not recorded stays open, whichever page the person is on. */
function openCallOf({ userId }: StaffActor): RawBuilder<unknown> {
  return sql`
    (select json_build_object('callId', l.id, 'way', l.way, 'contactId', l.contact_id,
        'startTime', ${isoTime('l.started_at')}, 'exchange', ${voiceCallOf(sql`l.id`)})
      from (
        select y.id, y.way, y.contact_id, y.started_at from call_log y
        where y.case_id = c.id and y.user_id = ${userId} and y.kind = 'case'
          and y.way in ('phone', 'whatsapp')
        order by y.started_at desc limit 1
      ) l
      where not exists (select from follow_up f where f.call_id = l.id))`
}

function linksOf(actor: StaffActor): RawBuilder<unknown> {
  const isPaid = sql`
    exists (select 1 from repay_record r where r.vendor_order_no = x.id and r.order_id = x.order_id
      and r.pay_state = 'success' and r.reversed_at is null)`
  return sql`
    (select coalesce(json_agg(json_build_object('linkId', x.id, 'amount', x.amount, 'way', x.way, 'sentBy',
      ${nameOf(actor, 'x.sent_by', 'x.sent_by_name')}, 'createTime', ${isoTime('x.created_at')},
      'expireTime', ${isoTime('x.expires_at')},
      'state', case when ${isPaid} then 'paid' when x.state = 'sent'
        and x.expires_at <= clock_timestamp() then 'expired' else x.state end)
        order by x.created_at desc, x.id desc), '[]')
    from payment_link x where x.order_id = c.order_id)`
}

function reductionsOf(actor: StaffActor): RawBuilder<unknown> {
  return sql`
    (select coalesce(json_agg(json_build_object('reduceId', d.id, 'reduceAmount', d.reduce_amount,
      'payAmount', d.pay_amount, 'validUntil', d.valid_until::text, 'state', d.state, 'launchBy',
      ${nameOf(actor, 'd.launched_by', 'd.launched_by_name')},
      'launchTime', ${isoTime('d.launched_at')}) order by d.launched_at desc, d.id desc), '[]')
        from reduction d where d.order_id = c.order_id)`
}

/** Names of another agency's staff are not shown. */
function movesOf({ rights }: StaffActor): RawBuilder<unknown> {
  const name = (side: 'from' | 'to') => {
    const who = `
      coalesce(
        (select w.user_name from sys_user w where w.id = m.${side}_user_id),
        (select y.name from agency y where y.id = m.${side}_agency_id)
      )`
    return rights.scope === 'all'
      ? sql.raw(who)
      : sql`case when ${sql.ref(`m.${side}_agency_id`)} = ${rights.agencyId} then ${sql.raw(who)} end`
  }
  return sql`
    (select coalesce(json_agg(json_build_object('time', ${isoTime('m.at')}, 'cause', m.cause, 'from',
      ${name('from')}, 'to', ${name('to')}, 'fromStage', m.from_stage, 'toStage', m.to_stage, 'reason',
      m.reason, 'by', m.by_name)
    order by m.at desc, m.id desc), '[]') from case_allocation m where m.case_id = c.id)`
}

/** Permission a person needs to send an event; events not listed are the system's. */
const CODES_OF: Partial<Record<CaseEventType, readonly string[]>> = {
  FOLLOW_UP: ['pedding_list:follow'],
  PROMISE: ['pedding_list:follow'],
  RUN_ALLOCATION: ['pedding_list:allocate'],
  TRANSFER: ['pedding_list:allocate'],
  AGENCY_RECALL: ['pedding_list:recall'],
  HOLD: ['pedding_list:stop', 'stop_collection:add', 'pedding_list:end'],
  RESUME: ['stop_collection:resume'],
}

/** A case ended by a person stays ended until its order closes. */
function allowedEvents(row: CaseRow, { rights }: StaffActor): CaseEventType[] {
  if (row.state === 'held' && row.endReason !== null) return []
  return caseLifecycle
    .allowed(row.state)
    .filter((event) => CODES_OF[event]?.some((code) => rights.permissions.has(code)) === true)
}
