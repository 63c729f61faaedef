/**
 * The state of a loan on a day is a fold over its terms and its history in the order of their
 * values, never in the order of their arrival. Pure; whole paise and IST days.
 *
 * A day begins with its fine: the penalty on the principal that is open at the beginning of each
 * overdue day, rounded half up to the paisa. Then the entries of the day follow by their instants.
 * A payment clears what is open then and is not cleared again by a later one; what is left of it
 * when nothing is open is the customer's credit. What its coupon gives up is given up first.
 *
 * A payment of an EMI loan clears what is due and the next instalment; what is left is paid ahead of
 * the plan, and the instalments after that day are planned again. A payment of all that is due with
 * the principal that is not, and the interest up to its day, ends the loan. A debit that the
 * bank returned is charged to the oldest open instalment.
 */
import { discountOn } from '#shared/coupons/coupon-amount.ts'
import { daysBetween, istDay, istMidnight } from '../../kernel/time.ts'
import { allocatePayment, type OpenParts } from '../allocate-payment.ts'
import { type GivenUp, giveUp, sumGiven } from './give-up.ts'
import type {
  Bounce,
  LoanEnd,
  LoanHistory,
  LoanTerms,
  Payment,
  PlanTerms,
  Stop,
} from './loan-history.ts'
import { type Ahead, emiRows, foreclosurePlanId, prepaymentPlanId } from './emi-rows.ts'
import { fineUpTo, type PlanAt, PlanState, release } from './plan-state.ts'

/** What a payment came to. */
export interface PaymentAt {
  /** Paise cleared of each part, by plan. */
  cleared: ReadonlyMap<string, OpenParts>
  /** Paise nothing was open for: credit of the customer. */
  surplus: number
  /** What its coupon gave up, by plan; empty without one. */
  coupon: ReadonlyMap<string, GivenUp>
}

export interface LoanAt {
  plans: readonly PlanAt[]
  /** What was due of each plan; changes of an EMI loan included. */
  planTerms: readonly PlanTerms[]
  /** By payment; those that were taken back, or are of a later day, are missing. */
  payments: ReadonlyMap<string, PaymentAt>
  /** The reduction the loan was settled with, and what it gave up by plan. */
  used: { reduceId: string; given: ReadonlyMap<string, GivenUp> } | null
  /** Paise that belong to the customer. */
  credit: number
  /** Paise owed. */
  outstanding: number
  isBadDebt: boolean
  /** It became a bad debt, even if it was cured since. */
  wasBadDebt: boolean
  status: 'running' | 'repaid' | 'repaidReduced' | LoanEnd['kind']
  /** Each fine with the IST day it is of; those of a running stop included. */
  fines: readonly { planId: string; day: string; fine: number }[]
}

type Entry =
  | { order: -1; at: number }
  | { order: 0; at: number; stop: Stop; step: 'cure' | 'end' }
  | { order: 1; at: number; end: LoanEnd }
  | { order: 2; at: number; payment: Payment }
  | { order: 3; at: number; bounce: Bounce }

/** @param day IST day at whose end the loan is looked at: its fine and its payments count */
export function loanAt(terms: LoanTerms, history: LoanHistory, day: string): LoanAt {
  const fold = new Fold(terms, history)
  for (const entry of entriesUpTo(history, day)) fold.take(entry)
  return fold.endOf(day)
}

function entriesUpTo(
  { payments, stops, bounces = [], end, calledInOn = null }: LoanHistory,
  day: string,
): Entry[] {
  const entries: Entry[] = [
    ...(calledInOn === null ? [] : [{ order: -1 as const, at: istMidnight(calledInOn).getTime() }]),
    ...stops.flatMap((stop): Entry[] => [
      ...(stop.curedAt === null ? [] : [stopEntry(stop, stop.curedAt, 'cure')]),
      ...(stop.until === null ? [] : [stopEntry(stop, stop.until, 'end')]),
    ]),
    ...(end === null ? [] : [{ order: 1 as const, at: Date.parse(end.at), end }]),
    ...payments
      .filter(({ isReversed }) => isReversed !== true)
      .map((payment) => ({ order: 2 as const, at: Date.parse(payment.at), payment })),
    ...bounces.map((bounce) => ({ order: 3 as const, at: Date.parse(bounce.at), bounce })),
  ]
  const isOver = istMidnight(day).getTime() + 86_400_000
  return entries.filter(({ at }) => at < isOver).toSorted(byValue)
}

