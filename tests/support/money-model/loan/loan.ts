/** Loans as the model keeps them, and what is true of one without anybody acting. */
import type { COUPONS, PaymentType, PENALTIES, RequestKind, Who } from '../actions.ts'

export interface Plan {
  due: number
  /** As it was planned. */
  planned: { principal: number; interest: number }
  principal: number
  interest: number
  fine: number
  /** Fine of days that stand still, not owed yet. */
  held: number
  /** Fines of all days: [day, paise]. */
  fines: [day: number, paise: number][]
  paid: number
  waived: number
  reduced: number
  /** Day on which nothing was owed any more; null while something is. */
  settledOn: number | null
  overdueDays: number
}

/** A moment: the day, then the place within it; what is reported for a past day counts at its end. */
export type Moment = readonly [day: number, place: number]
export const EVENING = Number.MAX_SAFE_INTEGER

export interface Payment {
  id: number
  amount: number
  day: number
  /** When it was paid, and when it was received. */
  at: Moment
  receivedAt: Moment
  state: 'inProgress' | 'success' | 'fail'
  type: PaymentType
  by: Who | null
  hasUtr: boolean
  surplus: number
  isReversed: boolean
  /** It came after the end of its order, and is the borrower's. */
  isCredit: boolean
  /** What it was booked with, until that is given back. */
  coupon: Grant | null
  /** Its channel called it failed after it had arrived, and nobody decided yet. */
  isContradicted: boolean
}

/** A coupon a borrower was given. */
export interface Grant {
  coupon: (typeof COUPONS)[number]
  state: 'unused' | 'used' | 'expired' | 'revoked'
  grantedOn: number
  validUntil: number
  /** Paise it came to. */
  amount: number
}

export interface Reduction {
  state: 'pending' | 'approved' | 'rejected' | 'used' | 'lapsed'
  fine: number
  interest: number
  approvedAt: Moment | null
  validUntil: number
  /** When and how it ended. */
  endedAt: Moment | null
  hasExpired: boolean
  isVoid: boolean
}

/** The parts in which a bad debt is paid. */
export interface Settlement {
  state: 'current' | 'kept' | 'broken' | 'ended'
  rows: { due: number; amount: number }[]
  /** Day of the request: fines stand as they stood then. */
  asOf: number
  startedAt: Moment
  endedAt: Moment | null
}

/** An attempt to pay the loan out. */
export interface Transfer {
  attempt: number
  state: 'inProgress' | 'success' | 'fail'
  /** What its vendor said after that, and what two people decided about it. */
  result: 'success' | 'fail' | null
  outcome: 'open' | 'paid' | 'notPaid' | null
  /** Paise that left beside the loan. */
  stray: number
}

export interface Request {
  kind: RequestKind
  payment: Payment | null
  transfer?: Transfer
  /** Paise that came back of it. */
  returned?: number
  /** Of a settlement plan that is asked for. */
  plan?: Pick<Settlement, 'rows' | 'asOf'>
  state: 'pending' | 'approved' | 'rejected'
}

export interface Order {
  status: number
  /** Status a payment under way began from. */
  resume: number
  amount: number
  attempts: number
  transfers: Transfer[]
  disbursedOn: number
  overdueDays: number
  penalty: (typeof PENALTIES)[number]
  plans: Plan[]
  payments: Payment[]
  /** The newest, and all that there were. */
  reduction: Reduction | null
  reductions: Reduction[]
  settlements: Settlement[]
  /** The payment by which it left its cooling-off. */
  exit: Payment | null
  requests: Request[]
  /** Of a batch write-off, still to be recovered. */
  claim: number
  /** Day on which it was written off. */
  endedOn: number
  /** Extensions behind it. */
  extensions: number
}

export interface Borrower {
  order: Order | null
  penalty: (typeof PENALTIES)[number]
  isBlacklisted: boolean
  grants: Grant[]
  /** Refused by a rule: the day from which the customer may apply again. */
  barredUntil: number
}

export const CLOSED = [21, 23, 27, 40, 41, 70, 100, 110]
export const RUNNING = [30, 43, 50, 90]
/** Half up to the paisa. */
export const portion = (amount: number, rate: number, of: number) =>
  Number((BigInt(amount) * BigInt(rate) * 2n + BigInt(of)) / (2n * BigInt(of)))
export const owes = ({
  principal,
  interest,
  fine,
}: Pick<Plan, 'principal' | 'interest' | 'fine'>) => principal + interest + fine
export const total = (plans: readonly Pick<Plan, 'principal' | 'interest' | 'fine'>[]) =>
  plans.reduce((sum, plan) => sum + owes(plan), 0)
export const isBefore = (one: Moment, other: Moment) =>
  one[0] < other[0] || (one[0] === other[0] && one[1] < other[1])

/** What a coupon gives up of open instalments with a payment. */
export function discountOf({ coupon }: Grant, plans: readonly Plan[], paid: number): number {
  if (paid < coupon.least) return 0
  const open = plans.reduce((sum, plan) => sum + plan[coupon.part], 0)
  const value =
    coupon.rate === null ? coupon.most : Math.min(coupon.most, portion(open, coupon.rate, 10_000))
  return Math.min(open, value)
}

export function newOrder(given: Pick<Order, 'status' | 'amount' | 'penalty'>): Order {
  return {
    resume: 0,
    attempts: 0,
    transfers: [],
    disbursedOn: 0,
    overdueDays: 0,
    plans: [],
    payments: [],
    reduction: null,
    reductions: [],
    settlements: [],
    exit: null,
    requests: [],
    claim: 0,
    endedOn: 0,
    extensions: 0,
    ...given,
  }
}

export function newPlan(due: number, planned: Plan['planned']): Plan {
  return {
    due,
    planned,
    ...planned,
    fine: 0,
    held: 0,
    fines: [],
    paid: 0,
    waived: 0,
    reduced: 0,
    settledOn: null,
    overdueDays: 0,
  }
}

export function isOpen({ state }: Reduction): boolean {
  return state === 'pending' || state === 'approved'
}
export function hasOpenPayment({ payments }: Order): boolean {
  return payments.some(({ state }) => state === 'inProgress')
}
/** Of a payment that the order waits for. */
export function isPaying({ payments }: Order): boolean {
  return payments.some(({ state, type }) => state === 'inProgress' && type !== 'coolingOff')
}
export function isBusy(order: Order): boolean {
  return hasOpenPayment(order) || (order.reduction !== null && isOpen(order.reduction))
}
export function currentOf({ settlements }: Order): Settlement | null {
  return settlements.find(({ state }) => state === 'current') ?? null
}
/** Days since the oldest row that the fall of the debt does not cover; 0 while none is late. */
export function lateRowDays(settlement: Settlement, { plans }: Order, day: number): number {
  const asked = settlement.rows.reduce((sum, { amount }) => sum + amount, 0)
  let paid = asked - total(plans)
  for (const { due, amount } of settlement.rows) {
    paid -= amount
    if (paid < 0) return Math.max(0, day - due)
  }
  return 0
}
/** Days by which a running order is late. */
export function lateDays(order: Order, day: number): number {
  const open = order.plans.some((plan) => owes(plan) > 0)
  const late = open ? Math.max(0, day - firstDue(order)) : 0
  const settlement = currentOf(order)
  return settlement === null ? late : Math.min(late, lateRowDays(settlement, order, day))
}
export function firstDue({ plans }: Order): number {
  return Math.min(...plans.filter((plan) => owes(plan) > 0).map(({ due }) => due))
}
