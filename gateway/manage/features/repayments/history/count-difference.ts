/**
 * The state of a loan after it was folded again, and the postings of the difference: earlier
 * postings are never edited. Pure.
 */
import type { OpenParts } from '#shared/repayments/allocate-payment.ts'
import { type GivenUp, sumGiven } from '#shared/repayments/fold/give-up.ts'
import { foreclosurePlanId } from '#shared/repayments/fold/emi-rows.ts'
import type { LoanAt, PaymentAt } from '#shared/repayments/fold/loan-at.ts'
import type { PlanTerms } from '#shared/repayments/fold/loan-history.ts'
import { daysBetween, istDay } from '#shared/kernel/time.ts'
import { givenLines } from '../given-lines.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import {
  type Loan,
  type LoanPlan,
  outstandingOf,
  planStatus,
  principalAccount,
  standingOf,
} from '../loan-store.ts'
import type { Line, Posting } from '../post-entries.ts'
import type { Refold } from './refold.ts'

export interface Told {
  /** The cause: the payment, or the reversed payment. */
  refId: string
  /** Paise of the payment that is added or removed. */
  amount: number
  /** IST day it is booked on. */
  today: string
  /** Plans with another payment in progress. */
  beingPaid: ReadonlySet<string | null>
  /** Coupons of payments, by payment. */
  coupons: ReadonlyMap<string, string>
}

export interface Difference {
  plans: LoanPlan[]
  /** Changed plans. */
  changed: LoanPlan[]
  /** Paise the loan owes now. */
  outstanding: number
  /** Paise of the payment that were counted, the principal among them, and its credit. */
  counted: number
  principal: number
  surplus: number
  /** Changed credit of other payments. */
  surpluses: { recordId: string; surplus: number }[]
  /** What coupons come to now, where that changed. */
  coupons: { grantId: string; amount: number }[]
  /** What the reduction that settles the loan waives; null when none does. */
  used: { reduceId: string; reduced: number } | null
  isBadDebt: boolean
  postings: Posting[]
}

export function countDifference(
  loan: Loan,
  { before, after, stoppedOn, calledInOn }: Refold,
  told: Told,
): Difference {
  const { refId, today } = told
  const plans = plansAfter(loan, after, { ...told, stoppedOn, calledInOn })
  const own = after.payments.get(refId) ?? before.payments.get(refId)
  const others = [...after.payments].filter(([id]) => id !== refId && before.payments.has(id))
  return {
    plans,
    changed: changedOf(loan, plans),
    outstanding: after.outstanding,
    counted: told.amount - (own?.surplus ?? told.amount),
    principal: principalOf(own),
    surplus: own?.surplus ?? told.amount,
    surpluses: others
      .filter(([id, { surplus }]) => surplus !== before.payments.get(id)?.surplus)
      .map(([recordId, { surplus }]) => ({ recordId, surplus })),
    coupons: changedCoupons(told, before, after),
    used:
      after.used === null
        ? null
        : { reduceId: after.used.reduceId, reduced: sumGiven(after.used.given) },
    isBadDebt: after.isBadDebt,
    postings: [
      replanPosting(loan, { ...told, before, after }),
      bouncePosting(loan, { ...told, before, after }),
      ...paymentPostings(loan, told, before, after),
      ...couponPostings(loan, told, before, after),
      ...reductionPostings(loan, today, before, after),
      fineCorrection(loan, told, before, after),
      ...goodAgain(loan, plans, told, after),
    ],
  }
}

function principalOf(payment: PaymentAt | undefined): number {
  return [...(payment?.cleared.values() ?? [])].reduce((sum, { principal }) => sum + principal, 0)
}

function changedOf({ plans: before }: Loan, plans: readonly LoanPlan[]): LoanPlan[] {
  const byId = new Map(before.map((plan) => [plan.planId, JSON.stringify(plan)]))
  return plans.filter((plan) => JSON.stringify(plan) !== byId.get(plan.planId))
}

