/**
 * The plan of an EMI loan: equated monthly instalments on the reducing balance, as a function of
 * its terms and of what was paid ahead of the plan. What is reported late gives the plan that would
 * have been made in time. Pure; paise and IST days.
 */
import type { PrepaymentEffect } from './prepayment-effects.ts'
import { addDays } from '../../kernel/time.ts'
import {
  type Balance,
  type EmiPeriod,
  firstPeriod,
  interestOf,
  monthlyInterest,
  periodAfter,
} from './emi-period.ts'

export interface EmiTerms {
  /** Paise. */
  principal: bigint
  /** Basis points a year. */
  annualRate: number
  /** 2 to 36. */
  instalments: number
  /** Day of the month, 1 to 28. */
  dueDay: number
}

export interface Prepayment {
  /** IST day it counts on. */
  day: string
  /** Paise of principal; less than what is not due yet. */
  amount: bigint
  effect: PrepaymentEffect
}

/** What happened ahead of the plan. */
export interface AheadOfPlan {
  /** In any order. */
  prepayments: readonly Prepayment[]
  /** IST day on which the rest became due at once; null while the loan runs. */
  foreclosedOn: string | null
}

export interface PlannedInstalment {
  kind: 'instalment' | 'prepayment' | 'foreclosure'
  /** IST day. */
  dueDay: string
  /** Paise. */
  principal: bigint
  interest: bigint
}

const NOTHING_AHEAD: AheadOfPlan = { prepayments: [], foreclosedOn: null }

/**
 * The smallest equal instalment that pays the loan back in time, in paise. The last instalment is
 * smaller by the rounding.
 * @param annualRate basis points a year
 * @throws RangeError when an instalment would hold no principal
 */
export function emiOf(principal: bigint, annualRate: number, instalments: number): bigint {
  if (instalments < 1) throw new RangeError('a loan has at least one instalment')
  let low = (principal + BigInt(instalments) - 1n) / BigInt(instalments)
  let high = principal + monthlyInterest(principal, annualRate)
  while (low < high) {
    const middle = (low + high) / 2n
    if (paysBack(middle, principal, annualRate, instalments)) high = middle
    else low = middle + 1n
  }
  if (leftBefore(low, principal, annualRate, instalments) < 1n)
    throw new RangeError('the amount is too small for so many instalments')
  return low
}

function paysBack(emi: bigint, principal: bigint, annualRate: number, instalments: number) {
  const last = leftBefore(emi, principal, annualRate, instalments)
  return last + monthlyInterest(last, annualRate) <= emi
}

/** Principal that the last instalment finds; it grows while an instalment is below its interest. */
function leftBefore(emi: bigint, principal: bigint, annualRate: number, instalments: number) {
  let left = principal
  for (let n = 1; n < instalments; n += 1) left -= emi - monthlyInterest(left, annualRate)
  return left
}

/**
 * The instalments, oldest first. Principal sums to the loan exactly. An instalment is the EMI, and
 * on top of it the interest of a broken first period, or of what was paid ahead up to that day. A
 * prepayment is in the plan as a row of its own day.
 * @throws RangeError for amounts too small for so many instalments, or for what is paid ahead
 * before the disbursement, after the end, or beyond the principal that is not due yet
 */
export function emiPlan(
  { principal, annualRate, instalments, dueDay }: EmiTerms,
  disbursedOn: string,
  ahead: AheadOfPlan = NOTHING_AHEAD,
): PlannedInstalment[] {
  const waiting = ahead.prepayments.toSorted((one, other) => (one.day < other.day ? -1 : 1))
  const rows: PlannedInstalment[] = []
  let emi = emiOf(principal, annualRate, instalments)
  let period = firstPeriod(disbursedOn, dueDay)
  for (let [balance, left] = [principal, instalments]; balance > 0n; left -= 1) {
    const isLast = ahead.foreclosedOn !== null && ahead.foreclosedOn < period.due
    const end = isLast && ahead.foreclosedOn !== null ? ahead.foreclosedOn : period.due
    // what is paid ahead on the day of the foreclosure comes before it
    const prepaid = takeUntil(waiting, period.from, isLast ? addDays(end, 1) : end)
    const balances = balancesOf(balance, prepaid, period.from, end)
    balance -= prepaid.reduce((sum, { amount }) => sum + amount, 0n)
    const interest = interestOf(balances, period, annualRate)
    rows.push(...prepaid.map(rowOf))
    if (isLast) {
      rows.push({ kind: 'foreclosure', dueDay: end, principal: balance, interest })
      break
    }
    if (prepaid.at(-1)?.effect === 'lowerInstalments') emi = emiOf(balance, annualRate, left)
    const planned = emi - monthlyInterest(balance, annualRate)
    const due = left === 1 || planned > balance ? balance : planned
    rows.push({ kind: 'instalment', dueDay: period.due, principal: due, interest })
    balance -= due
    period = periodAfter(period)
  }
  if (waiting.length > 0) throw new RangeError('nothing is left that could be paid ahead')
  return rows
}

function rowOf({ day, amount }: Prepayment): PlannedInstalment {
  return { kind: 'prepayment', dueDay: day, principal: amount, interest: 0n }
}

/** Takes the prepayments before the end of the span. */
function takeUntil(waiting: Prepayment[], from: string, end: string): Prepayment[] {
  const next = waiting.findIndex(({ day }) => day >= end)
  const taken = waiting.splice(0, next === -1 ? waiting.length : next)
  if (taken.some(({ day }) => day < from))
    throw new RangeError('a loan is paid back after its disbursement')
  return taken
}

/** The principal of each day of the span. */
function balancesOf(
  principal: bigint,
  prepaid: readonly Prepayment[],
  from: EmiPeriod['from'],
  end: string,
): Balance[] {
  const balances: Balance[] = []
  let [paise, since] = [principal, from]
  for (const { day, amount } of prepaid) {
    balances.push({ paise, from: since, to: day })
    ;[paise, since] = [paise - amount, day]
    if (paise < 1n) throw new RangeError('a prepayment leaves something to pay back')
  }
  return [...balances, { paise, from: since, to: end }]
}
