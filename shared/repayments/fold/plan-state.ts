/** One instalment while a loan is folded. Paise. */
import { addDays, daysBetween } from '../../kernel/time.ts'
import type { OpenParts, OpenPlan } from '../allocate-payment.ts'
import { fineOfDays, type Penalty } from '../overdue-fine.ts'
import type { GivenUp } from './give-up.ts'
import type { LoanEnd, PlanTerms } from './loan-history.ts'

/** An instalment at the end of the day. */
export interface PlanAt extends OpenParts {
  planId: string
  /** Total fine charged. */
  overdueFine: number
  paid: number
  /** Waived by the reduction and the coupons that were used. */
  reduced: number
  /** Written off, or carried over by an extension. */
  waived: number
  /** Fine held back by a running stop, not charged yet. */
  deferred: number
  /** Instant from which nothing is open; null while something is. */
  settledAt: string | null
}

export class PlanState {
  #terms: PlanTerms
  /** Fine held back by a stop, not charged yet. */
  deferred = 0
  /** Fines are calculated up to this IST day. */
  finedTo: string
  #open: OpenParts
  #overdueFine = 0
  #paid = 0
  #reduced = 0
  #waived = 0
  #settledAt: string | null = null

  constructor(terms: PlanTerms) {
    this.#terms = terms
    this.finedTo = terms.dueDay
    const { principal, interest, service } = terms
    this.#open = { principal, interest, service, fine: 0 }
  }

  get terms(): PlanTerms {
    return this.#terms
  }
  get outstanding(): number {
    const { principal, interest, service, fine } = this.#open
    return principal + interest + service + fine
  }
  get principal(): number {
    return this.#open.principal
  }
  /** Fines of all days, including those of a running stop: the amount a cap limits. */
  get finedInAll(): number {
    return this.#overdueFine + this.deferred
  }

  charge(fine: number): void {
    this.#open.fine += fine
    this.#overdueFine += fine
  }

  /** Bounce charges are the service part of an EMI loan. */
  chargeService(charge: number): void {
    this.#terms = { ...this.#terms, service: this.#terms.service + charge }
    this.#open.service += charge
  }

  /** Its open amount without what a reduction would waive. */
  without(given: GivenUp | undefined): OpenPlan {
    const { principal, interest, service, fine } = this.#open
    return {
      planId: this.terms.planId,
      principal,
      interest: interest - (given?.interest ?? 0),
      service: service - (given?.service ?? 0),
      fine: fine - (given?.fine ?? 0),
    }
  }

  clear(cleared: OpenParts | undefined): void {
    if (cleared === undefined) return
    for (const part of ['principal', 'interest', 'service', 'fine'] as const) {
      this.#open[part] -= cleared[part]
      this.#paid += cleared[part]
    }
  }

  reduce(given: GivenUp | undefined): void {
    if (given === undefined) return
    for (const part of ['interest', 'service', 'fine'] as const) {
      this.#open[part] -= given[part]
      this.#reduced += given[part]
    }
  }

  /** Closes it when nothing is open: fines of a running stop are then never charged. */
  settle(at: string): void {
    if (this.outstanding > 0) return
    this.#settledAt = at
    this.deferred = 0
  }

  /** The fine of an extension is paid with it; the rest is carried over. */
  giveUp({ kind, at }: LoanEnd): void {
    const { fine } = this.#open
    if (kind === 'extended') {
      this.#paid += fine
      this.#open.fine = 0
    }
    this.#waived += this.outstanding
    this.#open = { principal: 0, interest: 0, service: 0, fine: 0 }
    this.settle(at)
  }

  at(): PlanAt {
    return {
      planId: this.terms.planId,
      ...this.#open,
      overdueFine: this.#overdueFine,
      paid: this.#paid,
      reduced: this.#reduced,
      waived: this.#waived,
      deferred: this.deferred,
      settledAt: this.#settledAt,
    }
  }
}

export interface DayFine {
  day: string
  fine: number
  isDeferred: boolean
}

/** The fines of an instalment's days up to `day` that are not calculated yet, one per day. */
export function* fineUpTo(
  plan: PlanState,
  day: string,
  { penalty, isStopped }: { penalty: Penalty; isStopped: (day: string) => boolean },
): Generator<DayFine> {
  const { dueDay, principal: planned } = plan.terms
  if (plan.finedTo >= day) return
  // nothing lowers the principal before the end of the day, and without it no day costs a fine
  if (plan.principal === 0) {
    plan.finedTo = day
    return
  }
  for (let n = daysBetween(dueDay, plan.finedTo) + 1; plan.finedTo < day; n += 1) {
    plan.finedTo = addDays(plan.finedTo, 1)
    const fined = { principal: plan.principal, planned }
    const fine = fineOfDays(fined, penalty, n, n, plan.finedInAll)
    if (fine > 0) yield { day: plan.finedTo, fine, isDeferred: isStopped(plan.finedTo) }
  }
}

/** Charges what the stop held back, because the stop has ended. */
export function release(plan: PlanState): void {
  plan.charge(plan.deferred)
  plan.deferred = 0
}
