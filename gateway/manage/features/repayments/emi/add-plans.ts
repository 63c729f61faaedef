/** Rows that an EMI loan gets for what is paid ahead of its plan. */
import { sql } from 'kysely'
import { PLAN_CHANGED } from '#shared/orders/orders-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type LoanPlan, outstandingOf } from '../loan-store.ts'

/** Inserts those that are new, before anything refers to them. */
export async function addPlans(
  tx: CommandTx,
  plans: readonly LoanPlan[],
  rooms: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const fresh = plans.filter(({ version }) => version === 0)
  if (fresh.length === 0) return
  const given = fresh.map((plan) => ({
    id: plan.planId,
    order_id: plan.orderId,
    kind: plan.kind,
    called_in_on: plan.calledInOn ?? null,
    due_at: plan.dueDay,
    planned: plan.planned,
    planned_interest: plan.plannedInterest ?? 0,
    bounced: plan.bounced ?? 0,
    principal: plan.principal,
    interest: plan.interest,
    service: plan.service,
    fine: plan.fine,
    overdue_fine: plan.overdueFine,
    paid: plan.paid,
    reduced: plan.reduced,
    reduced_at: plan.reducedAt,
    fine_to: plan.fineTo,
    status: plan.status,
    overdue_days: plan.overdueDays,
    settled_at: plan.settledAt,
  }))
  await sql`
    insert into repay_plan (id, order_id, serial_no, kind, called_in_on, due_at, principal, interest,
      service_fee, bounce_charges,
      overdue_fine, reduced_fees, paid_amount, outstanding, payment_status, overdue_days, reduction_at,
      actual_repayment_at, open_principal, open_interest, open_service, open_fine, fine_to)
    select g.id, g.order_id, (select max(p.serial_no) from repay_plan p where p.order_id = g.order_id)
        + row_number() over (partition by g.order_id order by g.kind desc, g.id), g.kind, g.called_in_on,
      g.due_at, g.planned, g.planned_interest, g.bounced, g.bounced, g.overdue_fine, g.reduced, g.paid,
      g.principal + g.interest + g.service + g.fine, g.status, g.overdue_days, g.reduced_at, g.settled_at,
      g.principal, g.interest, g.service, g.fine, g.fine_to
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as g (id text, order_id text, kind text, called_in_on date, due_at date, planned bigint,
        planned_interest bigint, bounced bigint, principal bigint, interest bigint, service bigint, fine bigint,
        overdue_fine bigint, paid bigint, reduced bigint, reduced_at timestamptz, fine_to date,
        status text, overdue_days int, settled_at timestamptz)`.execute(tx.db)
  for (const plan of fresh)
    tx.emit(PLAN_CHANGED, {
      subject: `plan:${plan.planId}`,
      version: 1,
      rooms: rooms.get(plan.orderId) ?? [],
      data: {
        planId: plan.planId,
        orderId: plan.orderId,
        paymentStatus: plan.status,
        outstanding: outstandingOf(plan),
        overdueDays: plan.overdueDays,
      },
    })
}
