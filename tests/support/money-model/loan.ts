/** Loans as the model keeps them, and what is true of one without anybody acting. */
import { type PaymentType, type RequestKind, TERMS, type Who } from './actions.ts'

export interface Cleared {
  principal: number
  interest: number
  fine: number
  /** Fine taken back, because the money was paid in time. */
  corrected: number
  /** Interest an exit out of the cooling-off gave up. */
  waived: number
}

export interface Plan {
  due: number
  principal: number
  interest: number
  fine: number
  paid: number
  waived: number
  reduced: number
  /** Fines are charged up to this day. */
  fineTo: number
  overdueDays: number
}

export interface Payment {
  id: number
  amount: number
  day: number
  state: 'inProgress' | 'success' | 'fail'
  type: PaymentType
  by: Who | null
  hasUtr: boolean
  surplus: number
  isRecovery: boolean
  isReversed: boolean
  /** By plan. */
  cleared: Map<Plan, Cleared>
}

export interface Reduction {
  state: 'pending' | 'approved' | 'rejected' | 'used' | 'lapsed'
  fine: number
  interest: number
  frozenOn: number
  validUntil: number
  /** What was given up with it, by plan. */
  given: Map<Plan, { fine: number; interest: number }>
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
  plans: Plan[]
  payments: Payment[]
  /** The newest. */
  reduction: Reduction | null
  requests: Request[]
  /** Of a batch write-off, still to be recovered. */
  claim: number
  /** Extensions behind it. */
  extensions: number
}

export interface Borrower {
  order: Order | null
  isBlacklisted: boolean
  /** Refused by a rule: the day from which he may apply again. */
  barredUntil: number
}

export const CLOSED = [21, 23, 27, 40, 41, 70, 100, 110]
export const RUNNING = [30, 43, 50, 90]
/** Half up to the paisa. */
export const portion = (amount: number, rate: number, of: number) =>
  Number((BigInt(amount) * BigInt(rate) * 2n + BigInt(of)) / (2n * BigInt(of)))
export const perDay = (principal: number) => portion(principal, TERMS.fineRate, 10_000)
export const owes = ({
  principal,
  interest,
  fine,
}: Pick<Plan, 'principal' | 'interest' | 'fine'>) => principal + interest + fine
export const total = (plans: readonly Pick<Plan, 'principal' | 'interest' | 'fine'>[]) =>
  plans.reduce((sum, plan) => sum + owes(plan), 0)

export function newOrder(given: Pick<Order, 'status' | 'amount'>): Order {
  return {
    resume: 0,
    attempts: 0,
    disbursedOn: 0,
    overdueDays: 0,
    plans: [],
    payments: [],
    reduction: null,
    requests: [],
    claim: 0,
    extensions: 0,
    ...given,
  }
}

export function newPlan(given: Pick<Plan, 'due' | 'principal' | 'interest'>): Plan {
  return { fine: 0, paid: 0, waived: 0, reduced: 0, fineTo: given.due, overdueDays: 0, ...given }
}

/** Fines are charged up to it: while an approved reduction waits for its money they stand still. */
export function fineDayOf({ reduction }: Order, day: number): number {
  return reduction?.state === 'approved' && day <= reduction.validUntil
    ? Math.min(day, reduction.frozenOn)
    : day
}

export function charge(plan: Plan, to: number): void {
  const fine = Math.max(0, to - plan.fineTo) * perDay(plan.principal)
  if (fine === 0) return
  plan.fine += fine
  plan.fineTo = to
}

/** What the reduction gives up once the rest is paid, oldest instalment first. */
export function asideOf(
  { reduction }: Order,
  asOf: readonly { plan: Plan; fine: number }[],
  day: number,
): Map<Plan, { fine: number; interest: number }> {
  const aside = new Map<Plan, { fine: number; interest: number }>()
  if (reduction?.state !== 'approved' || day > reduction.validUntil) return aside
  let { fine, interest } = reduction
  for (const one of asOf) {
    const given = {
      fine: Math.min(fine, one.fine),
      interest: Math.min(interest, one.plan.interest),
    }
    fine -= given.fine
    interest -= given.interest
    if (given.fine + given.interest > 0) aside.set(one.plan, given)
  }
  return aside
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
