/**
 * A disbursed loan while money is counted against it: its order locked, its instalments as they
 * stand, and their writing.
 */
import { type RawBuilder, sql } from 'kysely'
import { daysBetween } from '#shared/kernel/time.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { Penalty } from '#shared/repayments/overdue-fine.ts'
import type { ReduceItems } from '#shared/repayments/reduction-sets.ts'
import { overdueDaysOfSettlement, type SettlementRow } from '#shared/repayments/settlement-plan.ts'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import { penaltyOfOrder } from '#gateway/manage/features/orders/public.ts'
import type { EmiAgreement } from '#shared/products/emi-offer.ts'
import { LEDGER_ACCOUNT, type LedgerAccount } from './ledger-accounts.ts'

export interface LoanPlan {
  planId: string
  orderId: string
  serialNo: number
  /** IST day. */
  dueDay: string
  /** Paise of the principal as it was planned. */
  planned: number
  /** Planned interest of an EMI loan, in paise. */
  plannedInterest?: number
  /** Bounce charges of an EMI loan, in paise. */
  bounced?: number
  /** Rows that are no instalments belong to EMI loans. */
  kind?: 'instalment' | 'prepayment' | 'foreclosure'
  /** IST day on which its loan became a bad debt, so that the rest was due at once. */
  calledInOn?: string | null
  /** Open paise of each part; together the outstanding amount. */
  principal: number
  interest: number
  service: number
  fine: number
  /** Fine charged in all. */
  overdueFine: number
  paid: number
  /** Given up without a payment. */
  waived: number
  /** Of a reduction that was used, and when. */
  reduced: number
  reducedAt: string | null
  fineTo: string | null
  status: string
  overdueDays: number
  /** Settled by payment at that instant. */
  settledAt: string | null
  /** 0 for a row that is not written yet. */
  version: number
}

/** What somebody decided to give up, while it may still be used. */
export interface ApprovedReduction {
  reduceId: string
  items: ReduceItems
  /** IST day from which fines stand still. */
  frozenOn: string
  /** Last IST day the money may be paid. */
  validUntil: string
}

/** The parts a cured bad debt is paid in, while they are kept. */
export interface CurrentSettlement {
  rows: SettlementRow[]
  /** Paise. */
  total: number
  /** IST day from which fines stand still. */
  asOf: string
}

export interface Loan {
  orderId: string
  customerId: string
  status: OrderStatus
  /** Status the payment under way started from. */
  resumeStatus: OrderStatus | null
  /** What overdue days cost, as the order was made. */
  penalty: Penalty
  /** Paise, and the terms of a loan in equated monthly instalments; null = even ones. */
  amount?: number
  emi?: EmiAgreement | null
  disbursedAt: string | null
  /** Instant until which the borrower may leave without penalty. */
  coolingOffUntil: string | null
  tenureDays: number
  /** As the order was stamped last: paise, days, RBI class. */
  outstanding: number
  overdueDays: number
  rbiClass: string
  version: number
  /** As events show it; missing where nobody emits one. */
  tags?: string[]
  dueAt?: string | null
  failReason?: string | null
  reduction: ApprovedReduction | null
  settlement: CurrentSettlement | null
  /** Newest value of what was counted, ISO 8601: payments, and beginnings and ends of stops. */
  newestAt: string | null
  /** Oldest due first. */
  plans: LoanPlan[]
}

/** Locks the order before anything of it, as every command does. Null when nobody knows it. */
export async function lockLoan(trx: Trx, orderId: string): Promise<Loan | null> {
  // what an answer waits for is the lock: both are sent at once, and the second looks when the
  // first has it
  const [orders, debts] = await Promise.all([
    ordersOf(trx, sql`where o.id = ${orderId} for update`),
    debtsOf(trx, [orderId]),
  ])
  const [loan] = loansOf(orders, debts)
  return loan ?? null
}

/** The loan as it is, without a lock: for what only looks. */
export async function readLoan(db: Db, orderId: string): Promise<Loan | null> {
  const [loan] = await findLoans(db, sql`where o.id = ${orderId}`)
  return loan ?? null
}

