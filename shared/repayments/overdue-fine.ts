/**
 * The overdue fine: basis points of the open principal per IST day after the due day, rounded half up to the paisa each day (api.md
 * 25). It is a charge of its own: it never earns a fine and is never added to the principal (domain.md 1, #15). Pure, integer paise.
 */
import { share } from '../kernel/money.ts'
import { daysBetween } from '../kernel/time.ts'

/** Fine of whole days on an open principal. @param rate basis points per day @throws RangeError for a negative principal, rate or number of days */
export function fineOf(openPrincipal: number, rate: number, days: number): number {
  if (!Number.isInteger(days) || days < 0) throw new RangeError('a fine is charged for a whole number of days >= 0')
  return Number(share(BigInt(openPrincipal), BigInt(rate)) * BigInt(days))
}

export interface FinedPlan {
  /** IST day. */
  dueDay: string
  /** IST day up to which fines are charged; null = none yet. */
  fineTo: string | null
  principal: number
  fine: number
}

/** How a plan's fine stands on a value date, against what is charged. */
export interface FineOnDay {
  /** Open fine on that day, its own included. */
  fine: number
  /** To be charged up to that day, because the day was not opened yet. */
  charged: number
  /** Taken back for now: charged for the `daysAfter` days after the value date. */
  taken: number
  daysAfter: number
}

/**
 * The open fine of a plan on an IST day, for a payment of that value date: money that was paid in time carries no fine for the days
 * it took to arrive (domain.md 3). What is taken back is never more than is still open.
 */
export function fineOnDay(plan: FinedPlan, rate: number, day: string): FineOnDay {
  const chargedTo = plan.fineTo !== null && plan.fineTo > plan.dueDay ? plan.fineTo : plan.dueDay
  const days = daysBetween(chargedTo, day)
  if (days >= 0) {
    const charged = fineOf(plan.principal, rate, days)
    return { fine: plan.fine + charged, charged, taken: 0, daysAfter: 0 }
  }
  const daysAfter = daysBetween(day > plan.dueDay ? day : plan.dueDay, chargedTo)
  const taken = Math.min(plan.fine, fineOf(plan.principal, rate, daysAfter))
  return { fine: plan.fine - taken, charged: 0, taken, daysAfter }
}

/** Of a fine that was taken back, what stands again once the payment has lowered the principal. The rest is a correction in the borrower's favour. */
export function fineAgain({ taken, daysAfter }: Pick<FineOnDay, 'taken' | 'daysAfter'>, openPrincipal: number, rate: number): number {
  return Math.min(taken, fineOf(openPrincipal, rate, daysAfter))
}
