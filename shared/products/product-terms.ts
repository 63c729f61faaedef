/** Parts of a product's terms that follow the borrower or the days, and what makes their ranges right. Pure. */
import type { PenaltyRange } from '#shared/repayments/overdue-fine.ts'

export const CUSTOMER_CLASSES = ['new', 'old'] as const
export type CustomerClass = (typeof CUSTOMER_CLASSES)[number]

/** What borrowers of a class may have with their n-th loan. */
export interface QuotaRange {
  customerClass: CustomerClass
  /** Numbers of the borrower's loan, both included; null = no end. */
  orderNoFrom: number
  orderNoTo: number | null
  /** Paise. */
  limit: number
  /** Instalments. */
  term: number
}
export type ProductQuota = readonly QuotaRange[]

/** Fee and commission of an extension: paise when fixed, basis points of the principal when a rate. */
export interface ProductExtension {
  enabled: boolean
  days: number
  feeType: 'fixed' | 'rate'
  fee: number
  commission: number
  maxTimes: number
}

/** The part of the quota for that class and loan; null = the product's own amounts and instalments. */
export function quotaOf(quota: ProductQuota, customerClass: string, orderNo: number): QuotaRange | null {
  return quota.find((part) => part.customerClass === customerClass && part.orderNoFrom <= orderNo && (part.orderNoTo === null || orderNo <= part.orderNoTo)) ?? null
}

/** Whether ranges in this order cover every whole number from 1 on exactly once. */
function coversFromOne(ranges: readonly { from: number; to: number | null }[]): boolean {
  let next: number | null = 1
  for (const { from, to } of ranges) {
    if (from !== next || (to !== null && to < from)) return false
    next = to === null ? null : to + 1
  }
  return next === null
}

/** No gap and no overlap, the last without an end; a cap never falls, since what was charged stays charged. An empty list is no penalty. */
export function isPenaltyRight(penalty: readonly PenaltyRange[]): boolean {
  if (penalty.length === 0) return true
  let cap = 0
  for (const { capRatio } of penalty) {
    if (capRatio !== null && capRatio < cap) return false
    cap = capRatio ?? cap
  }
  return coversFromOne(penalty.map(({ dayFrom, dayTo }) => ({ from: dayFrom, to: dayTo })))
}

/** Of each class that has a quota, no gap and no overlap. */
export function isQuotaRight(quota: ProductQuota): boolean {
  return CUSTOMER_CLASSES.every((one) => {
    const own = quota.filter(({ customerClass }) => customerClass === one)
    return own.length === 0 || coversFromOne(own.map(({ orderNoFrom, orderNoTo }) => ({ from: orderNoFrom, to: orderNoTo })))
  })
}