export async function readLoans(db: Db, orderIds: readonly string[]): Promise<Loan[]> {
  return findLoans(db, sql`where o.id = ${anyOf(orderIds)}`)
}

/**
 * Locks several in the order of their ids, so that two commands never wait for each other.
 * @param which the rest of a query over `loan_order o` up to its order
 */
export async function lockLoans(trx: Trx, which: RawBuilder<unknown>, limit = 1): Promise<Loan[]> {
  return findLoans(trx, sql`${which} order by o.id limit ${limit} for update`)
}

async function findLoans(db: Db, which: RawBuilder<unknown>): Promise<Loan[]> {
  const orders = await ordersOf(db, which)
  return orders.length === 0
    ? []
    : loansOf(
        orders,
        await debtsOf(
          db,
          orders.map(({ orderId }) => orderId),
        ),
      )
}

type LoanOrder = Omit<Loan, 'reduction' | 'settlement' | 'newestAt' | 'plans'>

/**
 * Columns of the order alone: a statement that waited for a lock sees the row it waited for, and
 * every other table as it was before.
 */
async function ordersOf(db: Db, which: RawBuilder<unknown>): Promise<LoanOrder[]> {
  const { rows } = await sql<LoanOrder>`
    select o.id as "orderId", o.customer_id as "customerId", o.status, o.resume_status as "resumeStatus",
      ${penaltyOfOrder} as penalty, o.amount, o.product_snapshot -> 'emi' as emi, o.disbursed_at as "disbursedAt",
      o.cooling_off_until as "coolingOffUntil", o.tenure_days as "tenureDays", o.outstanding,
      o.overdue_days as "overdueDays", o.rbi_class as "rbiClass", o.version,
      o.tags, o.due_at as "dueAt", o.fail_reason as "failReason"
    from loan_order o ${which}`.execute(db)
  return rows
}

/** An instalment, with what was agreed about its whole loan. */
interface Debt extends LoanPlan {
  reduction: ApprovedReduction | null
  settlement: CurrentSettlement | null
  /** Of the first instalment alone, for the whole loan. */
  newestAt: string | null
}

/** The end of a reduction's validity is one, once it has passed. */
const NEWEST = sql`
  case when p.serial_no = 1 then greatest(
    (select max(r.paid_at) from repay_record r where r.order_id = p.order_id
      and ((r.pay_state = 'success' and r.reversed_at is null)
      or (r.pay_state = 'fail' and r.bounce_charge > 0))),
    (select max(greatest(x.decided_at, case when e.at <= clock_timestamp() then e.at end))
      from reduction x cross join lateral (select least(x.ended_at,
        (x.valid_until + 1)::timestamp at time zone 'Asia/Kolkata') as at) e
      where x.order_id = p.order_id and x.frozen_on is not null and x.void_at is null),
    (select max(greatest(y.started_at, y.ended_at)) from settlement_plan y
      where y.order_id = p.order_id)) end`

async function debtsOf(db: Db, orderIds: readonly string[]): Promise<Debt[]> {
  const { rows } = await sql<Debt>`
    select p.id as "planId", p.order_id as "orderId", p.serial_no as "serialNo", p.due_at as "dueDay",
      p.principal as planned, p.interest as "plannedInterest",
      p.bounce_charges as bounced, p.kind, p.called_in_on as "calledInOn",
      p.open_principal as principal, p.open_interest as interest,
      p.open_service as service, p.open_fine as fine, p.overdue_fine as "overdueFine",
      p.paid_amount as paid, p.waived, p.reduced_fees as reduced, p.reduction_at as "reducedAt",
        p.fine_to as "fineTo", p.payment_status as status, p.overdue_days as "overdueDays",
        p.actual_repayment_at as "settledAt", p.version,
      case when d.id is not null then json_build_object('reduceId', d.id, 'items', d.items, 'frozenOn',
        d.frozen_on, 'validUntil', d.valid_until) end as reduction,
      case when s.id is not null then json_build_object('rows', s.rows, 'total', s.total, 'asOf',
        s.as_of) end as settlement, ${NEWEST} as "newestAt"
    from repay_plan p left join reduction d on d.order_id = p.order_id and d.state = 'approved' left
      join settlement_plan s on s.order_id = p.order_id and s.state = 'current'
    where p.order_id = ${anyOf(orderIds)} order by p.due_at, p.serial_no`.execute(db)
  return rows
}

