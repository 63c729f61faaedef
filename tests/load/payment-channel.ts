/**
 * What the payment channel of the bench needs, what its payments write, and payments whose commits
 * are timed where they happen.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { receivePayment } from '#gateway/manage/features/repayments/receive-payment.ts'
import { REPAY_CHANNEL } from '#shared/repayments/inbound-payment-api.ts'
import { createMachineKey } from '#gateway/manage/kernel/machine.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { atPace } from './children/pace.ts'
import { sharedNow } from './measure.ts'
import type { RowsOfPayment } from './children/bare-payments.ts'

/**
 * Running loans that are not overdue, each with enough left for thousands of one-rupee payments.
 */
export async function paymentChannel(
  context: AppContext,
): Promise<{ keyId: string; secret: string; orderIds: string[] }> {
  const { rows } = await sql<{
    id: string
  }>`select o.id from loan_order o where o.status = 30 and o.outstanding > 500000 order by o.id limit 500`.execute(
    context.database.kysely,
  )
  const { keyId, secret } = await createMachineKey(context, { name: 'bench', scopes: ['payment'] })
  return { keyId, secret, orderIds: rows.map(({ id }) => id) }
}

/** All of them: among thousands of payments the rows written by schedules are negligible. */
export async function rowsOfPayments({ database }: AppContext): Promise<RowsOfPayment> {
  const { rows } = await sql<RowsOfPayment>`
      select (select count(*)::int from order_status_log) as steps, (select count(*)::int
        from ledger_entry) as ledger, (select count(*)::int
        from outbox_event) as events, (select count(*)::int from operate_log) as log`.execute(
    database.kysely,
  )
  return rows[0] as RowsOfPayment
}

export interface PaceOfPayments {
  perSecond: number
  count: number
  /** Orders that receive small payments, in turn. */
  orderIds: string[]
}
/**
 * What is owed of the order after each payment (paise), and when its commit was acknowledged, by
 * the shared clock.
 */
export type Paid = { orderId: string; outstanding: number; at: number }[]

export async function payAtPace(
  context: AppContext,
  { perSecond, count, orderIds }: PaceOfPayments,
): Promise<Paid> {
  const paid: Paid = []
  await atPace(perSecond, count, async (n) => {
    const orderId = orderIds[n % orderIds.length] as string
    const no = randomUUID()
    const report = {
      vendorOrderNo: no,
      orderId,
      amount: 100,
      utr: no.replaceAll('-', '').slice(0, 22),
      channel: REPAY_CHANNEL.bankTransfer,
      result: 'success' as const,
    }
    await runCommand(context, { actor: systemActor('bench'), audit: { action: 'bench' } }, (tx) =>
      receivePayment(tx, report, [casePaid]),
    )
    const at = sharedNow()
    const { rows } = await sql<{
      outstanding: number
    }>`select o.outstanding from loan_order o where o.id = ${orderId}`.execute(
      context.database.kysely,
    )
    paid.push({ orderId, outstanding: rows[0]?.outstanding ?? 0, at })
  })
  return paid
}
