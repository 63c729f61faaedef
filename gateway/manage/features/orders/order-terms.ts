/**
 * The terms an order was made with (`product_snapshot`): later product changes do not affect them.
 * Borrower protection - calling hours of microfinance, a switched-off product - always follows the
 * current product.
 */
import { type RawBuilder, sql } from 'kysely'
import {
  quotaOf,
  type ProductExtension,
  type ProductQuota,
} from '#shared/products/product-terms.ts'
import { type Penalty, singleRate } from '#shared/repayments/overdue-fine.ts'

export interface ProductRow {
  min_amount: number
  max_amount: number
  tenure_days: number
  periods: number
  days_per_period: number
  /** Basis points: of the amount, and per day of the principal. */
  service_rate: number
  daily_rate: number
  /** Fine per overdue day, unless `penalty` has ranges. */
  penalty_rate: number
  cooling_off_days: number
  quota: ProductQuota
  penalty: Penalty | null
  extend: ProductExtension | null
}

/** Columns of `product p` that `ProductRow` needs. */
export const PRODUCT_TERMS = sql`
  p.min_amount, p.max_amount, p.tenure_days, p.periods, p.days_per_period, p.service_rate,
  p.daily_rate, p.penalty_rate, p.cooling_off_days, p.quota, p.penalty, p.extend`

export interface OrderTerms {
  serviceRate: number
  dailyRate: number
  penalty: Penalty
  periods: number
  daysPerPeriod: number
  coolingOffDays: number
  minAmount: number
  /** Paise: the product's amount, or less for this borrower's risk class and number of loans. */
  maxAmount: number
  extend: ProductExtension | null
}

/**
 * The terms the product offers this borrower.
 * @param orderNo count of the borrower's loans, including this one
 */
export function termsOf(product: ProductRow, customerClass: string, orderNo: number): OrderTerms {
  const quota = quotaOf(product.quota, customerClass, orderNo)
  // a range can only narrow the product's limits
  const periods = Math.min(product.periods, quota?.term ?? product.periods)
  return {
    serviceRate: product.service_rate,
    dailyRate: product.daily_rate,
    penalty: product.penalty ?? singleRate(product.penalty_rate),
    periods,
    daysPerPeriod: product.days_per_period,
    coolingOffDays: product.cooling_off_days,
    minAmount: product.min_amount,
    maxAmount: Math.min(product.max_amount, quota?.limit ?? product.max_amount),
    extend: product.extend,
  }
}

/** The fine for overdue days of `loan_order o`; orders older than the ranges have one rate. */
export const penaltyOfOrder: RawBuilder<Penalty> = sql`coalesce(o.product_snapshot -> 'penalty',
  jsonb_build_array(jsonb_build_object('dayFrom', 1, 'dayTo', null, 'rate',
    coalesce((o.product_snapshot ->> 'penaltyRate')::int, 0), 'capRatio', null)))`
