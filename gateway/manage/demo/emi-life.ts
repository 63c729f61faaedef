/**
 * An EMI loan of the demo from disbursement on. What is paid is counted by the fold over its
 * history, as the product does, so that money which arrives later finds books it can fold again.
 */
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { PrepaymentEffect } from '#shared/repayments/emi/prepayment-effects.ts'
import { foreclosurePlanId, prepaymentPlanId } from '#shared/repayments/fold/emi-rows.ts'
import { type LoanAt, loanAt } from '#shared/repayments/fold/loan-at.ts'
import type { Bounce, LoanTerms, Payment as Folded } from '#shared/repayments/fold/loan-history.ts'
import {
  bouncePosting,
  paymentPostings,
  replanPosting,
} from '#gateway/manage/features/repayments/history/difference-postings.ts'
import { plansAfter } from '#gateway/manage/features/repayments/history/plans-after.ts'
import type { Loan, LoanPlan } from '#gateway/manage/features/repayments/loan-store.ts'
import type { Line as Booked } from '#gateway/manage/features/repayments/post-entries.ts'
import { CHANNEL, CUSTOMER_APP } from './doers.ts'
import { type Life, openOf, type Payment, type Plan, SECOND, step, type World } from './life.ts'
import type { Rng } from './random.ts'
import { daytime, dayRun, newPlan, post } from './loan-books.ts'
import { type Due, passDue } from './servicing.ts'

export interface EmiRepaying {
  /** Days from the due day to the payment of each instalment; the ones after these stay unpaid. */
  lateness: readonly number[]
  /** Days after the disbursement on which a share of the rest, in thousandths, is paid ahead. */
  ahead?: { after: number; share: number; effect: PrepaymentEffect }
  /** Days after the disbursement on which all of it is paid back. */
  foreclosed?: number
  /** Place of an instalment whose debit the bank returned on its due day. */
  bounced?: number
}

/** Ids inside the fold; rows get those of the book when they are written. */
const ORDER = 'L'

/** Runs the loan up to now. */
export function serviceEmi(life: Life, rng: Rng, world: World, how: EmiRepaying): void {
  const books = new EmiBooks(life)
  const disbursedOn = istDay(life.disbursedAt as number)
  const dues: Due[] = life.plans.map((plan) => ({
    at: dayRun(addDays(plan.dueAt, 1)),
    run: (at) => passDue(life, plan, at),
  }))
  for (const [k, late] of how.lateness.entries()) {
    const plan = life.plans[k] as Plan
    dues.push({
      at: daytime(addDays(plan.dueAt, late), rng),
      run: (at) => books.pay(at, rng, books.dueUpTo(plan, at)),
    })
  }
  const { ahead, foreclosed, bounced } = how
  if (bounced !== undefined)
    dues.push({
      at: daytime((life.plans[bounced] as Plan).dueAt, rng),
      run: (at) => books.bounce(at),
    })
  if (ahead !== undefined)
    dues.push({
      at: daytime(addDays(disbursedOn, ahead.after), rng),
      run: (at) => books.pay(at, rng, books.shareOfRest(at, ahead.share), ahead.effect),
    })
  if (foreclosed !== undefined)
    dues.push({
      at: daytime(addDays(disbursedOn, foreclosed), rng),
      run: (at) => books.pay(at, rng, books.payoff(at)),
    })
  dues.sort((a, b) => a.at - b.at)
  for (const due of dues) if (due.at + 5 * 60 * SECOND <= world.asOf) due.run(due.at)
  if (life.closedAt === null) books.stand(world.today)
}

class EmiBooks {
  readonly #life: Life
  readonly #terms: LoanTerms
  readonly #loan: Loan
  readonly #plans = new Map<string, Plan>()
  readonly #payments = new Map<string, Payment>()
  #received: Folded[] = []
  #bounces: Bounce[] = []
  #finedTo: string