/** All rows, those that money ahead of an EMI loan brings included, the oldest due first. */
export function plansAfter(
  loan: Loan,
  after: LoanAt,
  told: Pick<Told, 'today' | 'beingPaid'> & Pick<Refold, 'stoppedOn' | 'calledInOn'>,
): LoanPlan[] {
  const states = new Map(after.plans.map((plan, i) => [plan.planId, { plan, i }]))
  const stored = loan.plans.map((plan) => {
    const state = states.get(plan.planId)
    states.delete(plan.planId)
    if (state === undefined) return dropped(plan, told.calledInOn)
    const terms = after.planTerms[state.i] as PlanTerms
    const isEven = loan.emi === null || plan.plannedInterest === undefined
    return planAfter(isEven ? plan : replanned(plan, terms), state.plan, told)
  })
  const fresh = [...states.values()].map(({ plan, i }) => {
    const terms = after.planTerms[i] as PlanTerms
    return planAfter(newPlan(loan, terms), plan, told)
  })
  return [...stored, ...fresh].toSorted(
    (one, other) =>
      (one.dueDay < other.dueDay ? -1 : one.dueDay > other.dueDay ? 1 : 0) ||
      one.serialNo - other.serialNo,
  )
}

/** A plan of an EMI loan as it is due now. */
function replanned(plan: LoanPlan, { dueDay, principal, interest, service }: PlanTerms): LoanPlan {
  return { ...plan, dueDay, planned: principal, plannedInterest: interest, bounced: service }
}

/**
 * A row for money ahead that was taken back, or for a call-in that never was or found nothing left.
 * @param calledInOn kept, so that the rest is due from that day when money is taken back
 */
function dropped(plan: LoanPlan, calledInOn: string | null): LoanPlan {
  return {
    ...plan,
    planned: 0,
    plannedInterest: 0,
    bounced: 0,
    principal: 0,
    interest: 0,
    service: 0,
    fine: 0,
    overdueFine: 0,
    paid: 0,
    reduced: 0,
    reducedAt: null,
    fineTo: null,
    overdueDays: 0,
    settledAt: null,
    calledInOn: plan.kind === 'foreclosure' ? calledInOn : null,
    status: 'dropped',
  }
}

function newPlan(
  { orderId }: Loan,
  { planId, dueDay, principal, interest, service }: PlanTerms,
): LoanPlan {
  return {
    planId,
    orderId,
    serialNo: Number.MAX_SAFE_INTEGER,
    dueDay,
    planned: principal,
    plannedInterest: interest,
    bounced: service,
    kind: planId === foreclosurePlanId(orderId) ? 'foreclosure' : 'prepayment',
    principal,
    interest,
    service,
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
    version: 0,
  }
}

/** What is due of each plan now, less what was due before: principal moves, interest falls. */
export function replanPosting(
  loan: Loan,
  {
    refId,
    today,
    before,
    after,
  }: { refId: string | null; today: string; before: LoanAt; after: LoanAt },
): Posting {
  const was = new Map(before.planTerms.map((plan) => [plan.planId, plan]))
  const is = new Map(after.planTerms.map((plan) => [plan.planId, plan]))
  const principal = principalAccount(standingOf(loan))
  const lines = [...new Set([...was.keys(), ...is.keys()])].flatMap((planId): Line[] => {
    const [old, now] = [was.get(planId), is.get(planId)]
    const interest = (now?.interest ?? 0) - (old?.interest ?? 0)
    return [
      {
        account: principal,
        planId,
        amount: (now?.principal ?? 0) - (old?.principal ?? 0),
      },
      { account: LEDGER_ACCOUNT.interestReceivable, planId, amount: interest },
      { account: LEDGER_ACCOUNT.interestIncome, planId: null, amount: -interest },
    ]
  })
  return { kind: 'replan', orderId: loan.orderId, bizDate: today, refId, lines: net(lines) }
}

/** Bounce charges of an EMI loan now, less those before. */
export function bouncePosting(
  { orderId }: Loan,
  {
    refId,
    today,
    before,
    after,
  }: { refId: string | null; today: string; before: LoanAt; after: LoanAt },
): Posting {
  const was = new Map(before.planTerms.map((plan) => [plan.planId, plan.service]))
  const is = new Map(after.planTerms.map((plan) => [plan.planId, plan.service]))
  const lines = [...new Set([...was.keys(), ...is.keys()])].flatMap((planId): Line[] => {
    const more = (is.get(planId) ?? 0) - (was.get(planId) ?? 0)
    return [
      { account: LEDGER_ACCOUNT.serviceReceivable, planId, amount: more },
      { account: LEDGER_ACCOUNT.serviceIncome, planId: null, amount: -more },
    ]
  })
  return { kind: 'bounceCharge', orderId, bizDate: today, refId, lines: net(lines) }
}

