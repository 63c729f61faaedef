/** Reads the terms of loans and their history, for the fold. */
import { sql } from 'kysely'
import { readParts } from '#shared/repayments/allocate-payment.ts'
import type {
  LoanHistory,
  LoanTerms,
  Payment,
  PlanTerms,
  Stop,
} from '#shared/repayments/fold/loan-history.ts'
import type { ReduceItems } from '#shared/repayments/reduction-sets.ts'
import { addDays, istDay, istMidnight } from '#shared/kernel/time.ts'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { parameterValue } from '#gateway/manage/kernel/parameters.ts'
import type { Loan } from '../loan-store.ts'

/** A payment with the instant of its arrival. */
export interface ToldPayment {
  id: string
  /** Instants of payment and arrival, ISO 8601. */
  at: string
  toldAt: string
  amount: number
}

interface ToldReduction {
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

interface ToldSettlement {
  asOf: string
  startedAt: string
  endedAt: string | null
}

/** The history of a loan. Reversed payments are left out. */
export interface ToldLoan {
  terms: LoanTerms
  payments: ToldPayment[]
  reductions: ToldReduction[]
  settlements: ToldSettlement[]
}

interface Row extends Omit<ToldLoan, 'terms'> {
  orderId: string
  plans: PlanTerms[]
  parts: string
  badDebtDays: string
}

export async function readHistory(db: Db, loan: Loan): Promise<ToldLoan> {
  // the caller holds the lock of the order, so it exists
  return (await readHistories(db, [loan])).get(loan.orderId) as ToldLoan
}

/** By order. */
export async function readHistories(
  db: Db,
  loans: readonly Loan[],
): Promise<Map<string, ToldLoan>> {
  if (loans.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select o.id as "orderId", ${parameterValue('repay.order')} as parts,
      ${parameterValue('order.badDebtDays')} as "badDebtDays",
      (select coalesce(json_agg(json_build_object('planId', p.id, 'dueDay', p.due_at::text,
        'principal', p.principal, 'interest', p.interest, 'service', p.service_fee)
        order by p.due_at, p.serial_no), '[]') from repay_plan p where p.order_id = o.id) as plans,
      (select coalesce(json_agg(json_build_object('id', r.id, 'at', r.paid_at,
        'toldAt', r.confirmed_at, 'amount', r.amount)), '[]') from repay_record r
        where r.order_id = o.id and r.pay_state = 'success' and r.reversed_at is null
        and r.repayment_type in ('full', 'partial') and not r.is_credit) as payments,
      (select coalesce(json_agg(json_build_object('id', d.id, 'items', d.items, 'frozenOn',
        d.frozen_on::text, 'validUntil', d.valid_until::text, 'decidedAt', d.decided_at, 'endedAt',
        d.ended_at, 'cause', d.cause)), '[]') from reduction d where d.order_id = o.id
        and d.frozen_on is not null and d.void_at is null) as reductions,
      (select coalesce(json_agg(json_build_object('asOf', s.as_of::text, 'startedAt', s.started_at,
        'endedAt', s.ended_at)), '[]') from settlement_plan s where s.order_id = o.id) as settlements
    from loan_order o where o.id = ${anyOf(loans.map(({ orderId }) => orderId))}`.execute(db)
  const byId = new Map(loans.map((loan) => [loan.orderId, loan]))
  return new Map(
    rows.map(({ orderId, plans, parts, badDebtDays, ...told }) => [
      orderId,
      {
        ...told,
        terms: {
          plans,
          penalty: (byId.get(orderId) as Loan).penalty,
          badDebtDays: Number(badDebtDays),
          parts: readParts(parts),
        },
      },
    ]),
  )
}

/**
 * The history in the form the fold takes.
 * @param mayReduce whether a reduction may settle the loan
 */
export function historyOf(
  { payments, reductions, settlements }: ToldLoan,
  mayReduce = true,
): LoanHistory {
  return {
    payments: payments.map((payment) => paymentOf(payment, mayReduce ? reductions : [])),
    reductions,
    stops: [...reductions.map(stopOfReduction), ...settlements.map(stopOfSettlement)],
    // a loan that ended this way is not folded any more: a later payment is a recovery or credit
    end: null,
  }
}

function paymentOf(
  { id, at, toldAt, amount }: ToldPayment,
  reductions: readonly ToldReduction[],
): Payment {
  const usable = reductions
    .filter((reduction) => isUsableBy(reduction, at, toldAt))
    .toSorted((one, other) => Date.parse(other.decidedAt) - Date.parse(one.decidedAt))
  return { id, at, amount, reduceId: usable[0]?.id ?? null }
}

/**
 * A payment may use a reduction that was approved before the payment arrived, whose validity had
 * not passed at the time of payment, and that was not revoked before.
 */
function isUsableBy(
  { decidedAt, validUntil, endedAt, cause }: ToldReduction,
  at: string,
  toldAt: string,
): boolean {
  if (Date.parse(toldAt) < Date.parse(decidedAt) || istDay(at) > validUntil) return false
  if (endedAt === null || cause === 'expired') return true
  return Date.parse(at) < Date.parse(endedAt) || Date.parse(toldAt) < Date.parse(endedAt)
}

/** No fines are charged up to the end of the validity, or to the revocation. */
function stopOfReduction({ frozenOn, validUntil, endedAt, cause }: ToldReduction): Stop {
  const over = istMidnight(addDays(validUntil, 1)).toISOString()
  const isEarlier =
    endedAt !== null && cause !== 'expired' && Date.parse(endedAt) < Date.parse(over)
  return { from: frozenOn, until: isEarlier ? endedAt : over, curedAt: null }
}

function stopOfSettlement({ asOf, startedAt, endedAt }: ToldSettlement): Stop {
  return { from: asOf, until: endedAt, curedAt: startedAt }
}