function loansOf(orders: readonly LoanOrder[], debts: readonly Debt[]): Loan[] {
  const loans = orders.map((order): Loan => ({
    ...order,
    reduction: null,
    settlement: null,
    newestAt: null,
    plans: [],
  }))
  const byId = new Map(loans.map((loan) => [loan.orderId, loan]))
  for (const { reduction, settlement, newestAt, ...plan } of debts) {
    const loan = byId.get(plan.orderId)
    if (!loan) continue
    loan.plans.push(plan)
    loan.reduction = reduction
    loan.settlement = settlement
    loan.newestAt ??= newestAt
  }
  return loans
}

/** The reduction that money of an IST day may still use. */
export function usableReduction({ reduction }: Loan, valueDay: string): ApprovedReduction | null {
  return reduction !== null && valueDay <= reduction.validUntil ? reduction : null
}

/**
 * Day up to which fines count for money of an IST day: while a reduction may be used they stand as
 * they stood when it was approved, under a settlement plan as they stood when it was asked for.
 */
export function fineDayOf(loan: Loan, valueDay: string): string {
  const frozenOn = loan.settlement?.asOf ?? usableReduction(loan, valueDay)?.frozenOn
  return frozenOn !== undefined && frozenOn < valueDay ? frozenOn : valueDay
}

export function outstandingOf(
  plan: Pick<LoanPlan, 'principal' | 'interest' | 'service' | 'fine'>,
): number {
  return plan.principal + plan.interest + plan.service + plan.fine
}

/** A running loan has an open instalment; they come oldest due first. */
export function firstDueDay(open: readonly LoanPlan[]): string {
  return (open[0] as LoanPlan).dueDay
}

/**
 * Paise the debt fell by since its settlement plan was agreed; less than 0 when a payment from
 * before was taken back.
 * @param plans all instalments
 */
export function settledOf({ total }: CurrentSettlement, plans: readonly LoanPlan[]): number {
  return total - plans.reduce((sum, plan) => sum + outstandingOf(plan), 0)
}

/**
 * Overdue days of an order on an IST day: since its earliest open instalment fell due; under a
 * settlement plan since the earliest row that was not paid did, while there are arrears at all.
 * @param plans all instalments, oldest due first
 */
export function overdueDaysOn(
  { settlement }: Pick<Loan, 'settlement'>,
  plans: readonly LoanPlan[],
  day: string,
): number {
  const first = plans.find((plan) => outstandingOf(plan) > 0)
  const agreed = first === undefined ? 0 : Math.max(0, daysBetween(first.dueDay, day))
  return settlement === null
    ? agreed
    : Math.min(agreed, overdueDaysOfSettlement(settlement.rows, settledOf(settlement, plans), day))
}

/** Status that a running payment started from. */
export function statusBeforePayment({ status, resumeStatus }: Loan): OrderStatus {
  return status === 43 && resumeStatus !== null ? resumeStatus : status
}

/** The account the principal is in. */
export function principalAccount(status: OrderStatus): LedgerAccount {
  return status === 90 ? LEDGER_ACCOUNT.doubtfulPrincipal : LEDGER_ACCOUNT.principalReceivable
}

/** What an unsettled plan is called; a payment under way for it hides the rest. */
export function planStatus(
  { overdueDays, paid }: Pick<LoanPlan, 'overdueDays' | 'paid'>,
  isBeingPaid: boolean,
): string {
  if (isBeingPaid) return 'processing'
  if (overdueDays > 0) return 'overdue'
  return paid > 0 ? 'partlyPaid' : 'unpaid'
}
