/**
 * A loan as it was agreed and all that happened to it since. Every entry has the instant from which
 * it counts, its value, whenever somebody learned of it. Amounts are whole paise, days are IST days
 * (`2026-11-21`), instants are ISO 8601.
 */
import type { CouponTerms } from '#shared/coupons/coupon-amount.ts'
import type { Part } from '../allocate-payment.ts'
import type { Penalty } from '../overdue-fine.ts'
import type { EmiTerms } from '../emi/emi-plan.ts'
import type { PrepaymentEffect } from '../emi/prepayment-effects.ts'
import type { ReduceItems } from '../reduction-sets.ts'

/** An instalment as it was planned. */
export interface PlanTerms {
  planId: string
  /** IST day; the first overdue day is the one after. */
  dueDay: string
  principal: number
  interest: number
  service: number
}

export interface EmiLoan {
  orderId: string
  terms: EmiTerms
  /** IST day. */
  disbursedOn: string
}

export interface LoanTerms {
  /** Oldest due first. */
  plans: readonly PlanTerms[]
  penalty: Penalty
  /** On this overdue day the loan becomes a bad debt. */
  badDebtDays: number
  /** What a payment clears first. */
  parts: readonly Part[]
  /** Of an EMI loan; `plans` are then its instalments as agreed. */
  emi?: EmiLoan & {
    /** Default effect of a prepayment; a payment may choose another. */
    prepayment: PrepaymentEffect
  }
}

export interface Payment {
  id: string
  /** Instant it was paid. */
  at: string
  amount: number
  /** The reduction it may settle the loan with. */
  reduceId: string | null
  /** A coupon that gives up fees with it; it then uses no reduction. */
  coupon?: UsedCoupon | null
  /** Of an EMI loan: all that is left after what is due is a prepayment, with this effect. */
  ahead?: PrepaymentEffect | null
  /** Taken back: it never counted. */
  isReversed?: boolean
}

/** A debit for a payment of an EMI loan that the bank returned. */
export interface Bounce {
  /** Of the failed payment. */
  id: string
  /** Instant of its presentation. */
  at: string
  /** Paise that it costs. */
  charge: number
}

export interface UsedCoupon {
  grantId: string
  terms: CouponTerms
}

/** What an approved reduction gives up once the rest is paid. */
export interface Reduction {
  id: string
  items: ReduceItems
}

/**
 * Days on which fines stand still. They are charged at the end of the stop, each on the principal
 * of its day, on instalments that are still open then.
 */
export interface Stop {
  /** The last IST day before it whose fine is charged. */
  from: string
  /** Instant it ends; null while it runs. */
  until: string | null
  /** Instant at which the bad debt is cured; null for a stop that cures none. */
  curedAt: string | null
}

/** A loan that ends without being paid back: what is open is given up, or carried on elsewhere. */
export interface LoanEnd {
  kind: 'writtenOff' | 'extended'
  at: string
}

export interface LoanHistory {
  payments: readonly Payment[]
  reductions: readonly Reduction[]
  stops: readonly Stop[]
  bounces?: readonly Bounce[]
  end: LoanEnd | null
  /** IST day at whose beginning the rest of an EMI loan was called in. */
  calledInOn?: string | null
}
