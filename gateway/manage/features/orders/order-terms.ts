/**
 * The terms an order is made with (`product_snapshot`): whatever the product says later, the order keeps them. What protects the
 * borrower - calling hours of microfinance, a product that is switched off - follows the product as it is.
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
  /** Basis points of the amount; per day of the principal. */
  service_rate: number
  daily_rate: number
  /** Fine of every overdue day, unless `penalty` has ranges. */
  penalty_rate: number
  cooling_off_days: number
  quota: ProductQuota
  penalty: Penalty | null
  extend: ProductExtension | null
}

/** Columns of `product p` that `ProductRow` reads. */
export const PRODUCT_TERMS = sql.raw(
  'p.min_amount, p.max_amount, p.tenure_days, p.periods, p.days_per_period, p.service_rate, p.daily_rate, p.penalty_rate, p.cooling_off_days, p.quota, p.penalty, p.extend',
)

export interface OrderTerms {
  serviceRate: number
  dailyRate: number
  penalty: Penalty
  periods: number
  daysPerPeriod: number
  coolingOffDays: number
  minAmount: number
  /** Paise: of the product, or less for this borrower's class and number of loans. */
  maxAmount: number
  extend: ProductExtension | null
}

/** What the product offers this borrower. @param orderNo of the borrower's loans, this one included */
export function termsOf(product: ProductRow, customerClass: string, orderNo: number): OrderTerms {
  const quota = quotaOf(product.quota, customerClass, orderNo)
  // a range narrows what the product offers, and never widens it
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

/** What overdue days of `loan_order o` cost; orders made before terms had ranges keep one rate. */
export const penaltyOfOrder: RawBuilder<Penalty> = sql`coalesce(o.product_snapshot -> 'penalty',
  jsonb_build_array(jsonb_build_object('dayFrom', 1, 'dayTo', null, 'rate', coalesce((o.product_snapshot ->> 'penaltyRate')::int, 0), 'capRatio', null)))`
