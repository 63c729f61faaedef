/** The EMI products of the demo lender, and what is agreed with a borrower of one. */
import { istDay } from '#shared/kernel/time.ts'
import type { EmiConfig } from '#shared/products/emi-offer.ts'
import { PARTS } from '#shared/repayments/allocate-payment.ts'
import { amountsOf } from '#gateway/manage/features/orders/amounts-of.ts'
import { emiTermsOf } from '#gateway/manage/features/orders/order-terms.ts'
import { type Life, newLife } from './life.ts'
import { APPS, type Product } from './products.ts'

export const EMI_CONFIGS = {
  AP001: {
    minAmount: 2_000_000,
    maxAmount: 20_000_000,
    instalments: [6, 9, 12, 18, 24],
    annualRate: 2_400,
    processingFee: 200,
    dueDay: 5,
    graceDays: 3,
    bounceCharge: 30_000,
    prepayment: 'fewerInstalments',
    coolingOffDays: 3,
  },
  AP002: {
    minAmount: 1_500_000,
    maxAmount: 10_000_000,
    instalments: [3, 6, 12],
    annualRate: 2_100,
    processingFee: 150,
    dueDay: 10,
    graceDays: 5,
    bounceCharge: 25_000,
    prepayment: 'lowerInstalments',
    coolingOffDays: 3,
  },
} as const satisfies Record<(typeof APPS)[number]['id'], EmiConfig>

export const EMI_PRODUCTS: readonly Product[] = APPS.map(({ id, name }, i) => {
  const config = EMI_CONFIGS[id]
  const periods = Math.max(...config.instalments)
  return {
    id: `PR01${id.slice(-1)}`,
    appId: id,
    name: `${name} EMI`,
    minAmount: config.minAmount,
    maxAmount: config.maxAmount,
    tenureDays: periods * 30,
    periods,
    daysPerPeriod: 30,
    serviceRate: config.processingFee,
    dailyRate: 0,
    penaltyRate: 8,
    coolingOffDays: config.coolingOffDays,
    sort: 11 + i,
  }
})

/** Parameters `emi.gstRate` and `order.badDebtDays` as they come. */
const GST_RATE = 1_800
const BAD_DEBT_DAYS = 91

/** @throws RangeError for a number of instalments that the app's product does not offer */
export function newEmiLife(
  createdAt: number,
  appId: keyof typeof EMI_CONFIGS,
  { amount, instalments }: { amount: number; instalments: number },
  tags: string[],
): Life {
  const product = EMI_PRODUCTS.find((one) => one.appId === appId) as Product
  const life = newLife(createdAt, product, amount, tags)
  life.emi = emiTermsOf(
    { penalty: null, penalty_rate: product.penaltyRate },
    { config: EMI_CONFIGS[appId], gstRate: GST_RATE },
    { amount, instalments, parts: PARTS, badDebtDays: BAD_DEBT_DAYS },
  )
  life.term = instalments
  agreeOn(life, istDay(createdAt))
  return life
}

/** The amounts of an EMI loan that is paid out on the day. */
export function agreeOn(life: Life, day: string): void {
  if (life.emi === null) return
  const { serviceCharge, interest, tenureDays } = amountsOf(life.amount, life.emi, day)
  Object.assign(life, { serviceCharge, interest, tenureDays })
}
