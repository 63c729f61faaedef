/** Loans as the model keeps them, and what is true of one without anybody acting. */
import type { PaymentType, PENALTIES, RequestKind, Who } from './actions.ts'

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

/** A moment: the day, then the place within it; what is told of a past day is of its evening. */
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
  isRecovery: boolean
  isReversed: boolean
  /** It came after the end of its order, and is the borrower's. */
  isCredit: boolean
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

export interface Request {
  kind: RequestKind
  payment: Payment | null
  state: 'pending' | 'approved' | 'rejected'
}

export interface Order {
  status: number
  /** Status a payment under way began from. */
  resume: number
  amount: number
  attempts: number
  disbursedOn: number
  overdueDays: number
  penalty: (typeof PENALTIES)[number]
  plans: Plan[]
  payments: Payment[]
  /** The newest, and all that there were. */
  reduction: Reduction | null
  reductions: Reduction[]
  /** The payment by which it left its cooling-off. */
  exit: Payment | null
  requests: Request[]
  /** Of a batch write-off, still to be recovered. */
  claim: number
  /** Extensions behind it. */
  extensions: number
}

export interface Borrower {
  order: Order | null
  penalty: (typeof PENALTIES)[number]
  isBlacklisted: boolean
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

export function newOrder(given: Pick<Order, 'status' | 'amount' | 'penalty'>): Order {
  return {
    resume: 0,
    attempts: 0,
    disbursedOn: 0,
    overdueDays: 0,
    plans: [],
    payments: [],
    reduction: null,
    reductions: [],
    exit: null,
    requests: [],
    claim: 0,
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
export function firstDue({ plans }: Order): number {
  return Math.min(...plans.filter((plan) => owes(plan) > 0).map(({ due }) => due))
}
