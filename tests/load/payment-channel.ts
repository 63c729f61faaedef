/** What the payment channel of the bench needs, what its payments write, and payments whose commits are timed where they happen. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { receivePayment } from '#gateway/manage/features/repayments/receive-payment.ts'
import { REPAY_CHANNEL } from '#shared/repayments/inbound-payment-api.ts'
import { createMachineKey } from '#gateway/manage/kernel/machine.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { atPace } from './children/pace.ts'
import { sharedNow } from './measure.ts'
import type { RowsOfPayment } from './payments-lines.ts'

/** Running loans that are not overdue, each with enough left to be paid a rupee thousands of times. */
export async function paymentChannel(
  house: House,
): Promise<{ keyId: string; secret: string; orderIds: string[] }> {
  const { rows } = await sql<{
    id: string
  }>`select o.id from loan_order o where o.status = 30 and o.outstanding > 500000 order by o.id limit 500`.execute(
    house.database.kysely,
  )
  const { keyId, secret } = await createMachineKey(house, { name: 'bench', scopes: ['payment'] })
  return { keyId, secret, orderIds: rows.map(({ id }) => id) }
}

/** All there are: among thousands of payments what the clock writes beside them rounds away. */
export async function rowsOfPayments({ database }: House): Promise<RowsOfPayment> {
  const { rows } =
    await sql<RowsOfPayment>`select (select count(*)::int from order_status_log) as steps, (select count(*)::int from ledger_entry) as ledger, (select count(*)::int from outbox_event) as events, (select count(*)::int from operate_log) as log`.execute(
      database.kysely,
    )
  return rows[0] as RowsOfPayment
}

export interface PaceOfPayments {
  perSecond: number
  count: number
  /** Paid a little of, in turn. */
  orderIds: string[]
}
/** What is owed of the order after each payment (paise), and when its commit was acknowledged, on the shared clock. */
export type Paid = { orderId: string; outstanding: number; at: number }[]

export async function payAtPace(
  house: House,
  { perSecond, count, orderIds }: PaceOfPayments,
): Promise<Paid> {
  const paid: Paid = []
  await atPace(perSecond, count, async (n) => {
    const orderId = orderIds[n % orderIds.length] as string
    const no = randomUUID()
    const told = {
      vendorOrderNo: no,
      orderId,
      amount: 100,
      utr: no.replaceAll('-', '').slice(0, 22),
      channel: REPAY_CHANNEL.bankTransfer,
      result: 'success' as const,
    }
    await runCommand(house, { actor: systemActor('bench'), audit: { action: 'bench' } }, (cx) =>
      receivePayment(cx, told, [casePaid]),
    )
    const at = sharedNow()
    const { rows } = await sql<{
      outstanding: number
    }>`select o.outstanding from loan_order o where o.id = ${orderId}`.execute(
      house.database.kysely,
    )
    paid.push({ orderId, outstanding: rows[0]?.outstanding ?? 0, at })
  })
  return paid
}
