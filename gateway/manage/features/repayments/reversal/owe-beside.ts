/**
 * Reverses a payment of an order that was carried on as another: what is owed there was agreed, and
 * cannot grow. The customer owes the money beside the loans: as credit below zero, which money of
 * theirs on this order clears.
 */
import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { LEDGER_ACCOUNT } from '../ledger-accounts.ts'
import type { Loan } from '../loan-store.ts'
import { postEntries } from '../post-entries.ts'
import { emitRecord, markReversed, type RecordRow } from '../record-store.ts'
import type { WhenPaid } from '../paid-order.ts'

interface Given {
  cause: string
  reason: string
  /** IST day. */
  today: string
  rooms: readonly string[]
}

export async function oweBeside(
  tx: CommandTx,
  { orderId, customerId, status }: Loan,
  record: RecordRow,
  { cause, reason, today, rooms }: Given,
  whenPaid: readonly WhenPaid[],
): Promise<void> {
  const { rows } = await sql<{ surplus: number; principal: number }>`
    select r.surplus, coalesce((select b.principal from recovery_bill b
      where b.record_id = r.id and b.amount > 0), 0) as principal
    from repay_record r where r.id = ${record.id}`.execute(tx.db)
  const { surplus, principal } = rows[0] as { surplus: number; principal: number }
  const reversed = await markReversed(tx, record, reason)
  await postEntries(tx.db, [
    {
      kind: 'reversal',
      orderId,
      bizDate: today,
      refId: record.id,
      lines: [
        { account: LEDGER_ACCOUNT.customerCredit, planId: null, amount: record.amount },
        { account: LEDGER_ACCOUNT.cashClearing, planId: null, amount: -record.amount },
      ],
    },
  ])
  emitRecord(tx, reversed, rooms, true)
  tx.log({
    action: 'reversePayment',
    targetKind: 'order',
    targetId: orderId,
    before: { status },
    after: { recordId: record.id, cause, reason, amount: record.amount, status, owedBeside: true },
  })
  if (surplus === record.amount) return
  for (const run of whenPaid)
    await run(tx, {
      orderId,
      customerId,
      amount: surplus - record.amount,
      payment: { recordId: record.id, principal: -principal, channel: record.channel },
      payTime: record.paid_at,
      from: status,
      to: status,
      outstanding: 0,
    })
}