function planAfter(
  plan: LoanPlan,
  {
    planId: _planId,
    waived: _waived,
    deferred: _deferred,
    settledAt,
    ...parts
  }: LoanAt['plans'][number],
  {
    today,
    stoppedOn,
    beingPaid,
    calledInOn,
  }: Pick<Told, 'today' | 'beingPaid'> & Pick<Refold, 'stoppedOn' | 'calledInOn'>,
): LoanPlan {
  const isOpen = outstandingOf(parts) > 0
  const lastDay = settledAt === null ? today : istDay(settledAt)
  const fineDay = stoppedOn ?? today
  const after = {
    ...plan,
    ...parts,
    ...(plan.kind === 'foreclosure' ? { calledInOn } : {}),
    reducedAt:
      parts.reduced === 0 ? null : parts.reduced === plan.reduced ? plan.reducedAt : settledAt,
    fineTo: isOpen && fineDay > plan.dueDay ? fineDay : plan.fineTo,
    overdueDays: Math.max(0, daysBetween(plan.dueDay, lastDay)),
    settledAt: isSameInstant(plan.settledAt, settledAt) ? plan.settledAt : settledAt,
  }
  if (isOpen) return { ...after, status: planStatus(after, beingPaid.has(plan.planId)) }
  return isNothingDue(after)
    ? { ...after, status: 'dropped', overdueDays: 0 }
    : { ...after, status: 'paid' }
}

/** An instalment that a prepayment made needless. */
function isNothingDue(plan: LoanPlan): boolean {
  const { planned, plannedInterest, bounced = 0, paid, reduced, waived } = plan
  return planned === 0 && plannedInterest === 0 && bounced + paid + reduced + waived === 0
}

function isSameInstant(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && Date.parse(one) === Date.parse(other)
}

/** The payment that is added or removed, and the changed allocations of other payments. */
export function paymentPostings(
  loan: Loan,
  { refId, amount, today }: Pick<Told, 'refId' | 'amount' | 'today'>,
  before: LoanAt,
  after: LoanAt,
): Posting[] {
  const cash = (paise: number): Line => ({
    account: LEDGER_ACCOUNT.cashClearing,
    planId: null,
    amount: paise,
  })
  const of = (kind: Posting['kind'], recordId: string, lines: Line[]): Posting => ({
    kind,
    orderId: loan.orderId,
    bizDate: today,
    refId: recordId,
    lines,
  })
  const postings: Posting[] = []
  for (const recordId of new Set([...before.payments.keys(), ...after.payments.keys()])) {
    const [was, is] = [before.payments.get(recordId), after.payments.get(recordId)]
    const lines = [
      ...clearedLines(loan, was, 1),
      ...clearedLines(loan, is, -1),
      credit((was?.surplus ?? 0) - (is?.surplus ?? 0)),
    ]
    if (was !== undefined && is !== undefined) {
      postings.push(of('reallocation', recordId, net(lines)))
      continue
    }
    if (recordId !== refId) throw new Error(`payment ${recordId} came or went with ${refId}`)
    if (is === undefined) postings.push(of('reversal', recordId, [...lines, cash(-amount)]))
    else
      postings.push(
        of('repayment', recordId, [cash(amount - is.surplus), ...clearedLines(loan, is, -1)]),
        of('surplus', recordId, [cash(is.surplus), credit(-is.surplus)]),
      )
  }
  return postings
}

function credit(amount: number): Line {
  return { account: LEDGER_ACCOUNT.customerCredit, planId: null, amount }
}

function clearedLines(loan: Loan, payment: PaymentAt | undefined, sign: 1 | -1): Line[] {
  const principal = principalAccount(standingOf(loan))
  return [...(payment?.cleared ?? [])].flatMap(([planId, parts]: [string, OpenParts]): Line[] => [
    { account: LEDGER_ACCOUNT.fineReceivable, planId, amount: sign * parts.fine },
    { account: LEDGER_ACCOUNT.interestReceivable, planId, amount: sign * parts.interest },
    { account: LEDGER_ACCOUNT.serviceReceivable, planId, amount: sign * parts.service },
    { account: principal, planId, amount: sign * parts.principal },
  ])
}

