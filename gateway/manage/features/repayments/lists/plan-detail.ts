/** Reads one instalment with its payments and fines in one statement. */
import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { planDetail } from '#shared/repayments/repayments-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { penaltyOfOrder } from '#gateway/manage/features/orders/public.ts'
import { reductionsOfPlan } from '../reductions/reduction-rows.ts'
import {
  clearedParts,
  CLEARS,
  PLAN_ROW_JOINS,
  planRowJson,
  plansInScope,
  RECORD_ROW_JOINS,
  recordRowJson,
} from './payment-rows.ts'

type Detail = DataOf<typeof planDetail>

const OPEN = sql`
  json_build_object('principal', p.open_principal, 'interest', p.open_interest, 'serviceFee',
    p.open_service, 'overdueFine', p.open_fine)`
const ORDER = sql`
  json_build_object('orderId', o.id, 'productName', d.name, 'status', o.status, 'outstanding',
    o.outstanding, 'overdueDays', o.overdue_days, 'penalty', ${penaltyOfOrder}, 'version', o.version,
  'instalments', (select count(*) from repay_plan n where n.order_id = o.id
    and n.kind = 'instalment'))`
const SIBLINGS = sql`
  (select coalesce(json_agg(json_build_object('planId', s.id, 'serialNo', s.serial_no, 'kind',
      case when s.called_in_on = s.due_at then 'calledIn' else s.kind end, 'dueTime', s.due_at::text,
      'outstanding', s.outstanding, 'paymentStatus', s.payment_status)
    order by s.due_at, s.serial_no), '[]')
  from repay_plan s where s.order_id = p.order_id)`
/** An order has few payments, so the index of the order reads their entries once. */
const RECORDS = sql`
  (select coalesce(json_agg(${recordRowJson} order by r.paid_at desc, r.id desc), '[]')
    from repay_record r ${RECORD_ROW_JOINS}
  where r.order_id = p.order_id and (r.plan_id = p.id or r.id in (select e.ref_id from ledger_entry e
    where e.order_id = p.order_id and e.plan_id = p.id)))`
const ALLOCATIONS = sql`(select coalesce(json_agg(x.line order by x.at), '[]') from (
  select min(e.id) as at, json_build_object('recordId', e.ref_id, 'kind', e.kind,
    ${clearedParts('e')}) as line
  from ledger_entry e where e.order_id = p.order_id and e.plan_id = p.id and ${CLEARS}
    and e.ref_id in (select r.id from repay_record r where r.order_id = p.order_id)
    group by e.ref_id, e.kind) x)`
const FINES = sql`
  (select coalesce(json_agg(json_build_object('date', x.biz_date::text, 'fine', x.fine)
    order by x.biz_date), '[]') from (
  select e.biz_date, sum(e.debit - e.credit)::bigint as fine from ledger_entry e
  where e.order_id = p.order_id and e.plan_id = p.id and e.account = 'fineReceivable'
    and e.kind in ('overdueFine', 'fineCorrection') group by e.biz_date) x)`

/** @throws Problem G404 when it is missing or outside the caller's scope */
export async function findPlan(db: Db, actor: StaffActor, planId: string): Promise<Detail> {
  const { rows } = await sql<{ data: Detail }>`
    select json_build_object('plan', ${planRowJson}, 'open', ${OPEN}, 'order', ${ORDER}, 'siblings',
      ${SIBLINGS}, 'records', ${RECORDS}, 'allocations', ${ALLOCATIONS}, 'fines', ${FINES}, 'reductions',
      ${reductionsOfPlan}) as data
    from repay_plan p ${PLAN_ROW_JOINS} join product d on d.id = o.product_id where p.id = ${planId}
      and ${plansInScope(actor)}`.execute(db)
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  return found.data
}
