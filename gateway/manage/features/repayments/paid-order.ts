/** A received payment as other features get it, and the amount that may still be paid. */
import { sql } from 'kysely'
import type { OrderStatus } from '#shared/orders/order-statuses.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { LEDGER_ACCOUNT } from './ledger-accounts.ts'
import type { RecordRow } from './record-store.ts'

/** Money that was counted against what an order owes. */
export interface PaidOrder {
  orderId: string
  customerId: string
  /** Counted paise, without a surplus. */
  amount: number
  /**
   * Its record, the paise that cleared principal, its channel, and the commission an extension
   * owes; missing when the order changed without money.
   */
  payment?: {
    recordId: string
    principal: number
    channel: number
    /** Its reversal, also when its money counted for nothing any more. */
    isReversal?: boolean
    extension?: { commission: number }
  }
  /** Instant of the payment, ISO 8601: its IST day is the value date. */
  payTime: string
  /** Status before the payment (30, 50, 90), and after it. */
  from: OrderStatus
  to: OrderStatus
  /** Paise the order owes now. */
  outstanding: number
  /** Whether it has an open case, when that was read under the order's lock. */
  hasCase?: boolean
}

/**
 * Runs in the payment's transaction. Record, plans, ledger and order are sent before its first
 * statement, so that statement reads them as written.
 */
export type WhenPaid = (tx: CommandTx, paid: PaidOrder) => Promise<void>

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    whenPaid: WhenPaid
  }
}

export interface Settled {
  record: RecordRow
  status: OrderStatus
  /** Paise beyond the debt. */
  surplus: number
}

const RUNNING: readonly OrderStatus[] = [30, 43, 50, 90]
export const WRITTEN_OFF_WITH_CLAIM = 110

export function isRunning(status: OrderStatus): boolean {
  return RUNNING.includes(status)
}

/** Remaining claim, in paise, of a loan that was written off in a batch. */
export async function openClaim(db: Db, orderId: string): Promise<number> {
  const { rows } = await sql<{
    claim: number
  }>`
    select coalesce(sum(e.debit - e.credit), 0)::bigint as claim
    from ledger_entry e
    where e.order_id = ${orderId}
      and e.account = ${LEDGER_ACCOUNT.recoveryClaim}`.execute(db)
  return rows[0]?.claim ?? 0
}
