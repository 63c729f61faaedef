/**
 * The state of a loan on a day is a fold over its terms and its history in the order of their
 * values, never in the order of their arrival. Pure; whole paise and IST days.
 *
 * A day begins with its fine: the penalty on the principal that is open at the beginning of each
 * overdue day, rounded half up to the paisa. Then the entries of the day follow by their instants.
 * A payment clears what is open then and is not cleared again by a later one; what is left of it
 * when nothing is open is the customer's credit.
 */
import { daysBetween, istDay, istMidnight } from '../../kernel/time.ts'
import { allocatePayment, type OpenParts } from '../allocate-payment.ts'
import { type GivenUp, giveUp, sumGiven } from './give-up.ts'
import type { LoanEnd, LoanHistory, LoanTerms, Payment, Stop } from './loan-history.ts'
import { fineUpTo, type PlanAt, PlanState, release } from './plan-state.ts'

/** What a payment came to. */
export interface PaymentAt {
  /** Paise cleared of each part, by plan. */
  cleared: ReadonlyMap<string, OpenParts>
  /** Paise nothing was open for: credit of the customer. */
  surplus: number
}

export interface LoanAt {
  plans: readonly PlanAt[]
  /** By payment; those that were taken back, or are of a later day, are missing. */
  payments: ReadonlyMap<string, PaymentAt>
  /** The reduction the loan was settled with, and what it gave up by plan. */
  used: { reduceId: string; given: ReadonlyMap<string, GivenUp> } | null
  /** Paise that belong to the customer. */
  credit: number
  /** Paise owed. */
  outstanding: number
  isBadDebt: boolean
  status: 'running' | 'repaid' | 'repaidReduced' | LoanEnd['kind']
  /** Each fine with the IST day it is of; those of a running stop included. */
  fines: readonly { planId: string; day: string; fine: number }[]
}

type Entry =
  | { order: 0; at: number; stop: Stop; step: 'cure' | 'end' }
  | { order: 1; at: number; end: LoanEnd }
  | { order: 2; at: number; payment: Payment }

/** @param day IST day at whose end the loan is looked at: its fine and its payments count */
export function loanAt(terms: LoanTerms, history: LoanHistory, day: string): LoanAt {
  const fold = new Fold(terms, history)
  for (const entry of entriesUpTo(history, day)) fold.take(entry)
  return fold.endOf(day)
}

function entriesUpTo({ payments, stops, end }: LoanHistory, day: string): Entry[] {
  const entries: Entry[] = [
    ...stops.flatMap((stop): Entry[] => [
      ...(stop.curedAt === null ? [] : [stopEntry(stop, stop.curedAt, 'cure')]),
      ...(stop.until === null ? [] : [stopEntry(stop, stop.until, 'end')]),
    ]),
    ...(end === null ? [] : [{ order: 1 as const, at: Date.parse(end.at), end }]),
    ...payments
      .filter(({ isReversed }) => isReversed !== true)
      .map((payment) => ({ order: 2 as const, at: Date.parse(payment.at), payment })),
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
  readonly #plans: readonly PlanState[]
  readonly #payments = new Map<string, PaymentAt>()
  readonly #fines: { planId: string; day: string; fine: number }[] = []
  #isBadDebt = false
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
    if (entry.order === 0) this.#stop(entry.stop, entry.step, istDay(entry.at))
    else if (entry.order === 1) this.#giveUp(entry.end)
    else this.#pay(entry.payment)
  }

  endOf(day: string): LoanAt {
    this.#begin(day)
    const outstanding = this.#plans.reduce((sum, plan) => sum + plan.outstanding, 0)
    const payments = [...this.#payments.values()]
    return {
      plans: this.#plans.map((plan) => plan.at()),
      payments: this.#payments,
      used: this.#used,
      credit: payments.reduce((sum, { surplus }) => sum + surplus, 0),
      outstanding,
      isBadDebt: this.#isBadDebt,
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
    if (daysBetween(first.terms.dueDay, day) >= this.#terms.badDebtDays) this.#isBadDebt = true
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
    const open = this.#open()
    const reduction = this.#history.reductions.find(({ id }) => id === payment.reduceId)
    const aside: Map<string, GivenUp> =
      reduction === undefined ? new Map() : giveUp(parts(open), reduction.items)
    const { cleared, surplus } = allocatePayment(
      open.map((plan) => plan.without(aside.get(plan.terms.planId))),
      payment.amount,
      { parts: this.#terms.parts, isBadDebt: this.#isBadDebt },
    )
    this.#payments.set(payment.id, { cleared, surplus })
    for (const plan of open) plan.clear(cleared.get(plan.terms.planId))
    const left = open.reduce((sum, plan) => sum + plan.outstanding, 0)
    if (reduction !== undefined && left > 0 && left === sumGiven(aside)) {
      for (const plan of open) plan.reduce(aside.get(plan.terms.planId))
      this.#used = { reduceId: reduction.id, given: aside }
    }
    for (const plan of open) plan.settle(payment.at)
  }

  #open(): PlanState[] {
    return this.#plans.filter((plan) => plan.outstanding > 0)
  }
}

function parts(plans: readonly PlanState[]): PlanAt[] {
  return plans.map((plan) => plan.at())
}
