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
export function quotaOf(
  quota: ProductQuota,
  customerClass: string,
  orderNo: number,
): QuotaRange | null {
  return (
    quota.find(
      (part) =>
        part.customerClass === customerClass &&
        part.orderNoFrom <= orderNo &&
        (part.orderNoTo === null || orderNo <= part.orderNoTo),
    ) ?? null
  )
}

/** Where ranges go wrong: which of them, and at which end (or in its cap). */
export interface RangeFault {
  at: number
  part: 'from' | 'to' | 'cap'
}

/** The first place where ranges in this order do not cover every whole number from 1 on exactly once. */
function coverFault(ranges: readonly { from: number; to: number | null }[]): RangeFault | null {
  let next: number | null = 1
  for (const [at, { from, to }] of ranges.entries()) {
    // one without an end leaves nothing to those after it
    if (next === null) return { at: at - 1, part: 'to' }
    if (from !== next) return { at, part: 'from' }
    if (to !== null && to < from) return { at, part: 'to' }
    next = to === null ? null : to + 1
  }
  return next === null ? null : { at: ranges.length - 1, part: 'to' }
}

/** No gap and no overlap, the last without an end; a cap never falls, since what was charged stays charged. An empty list is no penalty. */
export function penaltyFault(penalty: readonly PenaltyRange[]): RangeFault | null {
  if (penalty.length === 0) return null
  let cap = 0
  for (const [at, { capRatio }] of penalty.entries()) {
    if (capRatio !== null && capRatio < cap) return { at, part: 'cap' }
    cap = capRatio ?? cap
  }
  return coverFault(penalty.map(({ dayFrom, dayTo }) => ({ from: dayFrom, to: dayTo })))
}

export function isPenaltyRight(penalty: readonly PenaltyRange[]): boolean {
  return penaltyFault(penalty) === null
}

/** Of each class that has a quota, no gap and no overlap. */
export function quotaFault(quota: ProductQuota): RangeFault | null {
  for (const one of CUSTOMER_CLASSES) {
    const own = [...quota.entries()].filter(([, { customerClass }]) => customerClass === one)
    const fault =
      own.length === 0
        ? null
        : coverFault(
            own.map(([, { orderNoFrom, orderNoTo }]) => ({ from: orderNoFrom, to: orderNoTo })),
          )
    if (fault !== null) return { ...fault, at: own[fault.at]?.[0] ?? fault.at }
  }
  return null
}

export function isQuotaRight(quota: ProductQuota): boolean {
  return quotaFault(quota) === null
}