function stopEntry(stop: Stop, at: string, step: 'cure' | 'end'): Entry {
  return { order: 0, at: Date.parse(at), stop, step }
}

/** Entries of one instant: ends of stops before payments; payments by the age of their numbers. */
function byValue(one: Entry, other: Entry): number {
  if (one.at !== other.at) return one.at - other.at
  if (one.order === 2 && other.order === 2) return byNumber(one.payment.id, other.payment.id)
  return one.order - other.order
}

function byNumber(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1)
}

class Fold {
  readonly #terms: LoanTerms
  readonly #history: LoanHistory
  #plans: readonly PlanState[]
  #ahead: Ahead = { prepayments: [], foreclosedOn: null }
  readonly #payments = new Map<string, PaymentAt>()
  readonly #fines: { planId: string; day: string; fine: number }[] = []
  #isBadDebt = false
  #wasBadDebt = false
  /** Bad debts that are being cured are none: no second one begins before the stop is over. */
  #cure: Stop | null = null
  #used: LoanAt['used'] = null
  #end: LoanEnd | null = null

  constructor(terms: LoanTerms, history: LoanHistory) {
    this.#terms = terms
    this.#history = history
    this.#plans = terms.plans.map((plan) => new PlanState(plan))
  }

  take(entry: Entry): void {
    this.#begin(istDay(entry.at))
    if (entry.order === -1) this.#foreclose(istDay(entry.at))
    else if (entry.order === 0) this.#stop(entry.stop, entry.step, istDay(entry.at))
    else if (entry.order === 1) this.#giveUp(entry.end)
    else if (entry.order === 2) this.#pay(entry.payment)
    else this.#open()[0]?.chargeService(entry.bounce.charge)
  }

