/** Payments that a channel reports or a person books: of what, of which day, with which coupon. */
import type { Action } from '../actions.ts'
import { dueOn, dueWith } from '../loan/dues.ts'
import { type Borrower, type Grant, type Order, owes, RUNNING } from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'
import { exitDue } from '../rules/cooling-off.ts'
import { priceExtension } from '../rules/extensions.ts'
import { partOf, type Step } from './step.ts'

export function paymentOf(
  portfolio: Portfolio,
  borrower: number,
  order: Order,
  { dice, days, isUsual }: Step,
): Action {
  const day = isUsual ? null : dayBack(portfolio, order, { dice, days })
  const due = RUNNING.includes(order.status) ? dueOn(portfolio, order) : order.claim + 5_000
  const amount = dice < 550 ? partOf(due, dice + 150) : dice < 900 ? due : due + dice
  return {
    kind: 'pay',
    borrower,
    payment: portfolio.payments,
    amount: Math.max(1, amount),
    day,
    result: dice % 10 < 7 ? 'success' : dice % 10 === 7 ? 'fail' : 'processing',
    utrOf: dice % 37 === 0 ? usedUtr(portfolio) : null,
  }
}

export function bookingOf(
  portfolio: Portfolio,
  borrower: number,
  order: Order,
  { who, dice, days, isUsual }: Step,
): Action {
  const day = dice % 3 === 2 ? dayBack(portfolio, order, { dice, days }) : null
  const isLast = order.plans.filter((plan) => owes(plan) > 0).length === 1
  const type =
    dice % (isLast ? 2 : 13) === 1
      ? 'rollover'
      : order.status === 30 && dice % 3 === 0
        ? 'coolingOff'
        : dice % 4 === 0
          ? 'full'
          : 'partial'
  const coupon =
    type === 'full' || type === 'partial'
      ? couponOf(portfolio, { borrower, dice, isUsual, day })
      : null
  const due = dueOf(portfolio, borrower, order, { type, coupon, day })
  return {
    kind: 'book',
    borrower,
    payment: portfolio.payments,
    who,
    type,
    amount: Math.max(
      1,
      type === 'partial' ? partOf(due, isUsual ? dice : 1_000) : isUsual ? due : due + 1,
    ),
    day,
    utrOf: dice % 17 === 0 ? usedUtr(portfolio) : null,
    coupon,
  }
}

/** The amount that fits; of an order that is not running, any. */
function dueOf(
  portfolio: Portfolio,
  borrower: number,
  order: Order,
  { type, coupon, day }: Pick<Extract<Action, { kind: 'book' }>, 'type' | 'coupon' | 'day'>,
): number {
  const paidOn = day ?? portfolio.today
  const isRunning = RUNNING.includes(order.status)
  if (coupon !== null && isRunning)
    return dueWith(order, portfolio.borrowers[borrower]?.grants[coupon] as Grant, day)
  if (type === 'rollover') return priceExtension(order, paidOn)?.due ?? 1_000
  if (type === 'coolingOff') return exitDue(order, paidOn)
  if (order.status === 110) return order.claim
  return isRunning ? dueOn(portfolio, order, day) : 1_000
}

/** Mostly a few days ago, sometimes before everything else that was paid; null = now. */
function dayBack(
  { today }: Portfolio,
  { disbursedOn }: Order,
  { dice, days }: Pick<Step, 'dice' | 'days'>,
): number | null {
  return disbursedOn >= today ? null : Math.max(disbursedOn, today - days * (1 + (dice % 4)))
}

/** Mostly one that may be used, now and then any; null without one. */
function couponOf(
  portfolio: Portfolio,
  {
    borrower,
    dice,
    isUsual,
    day,
  }: Pick<Step, 'borrower' | 'dice' | 'isUsual'> & { day: number | null },
): number | null {
  const { grants } = portfolio.borrowers[borrower] as Borrower
  if (dice % 5 === 0 || grants.length === 0) return null
  const place = isUsual
    ? grants.findLastIndex(
        ({ state, grantedOn }) => state === 'unused' && grantedOn <= (day ?? portfolio.today),
      )
    : dice % grants.length
  return place === -1 ? null : place
}

/** Of another order, so that it is certainly another payment. */
function usedUtr(portfolio: Portfolio): number | null {
  for (const { order } of portfolio.borrowers)
    for (const payment of order?.payments ?? [])
      if (payment.state === 'success' && !payment.isReversed) return payment.id
  return null
}
