/** State of an order - its money, instalments, case, reduction - before and after a preview. */
import { sql } from 'kysely'
import type { FactRow } from '#shared/approvals/effect.ts'
import type { PLAN_KINDS } from '#shared/orders/order-parts.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'

export interface OrderSnapshot {
  status: number
  outstanding: number
  overdueDays: number
  plans: {
    planId: string
    serialNo: number
    kind: (typeof PLAN_KINDS)[number]
    dueTime: string
    paymentStatus: string
    overdueDays: number
    overdueFine: number
    outstanding: number
  }[]
  case: { caseId: string; state: string; stageId: string; ptpState: string | null } | null
  /** Stage of the order's overdue days. */
  stageOfDays: string | null
  /** The last one. */
  reductionState: string | null
}

export async function snapshotOf(trx: Trx, orderId: string): Promise<OrderSnapshot> {
  const { rows } = await sql<{ snapshot: OrderSnapshot }>`
    select json_build_object('status', o.status, 'outstanding', o.outstanding, 'overdueDays', o.overdue_days,
      'plans', (select coalesce(json_agg(json_build_object('planId', p.id, 'serialNo', p.serial_no,
        'kind', case when p.called_in_on = p.due_at then 'calledIn' else p.kind end,
        'dueTime', p.due_at::text, 'paymentStatus', p.payment_status, 'overdueDays', p.overdue_days,
        'overdueFine', p.overdue_fine, 'outstanding', p.outstanding)
        order by p.due_at, p.serial_no), '[]') from repay_plan p where p.order_id = o.id),
      'case', (select json_build_object('caseId', x.id, 'state', x.state, 'stageId', x.stage_id, 'ptpState',
        x.ptp_state) from collection_case x where x.order_id = o.id
        order by (x.state = 'closed'), x.ended_at desc limit 1),
      'stageOfDays', (select s.stage_id from stage s where s.status = 'enabled'
        and s.min_days <= o.overdue_days and (s.max_days is null or s.max_days >= o.overdue_days) limit 1),
      'reductionState', (select case when d.state = 'used' and d.void_at is not null then 'void'
        else d.state end from reduction d where d.order_id = o.id order by d.launched_at desc, d.id desc
        limit 1)) as snapshot
    from loan_order o where o.id = ${orderId}`.execute(trx)
  return (rows[0] as { snapshot: OrderSnapshot }).snapshot
}

/** The same as facts for the approver. A closed case has no stage. */
export async function snapshotFacts(trx: Trx, orderId: string): Promise<FactRow[]> {
  const snapshot = await snapshotOf(trx, orderId)
  const isOpen = snapshot.case !== null && snapshot.case.state !== 'closed'
  return [
    { name: 'orderStatus', kind: 'orderStatus', value: snapshot.status },
    { name: 'outstanding', kind: 'money', value: snapshot.outstanding },
    { name: 'overdueDays', kind: 'number', value: snapshot.overdueDays },
    {
      name: 'fine',
      kind: 'money',
      value: snapshot.plans.reduce((sum, plan) => sum + plan.overdueFine, 0),
    },
    { name: 'caseState', kind: 'caseState', value: snapshot.case?.state ?? null },
    { name: 'stage', kind: 'text', value: isOpen ? (snapshot.case?.stageId ?? null) : null },
    { name: 'reduction', kind: 'reductionState', value: snapshot.reductionState },
  ]
}
