/** Writing of instalments whose orders are locked. */
import { type RawBuilder, sql } from 'kysely'
import { PLAN_CHANGED } from '#shared/orders/orders-live.ts'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type LoanPlan, outstandingOf } from './loan-store.ts'

/** Writes plans that changed, of one order or of many, and emits an event for each. @param rooms by order */
export async function writePlans(
  tx: CommandTx,
  changed: readonly LoanPlan[],
  rooms: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const plans = written(changed)
  if (plans.length === 0) return
  await updateOf(plans).execute(tx.db)
  emitPlans(tx, plans, rooms)
}

/** Sends them: nothing waits for the answer. */
export function sendPlans(
  tx: CommandTx,
  changed: readonly LoanPlan[],
  rooms: ReadonlyMap<string, readonly string[]>,
): void {
  const plans = written(changed)
  if (plans.length === 0) return
  tx.send(updateOf(plans))
  emitPlans(tx, plans, rooms)
}

/** New ones are inserted before. */
function written(changed: readonly LoanPlan[]): LoanPlan[] {
  return changed.filter(({ version }) => version > 0)
}

/** Their orders are locked, so nobody else can have changed them: it fails when somebody has. */
function updateOf(plans: readonly LoanPlan[]): RawBuilder<unknown> {
  const given = plans.map((plan) => ({
    id: plan.planId,
    version: plan.version,
    due_at: plan.dueDay,
    called_in_on: plan.calledInOn ?? null,
    planned: plan.planned,
    planned_interest: plan.plannedInterest ?? null,
    bounced: plan.bounced ?? 0,
    principal: plan.principal,
    interest: plan.interest,
    service: plan.service,
    fine: plan.fine,
    overdue_fine: plan.overdueFine,
    paid: plan.paid,
    waived: plan.waived,
    reduced: plan.reduced,
    reduced_at: plan.reducedAt,
    fine_to: plan.fineTo,
    status: plan.status,
    overdue_days: plan.overdueDays,
    settled_at: plan.settledAt,
  }))
  return sql`
    with written as (
      update repay_plan p set due_at = g.due_at, principal = g.planned,
        service_fee = p.service_fee - p.bounce_charges + g.bounced, bounce_charges = g.bounced,
        interest = coalesce(g.planned_interest, p.interest), called_in_on = g.called_in_on,
        open_principal = g.principal, open_interest = g.interest,
        open_service = g.service, open_fine = g.fine,
        outstanding = g.principal + g.interest + g.service + g.fine, overdue_fine = g.overdue_fine,
        paid_amount = g.paid, waived = g.waived, reduced_fees = g.reduced, reduction_at = g.reduced_at,
          fine_to = g.fine_to, payment_status = g.status, overdue_days = g.overdue_days,
          actual_repayment_at = g.settled_at, updated_at = clock_timestamp(), version = p.version + 1
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g (id text, version int, due_at date, called_in_on date, planned bigint,
          planned_interest bigint, bounced bigint, principal bigint, interest bigint, service bigint,
          fine bigint, overdue_fine bigint, paid bigint, waived bigint, reduced bigint, reduced_at timestamptz,
          fine_to date, status text, overdue_days int, settled_at timestamptz)
      where p.id = ${anyOf(plans.map(({ planId }) => planId))} and p.id = g.id and p.version = g.version
      returning 1
    )
    select found_all(count(*), ${plans.length}) from written`
}

function emitPlans(
  tx: CommandTx,
  plans: readonly LoanPlan[],
  rooms: ReadonlyMap<string, readonly string[]>,
): void {
  for (const plan of plans)
    tx.emit(PLAN_CHANGED, {
      subject: `plan:${plan.planId}`,
      version: plan.version + 1,
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
