/**
 * The overdue fine: basis points of the open principal per IST day after the due day, rounded half up to the paisa each day (api.md
 * 25). It is a charge of its own: it never earns a fine and is never added to the principal (domain.md 1, #15). The rate follows the
 * overdue day by ranges, and a range may end what an instalment can be fined at all. Pure, integer paise.
 */
import { share } from '../kernel/money.ts'
import { daysBetween } from '../kernel/time.ts'

/** What an instalment is fined on some of its overdue days; the terms an order was made with are several, in order. */
export interface PenaltyRange {
  /** Overdue days, both included; the first is 1, null = no end. */
  dayFrom: number
  dayTo: number | null
  /** Basis points of the open principal per day. */
  rate: number
  /** Basis points of the instalment's principal its fines may reach by the end of the range; null = no limit. */
  capRatio: number | null
}
export type Penalty = readonly PenaltyRange[]

/** One rate on every day, as orders had before their terms knew ranges. @param rate basis points per day */
export function singleRate(rate: number): Penalty {
  return [{ dayFrom: 1, dayTo: null, rate, capRatio: null }]
}

interface Fined {
  /** Open paise. */
  principal: number
  /** Paise of the instalment as it was planned. */
  planned: number
}

/**
 * Fine of the overdue days `from` to `to`, both included, of an instalment that was fined `soFar` before.
 * @throws RangeError for a negative principal or days that are no whole numbers from 1
 */
export function fineOfDays(
  { principal, planned }: Fined,
  penalty: Penalty,
  from: number,
  to: number,
  soFar = 0,
): number {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 1)
    throw new RangeError('a fine is charged for whole overdue days from 1 on')
  let sum = 0
  for (const { dayFrom, dayTo, rate, capRatio } of penalty) {
    const days = Math.min(to, dayTo ?? to) - Math.max(from, dayFrom) + 1
    if (days <= 0) continue
    const uncapped = Number(share(BigInt(principal), BigInt(rate)) * BigInt(days))
    const room =
      capRatio === null
        ? uncapped
        : Math.max(0, Number(share(BigInt(planned), BigInt(capRatio))) - soFar - sum)
    sum += Math.min(uncapped, room)
  }
  return sum
}

export interface FinedPlan extends Fined {
  /** IST day. */
  dueDay: string
  /** IST day up to which fines are charged; null = none yet. */
  fineTo: string | null
  /** Open fine. */
  fine: number
  /** Fine charged in all. */
  overdueFine: number
}

/** How a plan's fine stands on a value date, against what is charged. */
export interface FineOnDay {
  /** Open fine on that day, its own included. */
  fine: number
  /** To be charged up to that day, because the day was not opened yet. */
  charged: number
  /** Taken back for now: charged for the overdue days after the value date, `after` (both included; null = none). */
  taken: number
  after: { from: number; to: number; soFar: number } | null
}

/**
 * The open fine of a plan on an IST day, for a payment of that value date: money that was paid in time carries no fine for the days
 * it took to arrive (domain.md 3). What is taken back is never more than is still open.
 */
export function fineOnDay(plan: FinedPlan, penalty: Penalty, day: string): FineOnDay {
  const charged =
    plan.fineTo !== null && plan.fineTo > plan.dueDay ? daysBetween(plan.dueDay, plan.fineTo) : 0
  const asked = Math.max(0, daysBetween(plan.dueDay, day))
  if (asked >= charged) {
    const more =
      asked > charged ? fineOfDays(plan, penalty, charged + 1, asked, plan.overdueFine) : 0
    return { fine: plan.fine + more, charged: more, taken: 0, after: null }
  }
  // what the later days were charged, as the principal is now: an earlier payment that lowered it had its fines settled then
  const soFar = asked > 0 ? fineOfDays(plan, penalty, 1, asked) : 0
  const after = { from: asked + 1, to: charged, soFar }
  const taken = Math.min(plan.fine, fineOfDays(plan, penalty, after.from, after.to, soFar))
  return { fine: plan.fine - taken, charged: 0, taken, after }
}

/** Of a fine that was taken back, what stands again once the payment has lowered the principal. The rest is a correction in the borrower's favour. */
export function fineAgain(
  { taken, after }: Pick<FineOnDay, 'taken' | 'after'>,
  plan: Fined,
  penalty: Penalty,
): number {
  return after === null
    ? 0
    : Math.min(taken, fineOfDays(plan, penalty, after.from, after.to, after.soFar))
}