  constructor(life: Life) {
    const { emi, amount, disbursedAt } = life
    if (emi === null || disbursedAt === null)
      throw new TypeError('only a paid out EMI loan is served')
    const disbursedOn = istDay(disbursedAt)
    this.#life = life
    this.#finedTo = disbursedOn
    this.#terms = {
      plans: life.plans.map(({ serialNo, dueAt, principal, interest }) => {
        return { planId: `${serialNo}`, dueDay: dueAt, principal, interest, service: 0 }
      }),
      penalty: emi.penalty,
      badDebtDays: emi.emi.badDebtDays,
      parts: emi.emi.parts,
      emi: {
        orderId: ORDER,
        terms: { ...emi.emi, principal: BigInt(amount) },
        disbursedOn,
        prepayment: emi.emi.prepayment,
      },
    }
    this.#loan = loanOf(life, this.#terms)
    for (const plan of life.plans) this.#plans.set(`${plan.serialNo}`, plan)
  }

  /** Paise of the instalment and those before it; before the last due day all of it costs less. */
  dueUpTo({ dueAt }: Plan, at: number): number {
    if (this.#life.closedAt !== null) return 0
    this.stand(istDay(at))
    const due = this.#life.plans
      .filter((plan) => plan.dueAt <= dueAt)
      .reduce((sum, plan) => sum + openOf(plan), 0)
    return Math.min(due, this.payoff(at))
  }

  shareOfRest(at: number, thousandths: number): number {
    const rest = this.#life.plans
      .filter(({ dueAt }) => dueAt > istDay(at))
      .reduce((sum, plan) => sum + plan.openPrincipal, 0)
    return Math.round((rest * thousandths) / 1_000 / 50_000) * 50_000
  }

  /** Paise that end the loan on the day: of a payment of more than that, the rest is credit. */
  payoff(at: number): number {
    const much = 2 * (this.#life.amount + this.#life.interest)
    const state = this.#stateWith([...this.#received, paidAt('99', at, much)], istDay(at))
    return much - (state.payments.get('99')?.surplus ?? 0)
  }

  pay(at: number, rng: Rng, amount: number, ahead: PrepaymentEffect | null = null): void {
    const life = this.#life
    if (amount <= 0 || (life.status !== 30 && life.status !== 50)) return
    const day = istDay(at)
    const id = String(this.#received.length + 1).padStart(2, '0')
    const before = this.#stateOn(day)
    this.#fine(before, day)
    this.#received = [...this.#received, paidAt(id, at, amount, ahead)]
    const after = this.#stateOn(day)
    const done = at + rng.int(20, 180) * SECOND
    const type = after.outstanding === 0 ? 'full' : 'partial'
    const oldest = life.plans.find((plan) => openOf(plan) > 0) as Plan
    const payment: Payment = { plan: oldest, amount, type, at, doneAt: done, ahead }
    life.payments.push(payment)
    this.#payments.set(id, payment)
    step(life, 43, 'paySubmitted', CUSTOMER_APP, at)
    this.#stand(after, day)
    payment.plan = this.#plans.get(prepaymentPlanId(id)) ?? oldest
    const entry = { refId: id, amount, today: day }
    for (const { kind, lines, refId } of [
      replanPosting(this.#loan, { ...entry, before, after }),
      ...paymentPostings(this.#loan, entry, before, after),
    ])
      this.#post(lines, kind, done, this.#payments.get(refId ?? id) ?? payment)
    const isOverdue = life.plans.some((plan) => openOf(plan) > 0 && plan.dueAt < day)
    if (type === 'full') step(life, 40, 'payOkFull', CHANNEL, done)
    else step(life, isOverdue ? 50 : 30, 'payOkPartial', CHANNEL, done)
  }

  /** The bank returned the debit of the oldest instalment: the charge of the terms is owed with it. */
  bounce(at: number): void {
    const life = this.#life
    const plan = life.plans.find((one) => openOf(one) > 0)
    if (plan === undefined || (life.status !== 30 && life.status !== 50)) return
    const day = istDay(at)
    const charge = this.#loan.emi?.bounceCharge ?? 0
    const before = this.#stateOn(day)
    this.#fine(before, day)
    const bounce = { id: `B${this.#bounces.length}`, at: new Date(at).toISOString(), charge }
    const done = at + 60 * SECOND
    const { status } = life
    const debit: Payment = {
      plan,
      amount: openOf(plan),
      type: 'partial',
      at,
      doneAt: done,
      ahead: null,
      bounceCharge: charge,
    }
    this.#bounces = [...this.#bounces, bounce]
    life.payments.push(debit)
    step(life, 43, 'paySubmitted', CHANNEL, at)
    const after = this.#stateOn(day)
    this.#stand(after, day)
    const entry = { refId: bounce.id, today: day, before, after }
    this.#post(bouncePosting(this.#loan, entry).lines, 'bounceCharge', done, debit)
    step(life, status, 'payFail', CHANNEL, done)
  }

  /** The plans as they are at the opening of the day. */
  stand(day: string): void {
    const state = this.#stateOn(day)
    this.#fine(state, day)
    this.#stand(state, day)
  }

  #stateOn(day: string): LoanAt {
    return this.#stateWith(this.#received, day)
  }

  #stateWith(payments: readonly Folded[], day: string): LoanAt {
    const bounces = this.#bounces
    return loanAt(this.#terms, { payments, bounces, reductions: [], stops: [], end: null }, day)
  }

  /** Posts the fines of the days since the last ones. */
  #fine({ fines }: LoanAt, day: string): void {
    const sums = new Map<string, number>()
    for (const { planId, day: of, fine } of fines)
      if (of > this.#finedTo && of <= day) sums.set(planId, (sums.get(planId) ?? 0) + fine)
    this.#finedTo = day
    for (const [planId, fine] of sums)
      post(
        this.#life,
        'overdueFine',
        dayRun(day),
        [
          { account: 'fineReceivable', plan: this.#planOf(planId), amount: fine },
          { account: 'fineIncome', plan: this.#planOf(planId), amount: -fine },
        ],
        { bizDate: day },
      )
  }

  #stand(state: LoanAt, today: string): void {
    for (const row of plansAfter(this.#loan, state, {
      today,
      beingPaid: new Set(),
      stoppedOn: null,
      calledInOn: null,
    }))
      Object.assign(this.#planOf(row.planId), standOf(row, today))
  }

  #post(lines: readonly Booked[], kind: string, at: number, payment: Payment): void {
    const shown = lines.map(({ account, planId, amount }) => ({
      account,
      plan: planId === null ? null : this.#planOf(planId),
      amount,
    }))
    post(this.#life, kind, at, shown, { payment })
  }

  #planOf(planId: string): Plan {
    const known = this.#plans.get(planId)
    if (known !== undefined) return known
    const kind = planId === foreclosurePlanId(ORDER) ? 'foreclosure' : 'prepayment'
    const plan: Plan = {
      ...newPlan(this.#plans.size + 1, '', 0, 0),
      kind,
      prepaidWith: kind === 'prepayment' ? (this.#payments.get(planId.slice(2)) ?? null) : null,
    }
    this.#plans.set(planId, plan)
    this.#life.plans.push(plan)
    return plan
  }
}

function paidAt(id: string, at: number, amount: number, ahead: PrepaymentEffect | null = null) {
  return { id, at: new Date(at).toISOString(), amount, reduceId: null, ahead }
}

/** What the postings and rows of a loan are made from: its instalments as agreed. */
function loanOf(life: Life, { plans, penalty }: LoanTerms): Loan {
  return {
    orderId: ORDER,
    customerId: '',
    status: 30,
    resumeStatus: null,
    penalty,
    amount: life.amount,
    emi: life.emi?.emi ?? null,
    disbursedAt: null,
    coolingOffUntil: null,
    tenureDays: life.tenureDays,
    outstanding: 0,
    overdueDays: 0,
    rbiClass: 'standard',
    version: 1,
    reduction: null,
    settlement: null,
    newestAt: null,
    plans: plans.map(({ planId, dueDay, principal, interest }, i): LoanPlan => {
      return {
        planId,
        orderId: ORDER,
        serialNo: i + 1,
        dueDay,
        planned: principal,
        plannedInterest: interest,
        kind: 'instalment',
        principal,
        interest,
        service: 0,
        fine: 0,
        overdueFine: 0,
        paid: 0,
        waived: 0,
        reduced: 0,
        reducedAt: null,
        fineTo: null,
        status: 'unpaid',
        overdueDays: 0,
        settledAt: null,
        version: 1,
      }
    }),
  }
}

function standOf(row: LoanPlan, today: string): Partial<Plan> {
  const settledAt = row.settledAt === null ? null : Date.parse(row.settledAt)
  return {
    dueAt: row.dueDay,
    principal: row.planned,
    interest: row.plannedInterest ?? 0,
    fine: row.overdueFine,
    paid: row.paid,
    bounced: row.bounced ?? 0,
    openPrincipal: row.principal,
    openInterest: row.interest,
    openService: row.service,
    openFine: row.fine,
    accruedTo: settledAt === null ? today : istDay(settledAt),
    status: row.status,
    overdueDays: row.overdueDays,
    settledAt,
  }
}