  endOf(day: string): LoanAt {
    this.#begin(day)
    const outstanding = this.#plans.reduce((sum, plan) => sum + plan.outstanding, 0)
    const payments = [...this.#payments.values()]
    return {
      plans: this.#plans.map((plan) => plan.at()),
      planTerms: this.#plans.map(({ terms }) => terms),
      payments: this.#payments,
      used: this.#used,
      credit: payments.reduce((sum, { surplus }) => sum + surplus, 0),
      outstanding,
      isBadDebt: this.#isBadDebt,
      wasBadDebt: this.#wasBadDebt,
      status: this.#status(outstanding),
      fines: this.#fines,
    }
  }

  #status(outstanding: number): LoanAt['status'] {
    if (outstanding > 0) return 'running'
    if (this.#end !== null) return this.#end.kind
    return this.#used === null ? 'repaid' : 'repaidReduced'
  }

  /** Charges the fines up to the day; once it is old enough, the loan is a bad debt. */
  #begin(day: string): void {
    for (const plan of this.#plans)
      for (const { day: fined, fine, isDeferred } of fineUpTo(plan, day, {
        penalty: this.#terms.penalty,
        isStopped: (one) => this.#isStopped(one),
      })) {
        if (isDeferred) plan.deferred += fine
        else plan.charge(fine)
        this.#fines.push({ planId: plan.terms.planId, day: fined, fine })
      }
    this.#judge(day)
  }

  #judge(day: string): void {
    const first = this.#open()[0]
    if (first === undefined || this.#cure !== null) return
    if (daysBetween(first.terms.dueDay, day) >= this.#terms.badDebtDays) {
      this.#isBadDebt = true
      this.#wasBadDebt = true
    }
  }

  #isStopped(day: string): boolean {
    const begins = istMidnight(day).getTime()
    return this.#history.stops.some(
      ({ from, until }) => day > from && (until === null || begins < Date.parse(until)),
    )
  }

  #stop(stop: Stop, step: 'cure' | 'end', day: string): void {
    if (step === 'cure') {
      this.#isBadDebt = false
      this.#cure = stop
      return
    }
    for (const plan of this.#open()) release(plan)
    if (this.#cure === stop) this.#cure = null
    this.#judge(day)
  }

  #giveUp(end: LoanEnd): void {
    const open = this.#open()
    if (open.length === 0) return
    for (const plan of open) plan.giveUp(end)
    this.#end = end
  }

  #pay(payment: Payment): void {
    const day = istDay(payment.at)
    if (this.#notDue(day).length > 0 && payment.amount >= this.#payoff(payment, day))
      this.#foreclose(day)
    const open = this.#reach(payment, day)
    const { terms } = payment.coupon ?? { terms: null }
    const due = open.filter((plan) => !this.#isNotDue(plan, day))
    const coupon = terms === null ? new Map() : discountOn(terms, parts(due), payment.amount)
    for (const plan of open) plan.reduce(coupon.get(plan.terms.planId))
    const reduction =
      terms === null
        ? this.#history.reductions.find(({ id }) => id === payment.reduceId)
        : undefined
    const aside: Map<string, GivenUp> =
      reduction === undefined ? new Map() : giveUp(parts(due), reduction.items)
    const { cleared, surplus } = allocatePayment(
      open.map((plan) => plan.without(aside.get(plan.terms.planId))),
      payment.amount,
      { parts: this.#terms.parts, isBadDebt: this.#isBadDebt },
    )
    this.#payments.set(payment.id, { cleared, surplus, coupon })
    for (const plan of open) plan.clear(cleared.get(plan.terms.planId))
    const left = this.#plans.reduce((sum, plan) => sum + plan.outstanding, 0)
    if (reduction !== undefined && left > 0 && left === sumGiven(aside)) {
      for (const plan of open) plan.reduce(aside.get(plan.terms.planId))
      this.#used = { reduceId: reduction.id, given: aside }
    }
    for (const plan of open) plan.settle(payment.at)
    if (surplus > 0 && this.#notDue(day).length > 0) this.#payAhead(payment, day, surplus)
  }

  /** What a payment clears: all that is open, but of an EMI loan what is due, and the next. */
  #reach({ ahead = null }: Payment, day: string): PlanState[] {
    const notDue = this.#notDue(day)
    if (notDue.length === 0) return this.#open()
    const [next] = notDue
    return this.#open().filter(
      (plan) => !this.#isNotDue(plan, day) || (ahead === null && plan === next),
    )
  }

  /** An instalment of an EMI loan whose day has not come; of other loans none counts as such. */
  #isNotDue({ terms: { dueDay } }: PlanState, day: string): boolean {
    return this.#terms.emi !== undefined && dueDay > day
  }

  #notDue(day: string): PlanState[] {
    return this.#plans.filter((plan) => this.#isNotDue(plan, day) && plan.terms.principal > 0)
  }

  /** Paise that end an EMI loan on the day, with what the payment may give up. */
  #payoff({ amount, coupon, reduceId }: Payment, day: string): number {
    const rest = emiRows(this.#emi, this.#terms.plans, { ...this.#ahead, foreclosedOn: day }).find(
      ({ planId }) => planId === foreclosurePlanId(this.#emi.orderId),
    ) as PlanTerms
    const row = new PlanState(rest)
    row.chargeService(sumService(this.#notDue(day)))
    const paid = this.#notDue(day).reduce((sum, plan) => sum + plan.at().paid, 0)
    row.clear(
      allocatePayment([row.without(undefined)], paid, { parts: this.#terms.parts }).cleared.get(
        rest.planId,
      ),
    )
    const due = this.#open().filter((plan) => !this.#isNotDue(plan, day))
    const open = [...due, row]
    const reduction = this.#history.reductions.find(({ id }) => id === reduceId)
    const given =
      coupon !== null && coupon !== undefined
        ? discountOn(coupon.terms, parts(open), amount)
        : giveUp(parts(open), reduction?.items ?? NOTHING)
    return open.reduce((sum, plan) => sum + plan.outstanding, 0) - sumGiven(given)
  }

  get #emi(): NonNullable<LoanTerms['emi']> {
    // asked only where instalments are not due, which other loans do not have
    return this.#terms.emi as NonNullable<LoanTerms['emi']>
  }

  /** The rest is due on the day, with the interest up to it. */
  #foreclose(day: string): void {
    if (this.#notDue(day).length === 0) return
    this.#ahead = { ...this.#ahead, foreclosedOn: day }
    this.#planAnew(day)
  }

  /** Counts what is left of a payment as a prepayment; a little principal stays to be paid back. */
  #payAhead(payment: Payment, day: string, left: number): void {
    const notDue = this.#notDue(day)
    const balance = notDue.reduce((sum, { terms }) => sum + terms.principal, 0)
    const amount = Math.min(left, balance - LEAST_OF_INSTALMENT * notDue.length)
    const before = this.#payments.get(payment.id) as PaymentAt
    if (amount > 0) this.#prepay(payment, day, amount)
    // planning again moved what it had cleared of the next instalment
    const now = this.#payments.get(payment.id) as PaymentAt
    const rest = this.#clearNotDue(day, left - Math.max(0, amount), payment.at)
    const cleared = new Map(now.cleared)
    for (const [id, part] of rest.cleared) cleared.set(id, addParts(cleared.get(id), part))
    const surplus = rest.surplus + now.surplus - before.surplus
    this.#payments.set(payment.id, { ...now, cleared, surplus })
  }

  #prepay(payment: Payment, day: string, amount: number): void {
    const { id: paymentId, ahead, at } = payment
    const effect = ahead ?? this.#emi.prepayment
    const prepaid = { paymentId, day, amount: BigInt(amount), effect }
    this.#ahead = { ...this.#ahead, prepayments: [...this.#ahead.prepayments, prepaid] }
    this.#planAnew(day)
    const planId = prepaymentPlanId(paymentId)
    const parts = { principal: amount, interest: 0, service: 0, fine: 0 }
    const row = this.#plans.find(({ terms }) => terms.planId === planId)
    row?.clear(parts)
    row?.settle(at)
    const now = this.#payments.get(paymentId) as PaymentAt
    this.#payments.set(paymentId, { ...now, cleared: new Map(now.cleared).set(planId, parts) })
  }

  /** Replaces the instalments after the day; what was paid of them is paid of the new ones. */
  #planAnew(day: string): void {
    const before = this.#plans.filter((plan) => this.#isNotDue(plan, day))
    const gone = new Set(before.map(({ terms }) => terms.planId))
    const kept = this.#plans.filter(({ terms }) => !gone.has(terms.planId))
    const ids = new Set(kept.map(({ terms }) => terms.planId))
    const byId = new Map(kept.map((plan) => [plan.terms.planId, plan]))
    this.#plans = emiRows(this.#emi, this.#terms.plans, this.#ahead).map(
      (terms) =>
        (ids.has(terms.planId) ? byId.get(terms.planId) : undefined) ?? new PlanState(terms),
    )
    // bounce charges stay with what is due next
    const foreclosed = foreclosurePlanId(this.#emi.orderId)
    const next = this.#plans.find(
      ({ terms }) => terms.planId === foreclosed || (terms.dueDay > day && terms.principal > 0),
    )
    next?.chargeService(sumService(before))
    for (const [id, payment] of this.#payments) {
      const moved = [...payment.cleared].filter(([planId]) => gone.has(planId))
      if (moved.length === 0) continue
      const amount = moved.reduce((sum, [, one]) => sum + sumParts(one), 0)
      const at = this.#history.payments.find((one) => one.id === id)?.at ?? ''
      const again = this.#clearNotDue(day, amount, at)
      const cleared = new Map([...payment.cleared].filter(([planId]) => !gone.has(planId)))
      for (const [planId, part] of again.cleared) cleared.set(planId, part)
      this.#payments.set(id, { ...payment, cleared, surplus: payment.surplus + again.surplus })
    }
  }

  /** Clears instalments that are not due, the oldest first; after a foreclosure its row. */
  #clearNotDue(day: string, amount: number, at: string): ReturnType<typeof allocatePayment> {
    const foreclosed = foreclosurePlanId(this.#emi.orderId)
    const open = this.#open().filter(
      (plan) => this.#isNotDue(plan, day) || plan.terms.planId === foreclosed,
    )
    const out = allocatePayment(
      open.map((plan) => plan.without(undefined)),
      amount,
      { parts: this.#terms.parts },
    )
    for (const plan of open) {
      plan.clear(out.cleared.get(plan.terms.planId))
      plan.settle(at)
    }
    return out
  }

  #open(): PlanState[] {
    return this.#plans.filter((plan) => plan.outstanding > 0)
  }
}

/** Paise of principal that a prepayment leaves for each instalment to come. */
const LEAST_OF_INSTALMENT = 100

const NOTHING = { overdueFine: 0, serviceFee: 0, interest: 0 }

function sumService(plans: readonly PlanState[]): number {
  return plans.reduce((sum, { terms }) => sum + terms.service, 0)
}

function sumParts({ principal, interest, service, fine }: OpenParts): number {
  return principal + interest + service + fine
}

function addParts(one: OpenParts | undefined, other: OpenParts): OpenParts {
  return {
    principal: (one?.principal ?? 0) + other.principal,
    interest: (one?.interest ?? 0) + other.interest,
    service: (one?.service ?? 0) + other.service,
    fine: (one?.fine ?? 0) + other.fine,
  }
}

function parts(plans: readonly PlanState[]): PlanAt[] {
  return plans.map((plan) => plan.at())
}
