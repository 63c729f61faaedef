/**
 * A loan played again from its first day, day by day and payment by payment, as a clerk with all
 * papers in the order of their values would do it. It shares nothing with the product.
 */
import { TERMS } from './actions.ts'
import { isBefore, newPlan, type Order, owes, type Payment, type Plan, portion } from './loan.ts'
import type { Reduction } from './loan.ts'

export interface Replayed {
  plans: Plan[]
  surplus: Map<Payment, number>
  used: Reduction | null
  isBad: boolean
}

/** What a reduction gives up of open instalments once the rest is paid, the oldest first. */
export function asideOf(
  { fine, interest }: Pick<Reduction, 'fine' | 'interest'>,
  open: readonly Plan[],
): { fine: number; interest: number }[] {
  let [fineLeft, interestLeft] = [fine, interest]
  return open.map((plan) => {
    const given = {
      fine: Math.min(fineLeft, plan.fine),
      interest: Math.min(interestLeft, plan.interest),
    }
    fineLeft -= given.fine
    interestLeft -= given.interest
    return given
  })
}

/** @param without a reduction that is left out */
export function replay(order: Order, today: number, without: Reduction | null = null): Replayed {
  const reductions = order.reductions.filter(
    (one) => one.approvedAt !== null && !one.isVoid && one !== without,
  )
  const payments = order.payments
    .filter(
      ({ state, isReversed, isCredit, type }) =>
        state === 'success' && !isReversed && !isCredit && (type === 'channel' || type === 'staff'),
    )
    .toSorted((a, b) => (isBefore(a.at, b.at) ? -1 : isBefore(b.at, a.at) ? 1 : a.id - b.id))
  const plans = order.plans.map(({ due, planned }) => newPlan(due, planned))
  const state: Replayed = { plans, surplus: new Map(), used: null, isBad: false }
  for (let day = order.disbursedOn; day <= today; day += 1) {
    fineOf(order, plans, day, reductions)
    if (reductions.some((one) => !endsEarly(one) && one.validUntil + 1 === day)) release(plans)
    judge(state, day)
    const ends = reductions.filter((one) => endsEarly(one) && one.endedAt?.[0] === day)
    for (const payment of payments) {
      if (payment.at[0] !== day) continue
      for (const end of ends.splice(0))
        if (end.endedAt !== null && !isBefore(payment.at, end.endedAt)) release(plans)
        else ends.push(end)
      pay(state, payment, reductions)
    }
    if (ends.length > 0) release(plans)
    judge(state, day)
  }
  for (const plan of plans) plan.overdueDays = Math.max(0, (plan.settledOn ?? today) - plan.due)
  return state
}

/** By a person, or with its order, before its validity passed. */
function endsEarly({ endedAt, hasExpired, validUntil }: Reduction): boolean {
  return endedAt !== null && !hasExpired && endedAt[0] <= validUntil
}

function fineOf(
  { penalty }: Order,
  plans: readonly Plan[],
  day: number,
  reductions: readonly Reduction[],
): void {
  const isStill = reductions.some(
    (one) =>
      day > (one.approvedAt?.[0] ?? day) &&
      day <= (endsEarly(one) ? (one.endedAt?.[0] ?? 0) : one.validUntil),
  )
  for (const plan of plans) {
    const late = day - plan.due
    if (late < 1 || plan.principal === 0) continue
    const range = penalty.find(
      ({ dayFrom, dayTo }) => dayFrom <= late && late <= (dayTo ?? late),
    ) as (typeof penalty)[number]
    const soFar = plan.fines.reduce((sum, [, paise]) => sum + paise, 0)
    const most =
      range.capRatio === null
        ? Infinity
        : Math.max(0, portion(plan.planned.principal, range.capRatio, 10_000) - soFar)
    const fine = Math.min(portion(plan.principal, range.rate, 10_000), most)
    plan.fines.push([day, fine])
    plan[isStill ? 'held' : 'fine'] += fine
  }
}

function release(plans: readonly Plan[]): void {
  for (const plan of plans) {
    if (owes(plan) > 0) plan.fine += plan.held
    plan.held = 0
  }
}

function judge(state: Replayed, day: number): void {
  const first = state.plans.find((plan) => owes(plan) > 0)
  if (first !== undefined && day - first.due >= TERMS.badDebtDays) state.isBad = true
}

function pay(state: Replayed, payment: Payment, reductions: readonly Reduction[]): void {
  const open = state.plans.filter((plan) => owes(plan) > 0)
  const reduction = usableBy(payment, reductions)
  const aside =
    reduction === undefined ? open.map(() => ({ fine: 0, interest: 0 })) : asideOf(reduction, open)
  let money = payment.amount
  const clear = (i: number, part: 'fine' | 'interest' | 'principal') => {
    const plan = open[i] as Plan
    const least = part === 'principal' ? 0 : (aside[i]?.[part] ?? 0)
    const taken = Math.min(money, plan[part] - least)
    money -= taken
    plan[part] -= taken
    plan.paid += taken
  }
  if (state.isBad) for (const i of open.keys()) clear(i, 'principal')
  for (const i of open.keys())
    for (const part of ['fine', 'interest', 'principal'] as const) clear(i, part)
  const given = aside.reduce((sum, { fine, interest }) => sum + fine + interest, 0)
  if (reduction !== undefined && given > 0 && total(open) === given) {
    for (const plan of open) {
      plan.reduced += plan.fine + plan.interest
      Object.assign(plan, { fine: 0, interest: 0 })
    }
    state.used = reduction
  }
  for (const plan of open)
    if (owes(plan) === 0) Object.assign(plan, { settledOn: payment.at[0], held: 0 })
  state.surplus.set(payment, money)
}

function total(plans: readonly Plan[]): number {
  return plans.reduce((sum, plan) => sum + owes(plan), 0)
}

/** The newest that was approved when the money was received and could be used when it was paid. */
function usableBy(
  { at, day, receivedAt }: Payment,
  reductions: readonly Reduction[],
): Reduction | undefined {
  return reductions.findLast(({ approvedAt, validUntil, endedAt, hasExpired }) => {
    if (approvedAt === null || isBefore(receivedAt, approvedAt) || day > validUntil) return false
    return endedAt === null || hasExpired || isBefore(at, endedAt) || isBefore(receivedAt, endedAt)
  })
}
