/** Days that pass: fines, arrears, bad debt, and what is valid no longer. */
import { TERMS } from '../actions.ts'
import { refresh } from '../loan/books.ts'
import { currentOf, lateDays, lateRowDays, RUNNING } from '../loan/loan.ts'
import type { Portfolio } from '../loan/portfolio.ts'
import { expireCoupons } from './coupons.ts'
import { expireReductions } from './reductions.ts'
import { endSettlement } from './settlements.ts'

export function passDays(portfolio: Portfolio, days: number): string {
  for (let n = 0; n < days; n += 1) openDay(portfolio)
  expireReductions(portfolio)
  expireCoupons(portfolio)
  return 'ok'
}

function openDay(portfolio: Portfolio): void {
  portfolio.today += 1
  const { today } = portfolio
  for (const { order } of portfolio.borrowers) {
    if (!order || !RUNNING.includes(order.status)) continue
    const settlement = currentOf(order)
    const isMissed =
      settlement !== null && order.status !== 43 && lateRowDays(settlement, order, today) > 0
    if (isMissed) endSettlement(order, 'broken', [today, 0])
    refresh(order, today)
    order.overdueDays = lateDays(order, today)
    if (order.status === 30 && order.overdueDays > 0) order.status = 50
    if (order.status === 50 && order.overdueDays >= TERMS.badDebtDays) order.status = 90
  }
}
