/**
 * The state of a loan after it was folded again, and the postings of the difference: earlier
 * postings are never edited. Pure.
 */
import type { OpenParts } from '#shared/repayments/allocate-payment.ts'
import { type GivenUp, sumGiven } from '#shared/repayments/fold/give-up.ts'
import type { LoanAt, PaymentAt } from '#shared/repayments/fold/loan-at.ts'
import { daysBetween, istDay } from '#shared/kernel/time.ts'
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
  /** What the reduction that settles the loan waives; null when none does. */
  used: { reduceId: string; reduced: number } | null
  isBadDebt: boolean
  postings: Posting[]
}

export function countDifference(
  loan: Loan,
  { before, after, stoppedOn }: Refold,
  told: Told,
): Difference {
  const { refId, today } = told
  const plans = loan.plans.map((plan, i) =>
    planAfter(plan, after.plans[i] as LoanAt['plans'][number], { ...told, stoppedOn }),
  )
  const own = after.payments.get(refId) ?? before.payments.get(refId)
  const others = [...after.payments].filter(([id]) => id !== refId && before.payments.has(id))
  return {
    plans,
    changed: plans.filter((plan, i) => JSON.stringify(plan) !== JSON.stringify(loan.plans[i])),
    outstanding: after.outstanding,
    counted: told.amount - (own?.surplus ?? told.amount),
    principal: principalOf(own),
    surplus: own?.surplus ?? told.amount,
    surpluses: others
      .filter(([id, { surplus }]) => surplus !== before.payments.get(id)?.surplus)
      .map(([recordId, { surplus }]) => ({ recordId, surplus })),
    used:
      after.used === null
        ? null
        : { reduceId: after.used.reduceId, reduced: sumGiven(after.used.given) },
    isBadDebt: after.isBadDebt,
    postings: [
      ...paymentPostings(loan, told, before, after),
      ...reductionPostings(loan, today, before, after),
      fineCorrection(loan, told, before, after),
      ...goodAgain(loan, plans, told, after),
    ],
  }
}

function principalOf(payment: PaymentAt | undefined): number {
  return [...(payment?.cleared.values() ?? [])].reduce((sum, { principal }) => sum + principal, 0)
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
  { today, stoppedOn, beingPaid }: Told & { stoppedOn: string | null },
): LoanPlan {
  const isOpen = outstandingOf(parts) > 0
  const lastDay = settledAt === null ? today : istDay(settledAt)
  const fineDay = stoppedOn ?? today
  const after = {
    ...plan,
    ...parts,
    reducedAt:
      parts.reduced === 0 ? null : parts.reduced === plan.reduced ? plan.reducedAt : settledAt,
    fineTo: isOpen && fineDay > plan.dueDay ? fineDay : plan.fineTo,
    overdueDays: Math.max(0, daysBetween(plan.dueDay, lastDay)),
    settledAt: isSameInstant(plan.settledAt, settledAt) ? plan.settledAt : settledAt,
  }
  return { ...after, status: isOpen ? planStatus(after, beingPaid.has(plan.planId)) : 'paid' }
}

function isSameInstant(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && Date.parse(one) === Date.parse(other)
}

/** The payment that is added or removed, and the changed allocations of other payments. */
function paymentPostings(
  loan: Loan,
  { refId, amount, today }: Told,
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

function reductionPostings(
  { orderId }: Loan,
  today: string,
  before: LoanAt,
  after: LoanAt,
): Posting[] {
  const lines = (given: ReadonlyMap<string, GivenUp>, sign: 1 | -1): Line[] => [
    { account: LEDGER_ACCOUNT.waiverExpense, planId: null, amount: -sign * sumGiven(given) },
    ...[...given].flatMap(([planId, parts]): Line[] => [
      { account: LEDGER_ACCOUNT.fineReceivable, planId, amount: sign * parts.fine },
      { account: LEDGER_ACCOUNT.serviceReceivable, planId, amount: sign * parts.service },
      { account: LEDGER_ACCOUNT.interestReceivable, planId, amount: sign * parts.interest },
    ]),
  ]
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
  return {
    kind: 'fineCorrection',
    orderId,
    bizDate: today,
    refId,
    lines: after.plans.flatMap(({ planId, overdueFine }, i): Line[] => {
      const more = overdueFine - (before.plans[i]?.overdueFine ?? 0)
      return [
        { account: LEDGER_ACCOUNT.fineReceivable, planId, amount: more },
        { account: LEDGER_ACCOUNT.fineIncome, planId, amount: -more },
      ]
    }),
  }
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
