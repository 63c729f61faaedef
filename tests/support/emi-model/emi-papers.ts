/** What is told and agreed about an EMI loan, and the rows of its plan. */
import type { Instalment } from './emi-plan.ts'

/** Place among everything that is reported, on its day. */
export type Moment = readonly [day: number, place: number]

export interface Payment {
  at: Moment
  amount: number
  /** Says that it is paid ahead, and with which effect. */
  isLower: boolean | null
  isReversed: boolean
  /** It came after the end of its loan, and is the borrower's. */
  isCredit: boolean
  surplus: number
  receivedAt: Moment
  coupon: Grant | null
}

export interface Agreed {
  amount: number
  instalments: number
  paidOut: number
}

export interface Row extends Instalment {
  kind: 'instalment' | 'prepayment' | 'rest'
  /** For returned debits. */
  service: number
  open: { principal: number; interest: number; service: number; fine: number }
  fined: number
  /** Fines of days that stand still. */
  held: number
  reduced: number
  /** In the order of the payments. */
  paid: [payment: Payment, paise: number][]
  settledOn: number | null
}

/** What may be given up: never principal. */
export interface Fees {
  fine: number
  service: number
  interest: number
}

export interface Reduction {
  state: 'approved' | 'used' | 'lapsed'
  items: Fees
  approvedAt: Moment
  validUntil: number
  endedAt: Moment | null
  hasExpired: boolean
  /** The payment that settled the loan with it was taken back. */
  isVoid: boolean
}

export interface Settlement {
  state: 'current' | 'kept' | 'broken' | 'ended'
  rows: { due: number; amount: number }[]
  startedAt: Moment
  endedAt: Moment | null
}

/** Each is fixed or a rate of what is open of its part, and valid for so many days. */
export const COUPONS = [
  { part: 'fine', rate: null, most: 300, least: 0, days: 40 },
  { part: 'interest', rate: 5_000, most: 4_000, least: 50_000, days: 25 },
  { part: 'service', rate: null, most: 15_000, least: 0, days: 60 },
] as const

export interface Grant {
  coupon: (typeof COUPONS)[number]
  state: 'unused' | 'used' | 'expired'
  grantedOn: number
  amount: number
}

export function owes({ open }: Pick<Row, 'open'>): number {
  return open.principal + open.interest + open.service + open.fine
}

export function compare(one: Moment, other: Moment): number {
  return one[0] - other[0] || one[1] - other[1]
}
