/**
 * A loan played again from its first day, day by day and payment by payment, as a clerk with all
 * papers in the order of their values would do it. It shares nothing with the product.
 */
import { TERMS } from '../actions.ts'
import {
  discountOf,
  isBefore,
  type Moment,
  newPlan,
  type Order,
  owes,
  type Payment,
  type Plan,
  portion,
  type Reduction,
  type Settlement,
} from './loan.ts'

export interface Replayed {
  plans: Plan[]
  surplus: Map<Payment, number>
  /** What the coupons of payments came to. */
  couponed: Map<Payment, number>
  used: Reduction | null
  isBad: boolean
  /** The settlement plan that runs. */
  cure: Settlement | null
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
  const state: Replayed = {
    plans,
    surplus: new Map(),
    couponed: new Map(),
    used: null,
    isBad: false,
    cure: null,
  }
  for (let day = order.disbursedOn; day <= today; day += 1) {
    fineOf(order, plans, day, reductions)
    if (reductions.some((one) => !endsEarly(one) && one.validUntil + 1 === day))
      if (!isAgreed(order, day)) release(plans)
    judge(state, day)
    for (const { happens } of happeningsOf(order, day, { payments, reductions })) happens(state)
    judge(state, day)
  }
  for (const plan of plans) plan.overdueDays = Math.max(0, (plan.settledOn ?? today) - plan.due)
  return state
}

interface Happening {
  at: Moment
  /** Of one moment: ends of reductions, then payments, then what a payment did to an agreement. */
  rank: number
  happens: (state: Replayed) => void
}

/** What happened on a day, in its order. */
function happeningsOf(
  order: Order,
  day: number,
  { payments, reductions }: { payments: readonly Payment[]; reductions: readonly Reduction[] },
): Happening[] {
  const happenings: Happening[] = []
  for (const one of reductions)
    if (endsEarly(one) && one.endedAt !== null)
      happenings.push({
        at: one.endedAt,
        rank: 0,
        happens: ({ plans }) => {
          if (!isAgreed(order, day)) release(plans)
        },
      })
  for (const payment of payments)
    happenings.push({
      at: payment.at,
      rank: 1,
      happens: (state) => pay(state, payment, reductions),
    })
  for (const one of order.settlements) {
    happenings.push({ at: one.startedAt, rank: 2, happens: (state) => begin(state, one) })
    // fines of an agreement that ended with its loan are never charged
    if (one.endedAt !== null && one.state !== 'ended')
      happenings.push({ at: one.endedAt, rank: 2, happens: (state) => end(state, one, day) })
  }
  return happenings
    .filter(({ at }) => at[0] === day)
    .toSorted((a, b) => (isBefore(a.at, b.at) ? -1 : isBefore(b.at, a.at) ? 1 : a.rank - b.rank))
}

function begin(state: Replayed, settlement: Settlement): void {
  state.isBad = false
  state.cure = settlement
}

function end(state: Replayed, settlement: Settlement, day: number): void {
  release(state.plans)
  if (state.cure === settlement) state.cure = null
  judge(state, day)
}

/** By a person, or with its order, before its validity passed. */
function endsEarly({ endedAt, hasExpired, validUntil }: Reduction): boolean {
  return endedAt !== null && !hasExpired && endedAt[0] <= validUntil
}

function fineOf(
  order: Order,
  plans: readonly Plan[],
  day: number,
  reductions: readonly Reduction[],
): void {
  const isStill =
    reductions.some(
      (one) =>
        day > (one.approvedAt?.[0] ?? day) &&
        day <= (endsEarly(one) ? (one.endedAt?.[0] ?? 0) : one.validUntil),
    ) || isAgreed(order, day)
  for (const plan of plans) {
    const late = day - plan.due
    if (late < 1 || plan.principal === 0) continue
    const range = order.penalty.find(
      ({ dayFrom, dayTo }) => dayFrom <= late && late <= (dayTo ?? late),
    ) as Order['penalty'][number]
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

/** Whether fines of the day stand still under a settlement plan. */
function isAgreed({ settlements }: Order, day: number): boolean {
  return settlements.some(
    ({ asOf, endedAt, state }) =>
      day > asOf && (endedAt === null || state === 'ended' || day <= endedAt[0]),
  )
}

function release(plans: readonly Plan[]): void {
  for (const plan of plans) {
    if (owes(plan) > 0) plan.fine += plan.held
    plan.held = 0
  }
}

function judge(state: Replayed, day: number): void {
  const first = state.plans.find((plan) => owes(plan) > 0)
  if (state.cure === null && first !== undefined && day - first.due >= TERMS.badDebtDays)
    state.isBad = true
}

function pay(state: Replayed, payment: Payment, reductions: readonly Reduction[]): void {
  const open = state.plans.filter((plan) => owes(plan) > 0)
  const couponed = giveUp(payment, open)
  if (couponed !== null) state.couponed.set(payment, couponed)
  const reduction = couponed === null ? usableBy(payment, reductions) : undefined
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

/** The coupon of the payment, from the oldest instalment on; null without one. */
function giveUp({ coupon: grant, amount }: Payment, open: readonly Plan[]): number | null {
  if (grant === null) return null
  const given = discountOf(grant, open, amount)
  let left = given
  for (const plan of open) {
    const part = Math.min(left, plan[grant.coupon.part])
    plan[grant.coupon.part] -= part
    plan.reduced += part
    left -= part
  }
  return given
}

function total(plans: readonly Plan[]): number {
  return plans.reduce((sum, plan) => sum + owes(plan), 0)
}

/** The newest that was approved when the money was received and could be used when it was paid. */
export function usableBy(
  { at, day, receivedAt }: Pick<Payment, 'at' | 'day' | 'receivedAt'>,
  reductions: readonly Reduction[],
): Reduction | undefined {
  return reductions.findLast(({ approvedAt, validUntil, endedAt, hasExpired }) => {
    if (approvedAt === null || isBefore(receivedAt, approvedAt) || day > validUntil) return false
    return endedAt === null || hasExpired || isBefore(at, endedAt) || isBefore(receivedAt, endedAt)
  })
}
