/** Reductions: fees given up on condition that the rest is paid in time. */
import type { Action, Who } from '../actions.ts'
import { refresh } from '../loan/books.ts'
import {
  currentOf,
  hasOpenPayment,
  isOpen,
  type Order,
  type Reduction,
  total,
} from '../loan/loan.ts'
import { nowOf, type Portfolio } from '../loan/portfolio.ts'

export function openFees({ plans }: Order): { fine: number; interest: number; due: number } {
  const sum = (part: 'fine' | 'interest') => plans.reduce((paise, plan) => paise + plan[part], 0)
  return { fine: sum('fine'), interest: sum('interest'), due: total(plans) }
}

export function launchReduction(
  { today }: Portfolio,
  order: Order,
  { fine, interest, days }: Extract<Action, { kind: 'launch' }>,
): string {
  if (order.status !== 50 && order.status !== 90) return 'O-STATE'
  if (currentOf(order) !== null) return 'O-RULE'
  if (fine + interest < 1) return 'G-FIELD'
  if (openFees(order).due - fine - interest < 1) return 'O-RULE'
  if (order.reduction !== null && isOpen(order.reduction)) return 'M-OPEN'
  order.reduction = {
    state: 'pending',
    fine,
    interest,
    approvedAt: null,
    validUntil: today + days,
    endedAt: null,
    hasExpired: false,
    isVoid: false,
  }
  order.reductions.push(order.reduction)
  return 'ok'
}

export function decideReduction(
  portfolio: Portfolio,
  order: Order,
  { who, result }: Extract<Action, { kind: 'decide' }>,
): string {
  const reduction = order.reduction as Reduction
  if (who === 'customer_service') return 'G403'
  if (reduction.state !== 'pending') return 'M-REDST'
  if (who === 'manager') return 'G-SELF'
  if (who === 'manager2') return 'M-LEVEL'
  if (result === 'rejected') {
    reduction.state = 'rejected'
    return 'ok'
  }
  const open = openFees(order)
  const [fine, interest] = [
    Math.min(reduction.fine, open.fine),
    Math.min(reduction.interest, open.interest),
  ]
  const isTooLate = portfolio.today > reduction.validUntil
  if (isTooLate || fine + interest < 1 || open.due - fine - interest < 1) return 'O-RULE'
  Object.assign(reduction, { state: 'approved', fine, interest, approvedAt: nowOf(portfolio) })
  return 'ok'
}

export function revokeReduction(portfolio: Portfolio, order: Order, who: Who): string {
  if (who === 'customer_service') return 'G403'
  const reduction = order.reduction as Reduction
  if (reduction.state !== 'approved') return 'M-REDST'
  if (who === 'manager') return 'G-SELF'
  if (hasOpenPayment(order)) return 'M-OPEN'
  lapse(portfolio, order, reduction, false)
  return 'ok'
}

export function withdrawReduction({ reduction }: Order): string {
  if (reduction?.state !== 'pending') return 'M-REDST'
  reduction.state = 'rejected'
  return 'ok'
}

/** Its days are fined after all. */
export function lapse(
  portfolio: Portfolio,
  order: Order,
  reduction: Reduction,
  hasExpired: boolean,
): void {
  Object.assign(reduction, { state: 'lapsed', endedAt: nowOf(portfolio), hasExpired })
  refresh(order, portfolio.today)
}

/** A payment of its days that has not arrived yet keeps it. */
export function expireReductions(portfolio: Portfolio): void {
  for (const { order } of portfolio.borrowers) {
    const reduction = order?.reduction
    if (!order || reduction?.state !== 'approved' || portfolio.today <= reduction.validUntil)
      continue
    const isAwaited = order.payments.some(
      (one) => one.state === 'inProgress' && one.day <= reduction.validUntil,
    )
    if (!isAwaited) lapse(portfolio, order, reduction, true)
  }
}

/** The loan is repaid: the one it was repaid with is used, the others end. */
export function endReductions(portfolio: Portfolio, order: Order, used: Reduction | null): void {
  if (used !== null) Object.assign(used, { state: 'used', hasExpired: false })
  for (const one of order.reductions)
    if (one.state === 'pending') one.state = 'rejected'
    else if (one.state === 'approved')
      Object.assign(one, { state: 'lapsed', endedAt: nowOf(portfolio) })
}
