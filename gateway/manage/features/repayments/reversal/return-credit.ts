/**
 * Reverses money that came when its order had ended: it settled nothing, so no instalment changes.
 * What it recovered of a written-off claim is claimed again, and credit is none.
 */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { LedgerAccount } from '../ledger-accounts.ts'
import type { Loan } from '../loan-store.ts'
import { postEntries } from '../post-entries.ts'
import { emitRecord, markReversed, type RecordRow } from '../record-store.ts'

interface Given {
  cause: string
  reason: string
  /** IST day. */
  today: string
  rooms: readonly string[]
}

export async function returnCredit(
  tx: CommandTx,
  { orderId, status }: Loan,
  record: RecordRow,
  { cause, reason, today, rooms }: Given,
): Promise<void> {
  const { rows: booked } = await sql<{ account: LedgerAccount; amount: number }>`
    select e.account, sum(e.debit - e.credit)::bigint as amount from ledger_entry e
    where e.order_id = ${orderId} and e.ref_id = ${record.id} and e.kind in ('recovery', 'surplus')
    group by e.account order by e.account`.execute(tx.db)
  const reversed = await markReversed(tx, record, reason)
  await postEntries(tx.db, [
    {
      kind: 'reversal',
      orderId,
      bizDate: today,
      refId: record.id,
      lines: booked.map(({ account, amount }) => ({ account, planId: null, amount: -amount })),
    },
  ])
  emitRecord(tx, reversed, rooms, true)
  tx.log({
    action: 'reversePayment',
    targetKind: 'order',
    targetId: orderId,
    before: { status },
    after: { recordId: record.id, cause, reason, amount: record.amount, status },
  })
}