/** Merges lines of one account and instalment. */
function net(lines: readonly Line[]): Line[] {
  const sums = new Map<string, Line>()
  for (const line of lines) {
    const key = `${line.account} ${line.planId}`
    const sum = sums.get(key)
    sums.set(key, { ...line, amount: line.amount + (sum?.amount ?? 0) })
  }
  return [...sums.values()]
}

const NONE: ReadonlyMap<string, GivenUp> = new Map()

/** Coupons of payments that still count, and come to something else than before. */
function changedCoupons({ coupons }: Told, before: LoanAt, after: LoanAt): Difference['coupons'] {
  return [...coupons].flatMap(([recordId, grantId]) => {
    const is = after.payments.get(recordId)
    if (is === undefined) return []
    const amount = sumGiven(is.coupon)
    const was = sumGiven(before.payments.get(recordId)?.coupon ?? NONE)
    return amount === was ? [] : [{ grantId, amount }]
  })
}

/** What coupons give up now, less what they gave up before; with the reversed payment all of it. */
function couponPostings(
  { orderId }: Loan,
  { today, coupons }: Told,
  before: LoanAt,
  after: LoanAt,
): Posting[] {
  return [...coupons].map(([recordId, grantId]): Posting => {
    const [was, is] = [before.payments.get(recordId), after.payments.get(recordId)]
    return {
      kind: is === undefined ? 'couponReversal' : 'coupon',
      orderId,
      bizDate: today,
      refId: grantId,
      lines: net([
        ...givenLines(LEDGER_ACCOUNT.couponExpense, was?.coupon ?? NONE, 1),
        ...givenLines(LEDGER_ACCOUNT.couponExpense, is?.coupon ?? NONE, -1),
      ]),
    }
  })
}

function reductionPostings(
  { orderId }: Loan,
  today: string,
  before: LoanAt,
  after: LoanAt,
): Posting[] {
  const lines = (given: ReadonlyMap<string, GivenUp>, sign: 1 | -1): Line[] =>
    givenLines(LEDGER_ACCOUNT.waiverExpense, given, sign)
  const posting = (kind: Posting['kind'], refId: string, some: Line[]): Posting => ({
    kind,
    orderId,
    bizDate: today,
    refId,
    lines: net(some),
  })
  const [was, is] = [before.used, after.used]
  if (is !== null)
    return [
      posting('reduction', is.reduceId, [
        ...(was === null ? [] : lines(was.given, 1)),
        ...lines(is.given, -1),
      ]),
    ]
  return was === null ? [] : [posting('reductionReversal', was.reduceId, lines(was.given, 1))]
}

/** Changed fines of the days between, including days that were not charged yet. */
function fineCorrection(
  { orderId }: Loan,
  { refId, today }: Told,
  before: LoanAt,
  after: LoanAt,
): Posting {
  const was = finesOf(before)
  const is = finesOf(after)
  return {
    kind: 'fineCorrection',
    orderId,
    bizDate: today,
    refId,
    lines: [...new Set([...was.keys(), ...is.keys()])].flatMap((planId): Line[] => {
      const more = (is.get(planId) ?? 0) - (was.get(planId) ?? 0)
      return [
        { account: LEDGER_ACCOUNT.fineReceivable, planId, amount: more },
        { account: LEDGER_ACCOUNT.fineIncome, planId, amount: -more },
      ]
    }),
  }
}

/** Fines that were charged, by plan. */
function finesOf({ plans }: LoanAt): Map<string, number> {
  return new Map(plans.map(({ planId, overdueFine }) => [planId, overdueFine]))
}

/**
 * With a payment of an earlier value the loan never became a bad debt: undoes the doubtful
 * principal.
 */
function goodAgain(
  loan: Loan,
  plans: readonly LoanPlan[],
  { refId, today }: Told,
  { isBadDebt }: LoanAt,
): Posting[] {
  if (standingOf(loan) !== 90 || isBadDebt) return []
  return [
    {
      kind: 'badDebt',
      orderId: loan.orderId,
      bizDate: today,
      refId,
      lines: plans.flatMap(({ planId, principal }): Line[] => [
        { account: LEDGER_ACCOUNT.principalReceivable, planId, amount: principal },
        { account: LEDGER_ACCOUNT.doubtfulPrincipal, planId, amount: -principal },
      ]),
    },
  ]
}
