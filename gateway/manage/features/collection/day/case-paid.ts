/**
 * Applies money to a case in the payment's own transaction: amounts, a promise kept in whole or in
 * part, the end of a case with its order or its arrears, and its reopening after a reversal.
 */
import { type RawBuilder, sql } from 'kysely'
import { isKept, type PtpState } from '#shared/collection/case-lifecycle.ts'
import { CASE_CREATED } from '#shared/collection/collection-live.ts'
import type { CaseEnd } from '#shared/collection/collection-sets.ts'
import { istDay } from '#shared/kernel/time.ts'
import { isOrderClosed } from '#shared/orders/order-lifecycle.ts'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logCase, emitEnded, emitPromise } from '../case-events.ts'
import {
  caseRooms,
  lockCases,
  type LockedCase,
  moveCase,
  type MovedCase,
  nextCaseState,
  POOL,
} from '../case-store.ts'
import { openDayCases, emitAmount } from './open-day-cases.ts'
import { reverseBill, writeBill } from './recovery-bill.ts'

export interface PaidOrder {
  orderId: string
  /**
   * Paise confirmed; negative for a reversal, 0 when the order changed without money (written off).
   */
  amount: number
  /**
   * The payment record, paise of it that cleared principal, its channel, and the sales commission
   * of an extension; absent when the order changed without money.
   */
  payment?: {
    recordId: string
    principal: number
    channel: number
    /** Its reversal, also when its money counted for nothing any more. */
    isReversal?: boolean
    extension?: { commission: number }
  }
  /** Value date of the payment, ISO 8601: decides whether a promise was kept in time. */
  payTime: string
  /** Status of the order before and after. */
  from: OrderStatus
  to: OrderStatus
  /** Paise the order owes now. */
  outstanding: number
  /**
   * Whether the order has an open case, when known under the order's lock: no case can be opened
   * without that lock.
   */
  hasCase?: boolean
}

const MENU = 'pedding_list'

/**
 * Runs after plans and order were written, and credits the money to the holder of the case at the
 * time of payment. An order without a case is ignored, unless a reversal puts it into arrears.
 */
export async function casePaid(tx: CommandTx, paid: PaidOrder): Promise<void> {
  if (paid.hasCase === false && paid.amount >= 0) return
  if (paid.payment && (paid.payment.isReversal === true || paid.amount < 0))
    await reverseBill(tx, paid.payment.recordId)
  const [open] = await lockCases(
    tx,
    sql<boolean>`c.order_id = ${paid.orderId} and c.state <> 'closed'`,
  )
  if (open) await payOpen(tx, open, paid)
  else if (paid.amount < 0) await reopen(tx, paid)
}

async function payOpen(tx: CommandTx, locked: LockedCase, paid: PaidOrder): Promise<void> {
  if (paid.payment && paid.amount > 0)
    await writeBill(tx, locked, { ...paid.payment, amount: paid.amount, payTime: paid.payTime })
  const { state, set, promise } = await outcomeOf(tx, locked, paid)
  const moved = await moveCase(tx, locked, { to: state, set: [...amounts(paid), ...set] })
  emitAmount(tx, moved, paid.amount)
  if (promise !== null) emitPromise(tx, moved)
  if (moved.state === 'closed') emitEnded(tx, moved)
  logCase(tx, MENU, 'paid', moved, { amount: paid.amount, outstanding: paid.outstanding })
}

/** Due = paid + outstanding, always. Money with today's value date counts for the day. */
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
          sql`
            paid_on_amount = case when c.paid_on = ${day}::date then c.paid_on_amount + ${amount}::bigint
              when c.paid_on > ${day}::date then c.paid_on_amount else ${amount}::bigint end`,
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

async function outcomeOf(tx: CommandTx, locked: LockedCase, paid: PaidOrder): Promise<Outcome> {
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
    keptPercent: await keptPercent(tx),
  }
  const end = await endOf(tx, paid)
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

/** Why the case ends: its order ended, or no instalment is due any more; null = it continues. */
async function endOf(tx: CommandTx, { orderId, to }: PaidOrder): Promise<CaseEnd | null> {
  if (isOrderClosed(to)) return END_OF[to] ?? 'other'
  if (to !== 30) return null
  const { rows } = await sql<{ due: boolean }>`
    select exists (select 1 from repay_plan p where p.order_id = ${orderId} and p.outstanding > 0
      and p.due_at <= (clock_timestamp() at time zone 'Asia/Kolkata')::date) as due`.execute(tx.db)
  return rows[0]?.due === true ? null : 'repaid'
}

const END_OF: Partial<Record<OrderStatus, CaseEnd>> = {
  40: 'repaid',
  41: 'repaidReduced',
  80: 'extended',
  100: 'writtenOff',
  110: 'writtenOff',
}

/** A run that was placing the case skips it as closed. */
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

/**
 * The promise of a case that ends: kept by money in time, broken by money too late, cancelled when
 * the order ended without money.
 */
function promiseAtEnd(to: OrderStatus, inTime: boolean, kept: boolean): PtpState {
  if (to === 80 || to === 100 || to === 110) return 'cancelled'
  return inTime || kept ? 'kept' : 'broken'
}

/**
 * When a reversal puts the order into arrears, its last case reopens in the pool, or a new one
 * opens.
 */
async function reopen(tx: CommandTx, { orderId, amount, outstanding }: PaidOrder): Promise<void> {
  const [closed] = await lockCases(
    tx,
    sql<boolean>`
      c.id = (select x.id from collection_case x where x.order_id = ${orderId} and x.state = 'closed'
        order by x.ended_at desc limit 1)`,
  )
  const day = istDay(await tx.now())
  const { rows } = await sql<{
    due: boolean
  }>`
    select exists (
      select 1
      from repay_plan p
      where p.order_id = ${orderId} and p.outstanding > 0 and p.due_at <= ${day}::date
    ) as due`.execute(tx.db)
  if (rows[0]?.due !== true) return
  if (closed) emitReopened(tx, await takeBack(tx, closed, amount, outstanding))
  // puts it into the stage of the day; without an earlier case it opens one
  await openDayCases(tx, { day, orderIds: [orderId] })
}

function takeBack(
  tx: CommandTx,
  closed: LockedCase,
  amount: number,
  outstanding: number,
): Promise<MovedCase> {
  const kept = (column: string) => sql`greatest(0, ${sql.ref(`c.${column}`)} + ${amount}::bigint)`
  return moveCase(tx, closed, {
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

function emitReopened(tx: CommandTx, moved: MovedCase): void {
  tx.emit(CASE_CREATED, {
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
  logCase(tx, MENU, 'reopen', moved)
}

/** Parameter collection.ptpKeptPercent, read inside the transaction. */
export async function keptPercent(tx: CommandTx): Promise<number> {
  const { rows } = await sql<{
    value: number
  }>`
    select x.value::int as value
    from sys_config x
    where x.code = 'collection.ptpKeptPercent' and x.state = 'enabled'`.execute(tx.db)
  return rows[0]?.value ?? 100
}
