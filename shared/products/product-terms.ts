/**
 * Product terms that depend on the borrower or on overdue days, and the checks of their ranges.
 * Pure.
 */
import type { PenaltyRange } from '#shared/repayments/overdue-fine.ts'

export const CUSTOMER_CLASSES = ['new', 'old'] as const
export type CustomerClass = (typeof CUSTOMER_CLASSES)[number]

/** Limits for a class of borrowers at their n-th loan. */
export interface QuotaRange {
  customerClass: CustomerClass
  /** Loan numbers, both included; null = open end. */
  orderNoFrom: number
  orderNoTo: number | null
  /** Paise. */
  limit: number
  /** Number of instalments. */
  term: number
}
export type ProductQuota = readonly QuotaRange[]

/** Fee and commission of an extension: paise if fixed, basis points of the principal if a rate. */
export interface ProductExtension {
  enabled: boolean
  days: number
  feeType: 'fixed' | 'rate'
  fee: number
  commission: number
  maxTimes: number
}

/** The quota for that class and loan number; null = the product's own limits. */
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

/** The faulty range, and whether its start, end or cap is wrong. */
export interface RangeFault {
  at: number
  part: 'from' | 'to' | 'cap'
}

/** The first fault in consecutive ranges that must cover every whole number from 1 exactly once. */
function coverFault(ranges: readonly { from: number; to: number | null }[]): RangeFault | null {
  let next: number | null = 1
  for (const [at, { from, to }] of ranges.entries()) {
    // an open end must be the last
    if (next === null) return { at: at - 1, part: 'to' }
    if (from !== next) return { at, part: 'from' }
    if (to !== null && to < from) return { at, part: 'to' }
    next = to === null ? null : to + 1
  }
  return next === null ? null : { at: ranges.length - 1, part: 'to' }
}

/**
 * No gap, no overlap, an open last range, and caps that never decrease, because charged fines stay
 * charged. An empty list means no penalty.
 */
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

/** No gap and no overlap within each class that has a quota. */
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
