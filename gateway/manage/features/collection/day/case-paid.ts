/**
 * What money does to a case, in the payment's own transaction: amounts, a promise kept in whole or in part, the end of a case
 * with its order or with its arrears, and its return after a reversal (domain.md 2.3; 3).
 */
import { type RawBuilder, sql } from 'kysely'
import { isKept, type PtpState } from '#shared/collection/case-lifecycle.ts'
import { CASE_CREATED } from '#shared/collection/collection-live.ts'
import type { CaseEnd } from '#shared/collection/collection-sets.ts'
import { istDay } from '#shared/kernel/time.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { logCase, tellEnded, tellPromise } from '../case-events.ts'
import {
  caseRooms,
  lockCases,
  type LockedCase,
  moveCase,
  type MovedCase,
  nextCaseState,
  POOL,
} from '../case-store.ts'
import { openDayCases, tellAmount } from './open-day-cases.ts'
import { reverseBill, writeBill } from './recovery-bill.ts'

export interface PaidOrder {
  orderId: string
  /** Paise confirmed; negative for a reversal, 0 when the order moved without money (written off). */
  amount: number
  /** The record it stands in, paise of it that cleared principal, its channel, and what an extension owes for its sale; absent when the order moved without money. */
  payment?: {
    recordId: string
    principal: number
    channel: number
    extension?: { commission: number }
  }
  /** Value date of the payment, ISO 8601: decides whether a promise was kept in time. */
  payTime: string
  /** Status of the order before and after. */
  from: OrderStatus
  to: OrderStatus
  /** Paise the order owes now. */
  outstanding: number
  /** Whether a case of it is open, when that was seen under the order's lock: nobody opens one without it. */
  hasCase?: boolean
}

const MENU = 'pedding_list'

/** Runs after plans and order were written, with the money credited to who held the case when it was paid. An order without a case is none of collection's business, unless a reversal puts it into arrears. */
export async function casePaid(cx: Cx, paid: PaidOrder): Promise<void> {
  if (paid.hasCase === false && paid.amount >= 0) return
  if (paid.payment && paid.amount < 0) await reverseBill(cx, paid.payment.recordId)
  const [open] = await lockCases(
    cx,
    sql<boolean>`c.order_id = ${paid.orderId} and c.state <> 'closed'`,
  )
  if (open) await payOpen(cx, open, paid)
  else if (paid.amount < 0) await reopen(cx, paid)
}

async function payOpen(cx: Cx, locked: LockedCase, paid: PaidOrder): Promise<void> {
  if (paid.payment && paid.amount > 0)
    await writeBill(cx, locked, { ...paid.payment, amount: paid.amount, payTime: paid.payTime })
  const { state, set, promise } = await outcomeOf(cx, locked, paid)
  const moved = await moveCase(cx, locked, { to: state, set: [...amounts(paid), ...set] })
  tellAmount(cx, moved, paid.amount)
  if (promise !== null) tellPromise(cx, moved)
  if (moved.state === 'closed') tellEnded(cx, moved)
  logCase(cx, MENU, 'paid', moved, { amount: paid.amount, outstanding: paid.outstanding })
}

/** Due = paid + still owed, at any moment. Money of today counts for the day; money of another value date does not. */
function amounts({ amount, outstanding, payTime }: PaidOrder): RawBuilder<unknown>[] {
  const day = istDay(payTime)
  const kept = (column: string) => sql`greatest(0, ${sql.ref(`c.${column}`)} + ${amount}::bigint)`
  return [
    sql`paid_amount = ${kept('paid_amount')}`,
    sql`recovered = ${kept('recovered')}`,
    sql`outstanding = ${outstanding}`,
    sql`amount_due = ${kept('paid_amount')} + ${outstanding}::bigint`,
    ...(amount > 0
      ? [
          sql`paid_on = greatest(c.paid_on, ${day}::date)`,
          sql`paid_on_amount = case when c.paid_on = ${day}::date then c.paid_on_amount + ${amount}::bigint when c.paid_on > ${day}::date then c.paid_on_amount else ${amount}::bigint end`,
        ]
      : []),
    ...(amount < 0
      ? [sql`paid_on_amount = greatest(0, c.paid_on_amount + ${amount}::bigint)`]
      : []),
  ]
}

interface Outcome {
  state: LockedCase['state']
  set: RawBuilder<unknown>[]
  promise: PtpState | null
}

async function outcomeOf(cx: Cx, locked: LockedCase, paid: PaidOrder): Promise<Outcome> {
  const isOpen = locked.ptp_state === 'open'
  const inTime =
    isOpen &&
    locked.ptp_made_at !== null &&
    locked.ptp_at !== null &&
    Date.parse(paid.payTime) >= Date.parse(locked.ptp_made_at) &&
    istDay(paid.payTime) <= istDay(locked.ptp_at)
  const ptpPaid = Math.max(
    0,
    locked.ptp_paid + (inTime || (isOpen && paid.amount < 0) ? paid.amount : 0),
  )
  const counted = isOpen ? [sql`ptp_paid = ${ptpPaid}`] : []
  const facts = {
    paid: ptpPaid,
    promised: locked.ptp_amount ?? 0,
    keptPercent: await keptPercent(cx),
  }
  const end = await endOf(cx, paid)
  if (end !== null) {
    const promise = isOpen ? promiseAtEnd(paid.to, inTime, isKept(facts)) : null
    return {
      state: closedState(locked, paid),
      set: [
        ...counted,
        sql`end_reason = ${end}`,
        sql`ended_at = clock_timestamp()`,
        sql`hold_reason = null`,
        sql`hold_until = null`,
        ...(promise === null
          ? []
          : [
              sql`ptp_state = ${promise}`,
              ...(promise === 'broken' ? [sql`broken_count = c.broken_count + 1`] : []),
            ]),
      ],
      promise,
    }
  }
  if (locked.state === 'promised' && isOpen && paid.amount > 0 && isKept(facts)) {
    return {
      state: nextCaseState(locked, { type: 'PROMISE_KEPT_PART', ...facts }),
      set: [...counted, sql`ptp_state = 'keptPart'`],
      promise: 'keptPart',
    }
  }
  return { state: locked.state, set: counted, promise: null }
}

