/**
 * The actions on a loan, and the terms of the loans, for the model and for the product beside it.
 */
export const BORROWERS = 2
export const TERMS = {
  periods: 2,
  daysPerPeriod: 3,
  serviceRate: 1_000,
  dailyRate: 7,
  coolingOffDays: 1,
  badDebtDays: 5,
  maxAttempts: 3,
  checkAbove: 5_000_000,
} as const
/**
 * Fines of the loans of each borrower, by ranges of overdue days: basis points a day, and of the
 * planned principal what fines may reach by the end of the range.
 */
export const PENALTIES = [
  [{ dayFrom: 1, dayTo: null, rate: 10, capRatio: null }],
  [
    { dayFrom: 1, dayTo: 2, rate: 10, capRatio: null },
    { dayFrom: 3, dayTo: 6, rate: 20, capRatio: 75 },
    { dayFrom: 7, dayTo: null, rate: 7, capRatio: 90 },
  ],
] as const
/** Of an extension: basis points of the open principal. */
export const EXTENSION = { days: 3, fee: 400, commission: 60, maxTimes: 2 } as const

/**
 * Coupons: what each gives up of its part, in paise or basis points with the most in paise, from
 * which payment on, and on how many days after that of its grant.
 */
export const COUPONS = [
  { part: 'fine', rate: null, most: 100, least: 0, days: 2 },
  { part: 'interest', rate: 5_000, most: 2_000, least: 20_000, days: 3 },
] as const

/** `manager` requests, the others decide or are refused. */
export type Who = 'manager' | 'manager2' | 'director' | 'customer_service'

export type PaymentType = 'channel' | 'staff' | 'coolingOff' | 'rollover'
/** What waits for a second person. */
export type RequestKind =
  | 'redisburse'
  | 'batchWriteOff'
  | 'reversePayment'
  | 'cure'
  | 'paymentStands'
  | 'transferPaid'
  | 'transferNotPaid'
  | 'strayReturned'

export type Action =
  | { kind: 'apply'; borrower: number; amount: number }
  | { kind: 'judge'; borrower: number; result: 'passed' | 'undecided' | 'failed' | 'limitFailed' }
  | { kind: 'review'; borrower: number; result: 'passed' | 'failed' }
  | { kind: 'dispatch' }
  | { kind: 'payout'; borrower: number; result: 'success' | 'fail'; attempt: number }
  | { kind: 'cancel'; borrower: number }
  | { kind: 'redisburse' | 'cancelDisbursement' | 'batchWriteOff'; borrower: number }
  /** The channel reports a payment; `day` null = now. */
  | {
      kind: 'pay'
      borrower: number
      payment: number
      amount: number
      day: number | null
      result: 'success' | 'processing' | 'fail'
      utrOf: number | null
    }
  /** A person books one. */
  | {
      kind: 'book'
      borrower: number
      payment: number
      who: Who
      type: 'full' | 'partial' | 'coolingOff' | 'rollover'
      amount: number
      /** When it was paid; null = now. */
      day: number | null
      utrOf: number | null
      /** Place of the coupon it uses among those of the borrower. */
      coupon: number | null
    }
  /** Place among COUPONS, or among those of the borrower. */
  | { kind: 'grant' | 'revokeCoupon'; borrower: number; coupon: number }
  | {
      kind: 'confirm'
      borrower: number
      payment: number
      type: PaymentType
      who: Who
      result: 'success' | 'fail'
    }
  | { kind: 'launch'; borrower: number; fine: number; interest: number; days: number }
  | { kind: 'decide'; borrower: number; who: Who; result: 'approved' | 'rejected' }
  | { kind: 'revoke' | 'withdraw'; borrower: number; who: Who }
  | { kind: 'writeOff'; borrower: number; who: Who; amount: number }
  | { kind: 'reverse'; borrower: number; payment: number; type: PaymentType }
  /** Days and paise of a settlement plan. */
  | { kind: 'cure'; borrower: number; rows: { due: number; amount: number }[] }
  /** A partner says the opposite of what it said before. */
  | { kind: 'contradict'; borrower: number; payment: number; result: 'success' | 'fail' }
  | { kind: 'contradictPayout'; borrower: number; attempt: number; result: 'success' | 'fail' }
  /** What a person found out about it. */
  | { kind: 'keep'; borrower: number; payment: number }
  | { kind: 'resolve'; borrower: number; attempt: number; type: 'paid' | 'notPaid' }
  /** Money that left twice came back, whole or in part. */
  | { kind: 'returnStray'; borrower: number; attempt: number; amount: number }
  | {
      kind: 'decideRequest'
      borrower: number
      request: number
      type: RequestKind | PaymentType
      who: Who
      result: 'approved' | 'rejected'
    }
  | { kind: 'day'; days: number }
