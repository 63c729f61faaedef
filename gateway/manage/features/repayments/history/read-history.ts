/** Reads the terms of loans and their history, for the fold. */
import { sql } from 'kysely'
import { readParts } from '#shared/repayments/allocate-payment.ts'
import type {
  Bounce,
  LoanEnd,
  LoanHistory,
  LoanTerms,
  Payment,
  PlanTerms,
  Stop,
  UsedCoupon,
} from '#shared/repayments/fold/loan-history.ts'
import type { PrepaymentEffect } from '#shared/repayments/emi/prepayment-effects.ts'
import type { ReduceItems } from '#shared/repayments/reduction-sets.ts'
import { addDays, istDay, istMidnight } from '#shared/kernel/time.ts'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { couponOf } from '#gateway/manage/features/coupons/public.ts'
import { parameterValue } from '#gateway/manage/kernel/parameters.ts'
import type { Loan } from '../loan-store.ts'
import { plansOfEmi } from '../make-plans.ts'

/** A payment with the instant of its arrival. */
export interface ReceivedPayment {
  id: string
  /** Instants of payment and arrival, ISO 8601. */
  at: string
  receivedAt: string
  amount: number
  /** The coupon it uses. */
  coupon: UsedCoupon | null
  /** What it changes in the plan of an EMI loan. */
  ahead?: PrepaymentEffect | null
}

interface StoredReduction {
  id: string
  items: ReduceItems
  /** IST days. */
  frozenOn: string
  validUntil: string
  decidedAt: string
  /** Instant and reason of its end; null while it may be used. */
  endedAt: string | null
  cause: string | null
}

interface StoredSettlement {
  asOf: string
  startedAt: string
  endedAt: string | null
  state: string
}

/** The history of a loan. Reversed payments are left out. */
export interface StoredHistory {
  terms: LoanTerms
  payments: ReceivedPayment[]
  reductions: StoredReduction[]
  settlements: StoredSettlement[]
  /** Of an EMI loan. */
  bounces?: Bounce[]
  /** IST day. */
  calledInOn: string | null
}

interface Row extends Omit<StoredHistory, 'terms'> {
  orderId: string
  plans: PlanTerms[]
  parts: string
  badDebtDays: string
}

export async function readHistory(db: Db, loan: Loan): Promise<StoredHistory> {
  // the caller holds the lock of the order, so it exists
  return (await readHistories(db, [loan])).get(loan.orderId) as StoredHistory
}

