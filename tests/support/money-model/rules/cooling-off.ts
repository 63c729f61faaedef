/** The way out of a loan within its cooling-off: the principal, and the interest of its days. */
import { TERMS } from '../actions.ts'
import { type Order, type Payment, type Plan, portion } from '../loan/loan.ts'

export function isExitRefused(order: Order, day: number): boolean {
  return (
    order.extensions > 0 ||
    order.status !== 30 ||
    day > order.disbursedOn + TERMS.coolingOffDays ||
    order.plans.some((plan) => plan.paid > 0 || plan.fine > 0)
  )
}

export function exitDue(order: Order, day: number): number {
  const last = Math.min(day, order.disbursedOn + TERMS.periods * TERMS.daysPerPeriod)
  return order.plans.reduce((sum, plan) => sum + plan.principal + exitShare(order, plan, last), 0)
}

/** @returns `ok` or the refusal */
export function exit(order: Order, payment: Payment): string {
  if (isExitRefused(order, payment.day)) return 'O-RULE'
  for (const plan of order.plans) {
    const interest = exitShare(order, plan, payment.day)
    Object.assign(plan, {
      paid: plan.principal + interest,
      waived: plan.interest - interest,
      principal: 0,
      interest: 0,
      overdueDays: 0,
    })
  }
  Object.assign(order, { status: 40, overdueDays: 0, exit: payment })
  payment.state = 'success'
  return 'ok'
}

function exitShare(order: Order, plan: Plan, day: number): number {
  return portion(plan.interest, day - order.disbursedOn, TERMS.periods * TERMS.daysPerPeriod)
}
