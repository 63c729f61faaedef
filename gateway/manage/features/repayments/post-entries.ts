import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { LedgerAccount } from './ledger-accounts.ts'

export interface Posting {
  /** Kind of the posting; reports and invariants select by it. */
  kind:
    | 'repayment'
    | 'overdueFine'
    | 'fineCorrection'
    | 'reallocation'
    | 'surplus'
    | 'strayPayout'
    | 'strayReturn'
    | 'recovery'
    | 'badDebt'
    | 'cure'
    | 'coolingOffExit'
    | 'coolingOffWaiver'
    | 'reduction'
    | 'coupon'
    | 'couponReversal'
    | 'writeOff'
    | 'batchWriteOff'
    | 'rollover'
    | 'reversal'
    | 'reductionReversal'
    | 'waiverReversal'
    | 'replan'
    | 'bounceCharge'
  orderId: string
  /** IST day it is booked on. */
  bizDate: string
  /** What it refers to: the repayment record; null for postings of the day's opening. */
  refId: string | null
  lines: Line[]
}

export interface Line {
  account: LedgerAccount
  planId: string | null
  /** Belongs to another order than the posting: an amount an extension carries over. */
  orderId?: string
  /** Paise; positive = debit, negative = credit. Lines of 0 are left out. */
  amount: number
}

/**
 * Posts in one statement; a database trigger refuses a posting that does not sum to zero (migration
 * 0004). Lines without an amount give no posting.
 */
export async function postEntries(trx: Trx, postings: readonly Posting[]): Promise<void> {
  await entriesOf(postings)?.execute(trx)
}

/** The statement that posts; null when there is nothing to post. */
export function entriesOf(postings: readonly Posting[]): RawBuilder<unknown> | null {
  const entries = postings.flatMap(({ lines, ...posting }, n) =>
    lines
      .filter((line) => line.amount !== 0)
      .map((line) => ({
        n,
        order_id: line.orderId ?? posting.orderId,
        plan_id: line.planId,
        account: line.account,
        debit: Math.max(0, line.amount),
        credit: Math.max(0, -line.amount),
        kind: posting.kind,
        ref_id: posting.refId,
        biz_date: posting.bizDate,
      })),
  )
  if (entries.length === 0) return null
  return sql`
    with entries as materialized (
      select e.* from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
        as e (n int, order_id text, plan_id text, account text, debit bigint, credit bigint, kind text,
          ref_id text, biz_date date)
    ), postings as materialized (
      select d.n, 'X' || nextval('ledger_txn_seq') as txn_id
        from (select distinct e.n from entries e order by e.n) d
    )
    insert into ledger_entry (txn_id, order_id, plan_id, account, debit, credit, kind, ref_id, biz_date)
    select k.txn_id, e.order_id, e.plan_id, e.account, e.debit, e.credit, e.kind, e.ref_id, e.biz_date
      from entries e join postings k on k.n = e.n order by e.n`
}
