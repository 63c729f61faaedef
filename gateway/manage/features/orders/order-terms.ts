/**
 * The terms an order was made with (`product_snapshot`): later product changes do not affect them.
 * Borrower protection - calling hours of microfinance, a switched-off product - always follows the
 * current product.
 */
import { type RawBuilder, sql } from 'kysely'
import { share } from '#shared/kernel/money.ts'
import {
  quotaOf,
  type ProductExtension,
  type ProductQuota,
} from '#shared/products/product-terms.ts'
import { type EmiAgreement, type EmiConfig, withGrace } from '#shared/products/emi-offer.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { Part } from '#shared/repayments/allocate-payment.ts'
import { type Penalty, singleRate } from '#shared/repayments/overdue-fine.ts'
import { parameterValue } from '#gateway/manage/kernel/parameters.ts'

/** Before money leaves nothing hangs on the terms. */
export const OPEN_TO_TERMS: readonly OrderStatus[] = [10, 20, 22, 26]

/** A month, where terms count days of an instalment. */
const DAYS_OF_MONTH = 30

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
  /** Terms of an EMI product, and basis points of GST on its fee. */
  emi: { config: EmiConfig; gstRate: number } | null
}

/** Columns of `product p` that `ProductRow` needs. */
export const PRODUCT_TERMS = sql`
  p.min_amount, p.max_amount, p.tenure_days, p.periods, p.days_per_period, p.service_rate,
  p.daily_rate, p.penalty_rate, p.cooling_off_days, p.quota, p.penalty, p.extend,
  case when p.kind = 'emi' then (select json_build_object('config', e.config, 'gstRate',
    (${parameterValue('emi.gstRate')})::int) from emi_app e where e.app_id = p.app_id) end as emi`

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
  /** Of a loan in equated monthly instalments; others have even ones. */
  emi?: EmiAgreement
  /** The coupon that raised `maxAmount`, and by how many paise. */
  coupon?: { grantId: string; raise: number }
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

/** What is agreed with the borrower of an EMI loan, beside the terms of every order. */
export interface EmiChoice {
  amount: number
  instalments: number
  /** Parameters repay.order and order.badDebtDays, which stay with the loan. */
  parts: readonly Part[]
  badDebtDays: number
}

/**
 * The terms of an EMI loan.
 * @throws RangeError for a number of instalments that the product does not offer
 */
export function emiTermsOf(
  { penalty, penalty_rate }: Pick<ProductRow, 'penalty' | 'penalty_rate'>,
  { config, gstRate }: NonNullable<ProductRow['emi']>,
  { amount, instalments, parts, badDebtDays }: EmiChoice,
): OrderTerms & { emi: EmiAgreement } {
  if (!config.instalments.includes(instalments))
    throw new RangeError(`the product is not offered in ${instalments} instalments`)
  const fee = Number(share(BigInt(amount), BigInt(config.processingFee)))
  const { annualRate, dueDay, graceDays, bounceCharge, prepayment } = config
  return {
    serviceRate: config.processingFee,
    dailyRate: 0,
    penalty: withGrace(penalty ?? singleRate(penalty_rate), graceDays),
    periods: instalments,
    daysPerPeriod: DAYS_OF_MONTH,
    coolingOffDays: config.coolingOffDays,
    minAmount: config.minAmount,
    maxAmount: config.maxAmount,
    extend: null,
    emi: {
      annualRate,
      instalments,
      dueDay,
      graceDays,
      bounceCharge,
      prepayment,
      fee,
      gst: Number(share(BigInt(fee), BigInt(gstRate))),
      parts,
      badDebtDays,
    },
  }
}

/** The fine for overdue days of `loan_order o`; orders older than the ranges have one rate. */
export const penaltyOfOrder: RawBuilder<Penalty> = sql`coalesce(o.product_snapshot -> 'penalty',
  jsonb_build_array(jsonb_build_object('dayFrom', 1, 'dayTo', null, 'rate',
    coalesce((o.product_snapshot ->> 'penaltyRate')::int, 0), 'capRatio', null)))`
