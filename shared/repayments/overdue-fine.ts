/**
 * The overdue fine: basis points of the open principal per IST day after the due day, rounded half
 * up to the paisa each day. It is a penal charge: it is never capitalised and bears no fine itself
 * (RBI circular of 18 Aug 2023 on penal charges). The rate follows the overdue day by ranges, and a
 * range may cap the total fine of an instalment. Pure, integer paise.
 */
import { share } from '../kernel/money.ts'
import { daysBetween } from '../kernel/time.ts'

/** The fine for a range of overdue days; the terms of an order are a list of them, in order. */
export interface PenaltyRange {
  /** Overdue days, inclusive; the first is 1, null = no end. */
  dayFrom: number
  dayTo: number | null
  /** Basis points of the open principal per day. */
  rate: number
  /**
   * Cap of the instalment's total fine at the end of the range, in basis points of its principal;
   * null = no cap.
   */
  capRatio: number | null
}
export type Penalty = readonly PenaltyRange[]

/**
 * One rate for every day, for orders made before terms had ranges.
 * @param rate basis points per day
 */
export function singleRate(rate: number): Penalty {
  return [{ dayFrom: 1, dayTo: null, rate, capRatio: null }]
}

interface Fined {
  /** Open paise. */
  principal: number
  /** Planned principal of the instalment, in paise. */
  planned: number
}

/**
 * Fine of the overdue days `from` to `to`, inclusive, of an instalment that was already fined
 * `soFar`.
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
  /** Total fine charged. */
  overdueFine: number
}

/** The fine of a plan on a value date, compared with what is charged. */
export interface FineOnDay {
  /** Open fine on that day, inclusive. */
  fine: number
  /** To be charged up to that day, because the day was not opened yet. */
  charged: number
  /**
   * Reversed for now: charged for the overdue days after the value date, `after` (inclusive; null =
   * none).
   */
  taken: number
  after: { from: number; to: number; soFar: number } | null
}

/**
 * The open fine of a plan on an IST day, for a payment of that value date: a payment made in time
 * carries no fine for the days it took to arrive. The reversed amount never exceeds what is open.
 */
export function fineOnDay(plan: FinedPlan, penalty: Penalty, day: string): FineOnDay {
  const charged =
    plan.fineTo !== null && plan.fineTo > plan.dueDay ? daysBetween(plan.dueDay, plan.fineTo) : 0
  const days = Math.max(0, daysBetween(plan.dueDay, day))
  if (days >= charged) {
    const more = days > charged ? fineOfDays(plan, penalty, charged + 1, days, plan.overdueFine) : 0
    return { fine: plan.fine + more, charged: more, taken: 0, after: null }
  }
  // what the later days were charged on the current principal: an earlier payment that lowered it
  // already settled its fines
  const soFar = days > 0 ? fineOfDays(plan, penalty, 1, days) : 0
  const after = { from: days + 1, to: charged, soFar }
  const taken = Math.min(plan.fine, fineOfDays(plan, penalty, after.from, after.to, soFar))
  return { fine: plan.fine - taken, charged: 0, taken, after }
}

/**
 * The part of a reversed fine that is charged again once the payment has lowered the principal. The
 * rest is a correction in the borrower's favour.
 */
export function fineAgain(
  { taken, after }: Pick<FineOnDay, 'taken' | 'after'>,
  plan: Fined,
  penalty: Penalty,
): number {
  return after === null
    ? 0
    : Math.min(taken, fineOfDays(plan, penalty, after.from, after.to, after.soFar))
}
