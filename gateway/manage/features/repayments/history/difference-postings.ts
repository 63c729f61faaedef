/** Postings of what two folds of a loan differ in. Pure. */
import type { OpenParts } from '#shared/repayments/allocate-payment.ts'
import type { GivenUp } from '#shared/repayments/fold/give-up.ts'
import type { LoanAt, PaymentAt } from '#shared/repayments/fold/loan-at.ts'
import { givenLines } from '../given-lines.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import { type Loan, type LoanPlan, principalAccount, statusBeforePayment } from '../loan-store.ts'
import type { Line, Posting } from '../post-entries.ts'

/** Why the loan was folded again. */
export interface Occasion {
  /** The payment, or the reversed payment. */
  refId: string
  /** Paise of the payment that is added or removed. */
  amount: number
  /** IST day it is booked on. */
  today: string
  /** Coupons of payments, by payment. */
  coupons: ReadonlyMap<string, string>
}

const NONE: ReadonlyMap<string, GivenUp> = new Map()

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
  const principal = principalAccount(statusBeforePayment(loan))
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

/** The payment that is added or removed, and the changed allocations of other payments. */
export function paymentPostings(
  loan: Loan,
  { refId, amount, today }: Pick<Occasion, 'refId' | 'amount' | 'today'>,
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
  const principal = principalAccount(statusBeforePayment(loan))
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

/** What coupons give up now, less what they gave up before; with the reversed payment all of it. */
export function couponPostings(
  { orderId }: Loan,
  { today, coupons }: Occasion,
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

export function reductionPostings(
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
export function fineCorrection(
  { orderId }: Loan,
  { refId, today }: Occasion,
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
export function goodAgain(
  loan: Loan,
  plans: readonly LoanPlan[],
  { refId, today }: Occasion,
  { isBadDebt }: LoanAt,
): Posting[] {
  if (statusBeforePayment(loan) !== 90 || isBadDebt) return []
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