/** Why the case is over: its order ended, or no instalment is due any more; null = it goes on. */
async function endOf(cx: Cx, { orderId, to }: PaidOrder): Promise<CaseEnd | null> {
  if (isOrderClosed(to)) return END_OF[to] ?? 'other'
  if (to !== 30) return null
  const { rows } = await sql<{ due: boolean }>`
    select exists (select 1 from repay_plan p where p.order_id = ${orderId} and p.outstanding > 0 and p.due_at <= (clock_timestamp() at time zone 'Asia/Kolkata')::date) as due`.execute(
    cx.db,
  )
  return rows[0]?.due === true ? null : 'repaid'
}

const END_OF: Partial<Record<OrderStatus, CaseEnd>> = {
  40: 'repaid',
  41: 'repaidReduced',
  80: 'extended',
  100: 'writtenOff',
  110: 'writtenOff',
}

/** A run that was placing the case finds it closed. */
function closedState(locked: LockedCase, { to }: PaidOrder): LockedCase['state'] {
  const state =
    locked.state === 'allocating' ? nextCaseState(locked, { type: 'NO_CAPACITY' }) : locked.state
  return nextCaseState(
    { id: locked.id, state },
    isOrderClosed(to)
      ? { type: 'SETTLED', orderClosed: true }
      : { type: 'ARREARS_PAID', dueLeft: false },
  )
}

/** The promise of a case that ends: kept by money in time, broken by money too late, cancelled when the order ended without it. */
function promiseAtEnd(to: OrderStatus, inTime: boolean, kept: boolean): PtpState {
  if (to === 80 || to === 100 || to === 110) return 'cancelled'
  return inTime || kept ? 'kept' : 'broken'
}

/** A reversal brings the last case of the order back into the pool, or opens one, when the order is in arrears again. */
async function reopen(cx: Cx, { orderId, amount, outstanding }: PaidOrder): Promise<void> {
  const [closed] = await lockCases(
    cx,
    sql<boolean>`c.id = (select x.id from collection_case x where x.order_id = ${orderId} and x.state = 'closed' order by x.ended_at desc limit 1)`,
  )
  const day = istDay(await cx.now())
  const { rows } = await sql<{
    due: boolean
  }>`select exists (select 1 from repay_plan p where p.order_id = ${orderId} and p.outstanding > 0 and p.due_at <= ${day}::date) as due`.execute(
    cx.db,
  )
  if (rows[0]?.due !== true) return
  if (closed) tellReopened(cx, await takeBack(cx, closed, amount, outstanding))
  // puts it into the stage of the day; without an earlier case it opens one
  await openDayCases(cx, { day, orderIds: [orderId] })
}

function takeBack(
  cx: Cx,
  closed: LockedCase,
  amount: number,
  outstanding: number,
): Promise<MovedCase> {
  const kept = (column: string) => sql`greatest(0, ${sql.ref(`c.${column}`)} + ${amount}::bigint)`
  return moveCase(cx, closed, {
    to: nextCaseState(closed, { type: 'REOPEN', paymentReversed: true }),
    place: POOL,
    cause: 'reopen',
    set: [
      sql`end_reason = null`,
      sql`ended_at = null`,
      sql`paid_amount = ${kept('paid_amount')}`,
      sql`recovered = ${kept('recovered')}`,
      sql`paid_on_amount = ${kept('paid_on_amount')}`,
      sql`outstanding = ${outstanding}`,
      sql`amount_due = ${kept('paid_amount')} + ${outstanding}::bigint`,
    ],
  })
}

function tellReopened(cx: Cx, moved: MovedCase): void {
  cx.emit(CASE_CREATED, {
    subject: `case:${moved.id}`,
    version: moved.version,
    rooms: caseRooms(moved.id, moved.from, moved),
    data: {
      caseId: moved.id,
      orderId: moved.order_id,
      stageId: moved.stage_id,
      outstanding: moved.outstanding,
      reopened: true,
    },
  })
  logCase(cx, MENU, 'reopen', moved)
}

/** Parameter collection.ptpKeptPercent, read inside the transaction. */
export async function keptPercent(cx: Cx): Promise<number> {
  const { rows } = await sql<{
    value: number
  }>`select x.value::int as value from sys_config x where x.code = 'collection.ptpKeptPercent' and x.state = 'enabled'`.execute(
    cx.db,
  )
  return rows[0]?.value ?? 100
}
