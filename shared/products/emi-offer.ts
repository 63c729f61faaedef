/**
 * What an EMI product offers for an amount: charges, plan and annual rate, as its key facts
 * statement shows them. Pure; paise, basis points and IST days.
 */
import { share } from '#shared/kernel/money.ts'
import { daysBetween } from '#shared/kernel/time.ts'
import { aprOf } from '#shared/orders/apr.ts'
import { firstPeriod } from '#shared/repayments/emi/emi-period.ts'
import {
  emiOf,
  emiPlan,
  type EmiTerms,
  type PlannedInstalment,
} from '#shared/repayments/emi/emi-plan.ts'
import { type PrepaymentEffect } from '#shared/repayments/emi/prepayment-effects.ts'
import type { Part } from '#shared/repayments/allocate-payment.ts'
import type { Penalty } from '#shared/repayments/overdue-fine.ts'

/** Numbers of instalments a product may offer. */
export const LEAST_INSTALMENTS = 2
export const MOST_INSTALMENTS = 36

/** Terms of an EMI product. */
export interface EmiConfig {
  /** Paise. */
  minAmount: number
  maxAmount: number
  /** Numbers of instalments a borrower may choose from, ascending. */
  instalments: readonly number[]
  /** Basis points a year. */
  annualRate: number
  /** Basis points of the amount, without GST; kept when the loan is paid out. */
  processingFee: number
  /** Day of the month, 1 to 28. */
  dueDay: number
  /** Days after the due day that cost no fine. */
  graceDays: number
  /** Paise for each debit that the bank returned. */
  bounceCharge: number
  /** What a prepayment changes unless the borrower chooses otherwise. */
  prepayment: PrepaymentEffect
  coolingOffDays: number
}

/** EMI terms as an order keeps them; what is left out is with the terms of every order. */
export interface EmiAgreement {
  annualRate: number
  instalments: number
  dueDay: number
  graceDays: number
  bounceCharge: number
  prepayment: PrepaymentEffect
  /** Paise kept at disbursement: the fee, and the GST on it. */
  fee: number
  gst: number
  /** Parameters of the day it was agreed on: what a payment clears first, and order.badDebtDays. */
  parts: readonly Part[]
  badDebtDays: number
}

export interface EmiOffer {
  fee: number
  gst: number
  /** Paise that reach the borrower. */
  arrival: number
  interest: number
  /** Paise to pay back. */
  contract: number
  /** Basis points. */
  apr: number
  plan: readonly PlannedInstalment[]
}

/**
 * @param gstRate basis points of the fee
 * @param day IST day of the disbursement
 * @throws RangeError for an amount too small for so many instalments, or charges that leave nothing
 */
export function emiOffer(
  { annualRate, processingFee, dueDay }: EmiConfig,
  { amount, instalments }: { amount: number; instalments: number },
  gstRate: number,
  day: string,
): EmiOffer {
  const fee = Number(share(BigInt(amount), BigInt(processingFee)))
  const gst = Number(share(BigInt(fee), BigInt(gstRate)))
  const terms = { principal: BigInt(amount), annualRate, instalments, dueDay }
  const plan = emiPlan(terms, day)
  const interest = Number(plan.reduce((sum, row) => sum + row.interest, 0n))
  const arrival = amount - fee - gst
  return {
    fee,
    gst,
    arrival,
    interest,
    contract: amount + interest,
    apr: aprOfEmi(terms, day, BigInt(arrival)),
    plan,
  }
}

/**
 * Annual percentage rate of an EMI loan.
 * @param disbursedOn IST day
 * @param net paise that reach the borrower
 * @returns basis points
 */
export function aprOfEmi(terms: EmiTerms, disbursedOn: string, net: bigint): number {
  const { from, monthFrom } = firstPeriod(disbursedOn, terms.dueDay)
  return aprOf({
    net,
    instalments: emiPlan(terms, disbursedOn).map(({ principal, interest }, i) => ({
      paise: principal + interest,
      after: { months: 1, days: i === 0 ? daysBetween(from, monthFrom) : 0 },
    })),
  })
}

/** Overdue days within the grace days cost nothing; later days keep their numbers. */
export function withGrace(penalty: Penalty, graceDays: number): Penalty {
  if (graceDays === 0 || penalty.length === 0) return penalty
  return [
    { dayFrom: 1, dayTo: graceDays, rate: 0, capRatio: null },
    ...penalty
      .filter(({ dayTo }) => dayTo === null || dayTo > graceDays)
      .map((range) => ({ ...range, dayFrom: Math.max(range.dayFrom, graceDays + 1) })),
  ]
}

/** A field of the terms that is wrong, with the key of what is wrong with it. */
export type EmiFault = Partial<Record<'maxAmount' | 'instalments' | 'processingFee', string>>

/** Checks that the terms make a plan for every amount and number they offer. */
export function emiFault(config: EmiConfig, gstRate: number): EmiFault {
  const { minAmount, maxAmount, instalments, annualRate, processingFee } = config
  if (maxAmount < minAmount) return { maxAmount: 'products:fault.amounts' }
  const most = Math.max(...instalments)
  if (!isPlan(minAmount, annualRate, most)) return { instalments: 'products:emi.fault.instalments' }
  const fee = share(BigInt(minAmount), BigInt(processingFee))
  return fee + share(fee, BigInt(gstRate)) < BigInt(minAmount)
    ? {}
    : { processingFee: 'products:emi.fault.fee' }
}

function isPlan(amount: number, annualRate: number, instalments: number): boolean {
  try {
    emiOf(BigInt(amount), annualRate, instalments)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
