/** Settlement plans: a bad debt that is paid in parts. */
import type { Action } from '../actions.ts'
import { refresh } from '../loan/books.ts'
import { dueOn } from '../loan/dues.ts'
import {
  currentOf,
  isBusy,
  type Moment,
  type Order,
  owes,
  type Settlement,
  total,
} from '../loan/loan.ts'
import { nowOf, type Portfolio } from '../loan/portfolio.ts'
import { addRequest } from '../loan/requests.ts'

export function requestCure(
  portfolio: Portfolio,
  order: Order,
  { rows }: Extract<Action, { kind: 'cure' }>,
): string {
  const { today } = portfolio
  const refused = cureRefused(order)
  if (refused !== null) return refused
  const isInOrder = rows.every(({ due }, n) => due >= today && due > (rows[n - 1]?.due ?? 0))
  if (!isInOrder || sumOf(rows) !== dueOn(portfolio, order)) return 'G-FIELD'
  return addRequest(order, 'cure', null, { plan: { rows, asOf: today } })
}

/**
 * Of what was owed when it was requested: fines of the days since are not.
 * @returns the refusal, or null
 */
export function cure(
  portfolio: Portfolio,
  order: Order,
  { rows, asOf }: Pick<Settlement, 'rows' | 'asOf'>,
): string | null {
  const refused = cureRefused(order)
  if (refused !== null) return refused
  const since = order.plans
    .filter((plan) => owes(plan) > 0)
    .flatMap(({ fines }) => fines)
    .reduce((paise, [day, fine]) => paise + (day > asOf ? fine : 0), 0)
  const isLate = rows.some(({ due }) => due < portfolio.today)
  if (isLate || total(order.plans) - since !== sumOf(rows)) return 'O-RULE'
  const startedAt = nowOf(portfolio)
  order.settlements.push({ state: 'current', rows, asOf, startedAt, endedAt: null })
  refresh(order, portfolio.today)
  Object.assign(order, { status: 50, overdueDays: 0 })
  return null
}

export function endSettlement(order: Order, state: Settlement['state'], endedAt: Moment): void {
  const settlement = currentOf(order)
  if (settlement !== null) Object.assign(settlement, { state, endedAt })
}

/** Why the loan cannot be paid in parts now; null when it can. */
function cureRefused(order: Order): string | null {
  if (order.status === 43 && order.resume === 90) return 'M-OPEN'
  if (order.status !== 90) return 'O-STATE'
  return isBusy(order) ? 'M-OPEN' : null
}

function sumOf(rows: Settlement['rows']): number {
  return rows.reduce((paise, { amount }) => paise + amount, 0)
}