/** By order. */
export async function readHistories(
  db: Db,
  loans: readonly Loan[],
): Promise<Map<string, StoredHistory>> {
  if (loans.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select o.id as "orderId", ${parameterValue('repay.order')} as parts,
      ${parameterValue('order.badDebtDays')} as "badDebtDays",
      (select coalesce(json_agg(json_build_object('planId', p.id, 'dueDay', p.due_at::text,
        'principal', p.principal, 'interest', p.interest, 'service', p.service_fee)
        order by p.due_at, p.serial_no), '[]') from repay_plan p where p.order_id = o.id) as plans,
      (select coalesce(json_agg(json_build_object('id', r.id, 'at', r.paid_at,
        'receivedAt', r.confirmed_at, 'amount', r.amount, 'ahead', r.ahead, 'coupon', ${couponOf('r.id')})), '[]')
        from repay_record r where r.order_id = o.id and r.pay_state = 'success' and r.reversed_at is null
        and r.repayment_type in ('full', 'partial') and not r.is_credit) as payments,
      (select coalesce(json_agg(json_build_object('id', r.id, 'at', r.paid_at,
        'charge', r.bounce_charge)), '[]') from repay_record r where r.order_id = o.id
        and r.pay_state = 'fail' and r.bounce_charge > 0) as bounces,
      (select coalesce(json_agg(json_build_object('id', d.id, 'items', d.items, 'frozenOn',
        d.frozen_on::text, 'validUntil', d.valid_until::text, 'decidedAt', d.decided_at, 'endedAt',
        d.ended_at, 'cause', d.cause)), '[]') from reduction d where d.order_id = o.id
        and d.frozen_on is not null and d.void_at is null) as reductions,
      (select coalesce(json_agg(json_build_object('asOf', s.as_of::text, 'startedAt', s.started_at,
        'endedAt', s.ended_at, 'state', s.state)), '[]') from settlement_plan s
        where s.order_id = o.id) as settlements,
      (select p.called_in_on::text from repay_plan p where p.order_id = o.id
        and p.called_in_on is not null) as "calledInOn"
    from loan_order o where o.id = ${anyOf(loans.map(({ orderId }) => orderId))}`.execute(db)
  const byId = new Map(loans.map((loan) => [loan.orderId, loan]))
  return new Map(
    rows.map(({ orderId, plans, parts, badDebtDays, ...stored }) => [
      orderId,
      {
        ...stored,
        terms: termsOf(byId.get(orderId) as Loan, {
          plans,
          badDebtDays: Number(badDebtDays),
          parts: readParts(parts),
        }),
      },
    ]),
  )
}

/** Of an EMI loan the instalments as agreed, and the parameters of the day it was agreed on. */
function termsOf(
  { orderId, penalty, amount = 0, emi = null, disbursedAt, plans }: Loan,
  others: Omit<LoanTerms, 'penalty' | 'emi'>,
): LoanTerms {
  if (emi === null || disbursedAt === null) return { ...others, penalty }
  const terms = { ...emi, principal: BigInt(amount) }
  const disbursedOn = istDay(disbursedAt)
  const ids = plans
    .filter(({ kind }) => kind === 'instalment')
    .toSorted((one, other) => one.serialNo - other.serialNo)
    .map(({ planId }) => planId)
  return {
    plans: plansOfEmi(terms, disbursedOn).map(({ dueAt, principal, interest }, i) => ({
      planId: ids[i] as string,
      dueDay: dueAt,
      principal: Number(principal),
      interest: Number(interest),
      service: 0,
    })),
    penalty,
    badDebtDays: emi.badDebtDays,
    parts: emi.parts,
    emi: { orderId, terms, disbursedOn, prepayment: emi.prepayment },
  }
}

/**
 * The history in the form the fold takes.
 * @param mayReduce whether a reduction may settle the loan
 * @param end how it was ended by a person; null for a loan that was not: a later payment of one
 * that was is a recovery or credit, and is not folded
 */
export function historyOf(
  { payments, reductions, settlements, bounces = [], calledInOn }: StoredHistory,
  mayReduce = true,
  end: LoanEnd | null = null,
): LoanHistory {
  return {
    payments: payments.map((payment) => paymentOf(payment, mayReduce ? reductions : [])),
    reductions,
    stops: [
      ...reductions.map(stopOfReduction),
      ...settlements.map((one) => stopOfSettlement(one, end !== null)),
    ],
    bounces,
    end,
    calledInOn,
  }
}

/** Coupons that payments use, by payment. */
export function couponsOf(payments: readonly ReceivedPayment[]): ReadonlyMap<string, string> {
  return new Map(
    payments.flatMap(({ id, coupon }) => (coupon === null ? [] : [[id, coupon.grantId]])),
  )
}

function paymentOf(
  { id, at, receivedAt, amount, coupon, ahead = null }: ReceivedPayment,
  reductions: readonly StoredReduction[],
): Payment {
  const reduceId = coupon === null ? (usableBy(reductions, at, receivedAt)?.id ?? null) : null
  return { id, at, amount, coupon, ahead, reduceId }
}

/** The reduction that money of an instant may use when it arrives; the newest of several. */
export function usableBy(
  reductions: readonly StoredReduction[],
  at: string,
  receivedAt: string,
): StoredReduction | undefined {
  return reductions
    .filter((reduction) => isUsableBy(reduction, at, receivedAt))
    .toSorted((one, other) => Date.parse(other.decidedAt) - Date.parse(one.decidedAt))[0]
}

/**
 * A payment may use a reduction that was approved before the payment arrived, whose validity had
 * not passed at the time of payment, and that was not revoked before.
 */
function isUsableBy(
  { decidedAt, validUntil, endedAt, cause }: StoredReduction,
  at: string,
  receivedAt: string,
): boolean {
  if (Date.parse(receivedAt) < Date.parse(decidedAt) || istDay(at) > validUntil) return false
  if (endedAt === null || cause === 'expired') return true
  return Date.parse(at) < Date.parse(endedAt) || Date.parse(receivedAt) < Date.parse(endedAt)
}

/** No fines are charged up to the end of the validity, or to the revocation. */
function stopOfReduction({ frozenOn, validUntil, endedAt, cause }: StoredReduction): Stop {
  const over = istMidnight(addDays(validUntil, 1)).toISOString()
  const isEarlier =
    endedAt !== null && cause !== 'expired' && Date.parse(endedAt) < Date.parse(over)
  return { from: frozenOn, until: isEarlier ? endedAt : over, curedAt: null }
}

/** The fines of a plan that ended with its loan were never charged. */
function stopOfSettlement(
  { asOf, startedAt, endedAt, state }: StoredSettlement,
  isEnded: boolean,
): Stop {
  const until = isEnded && state === 'ended' ? null : endedAt
  return { from: asOf, until, curedAt: startedAt }
}
