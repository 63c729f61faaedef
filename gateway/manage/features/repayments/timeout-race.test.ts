/** Two concurrent commands on one payment: their locks need a server with several connections. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { machineOf } from '#tests/support/machine.ts'
import { testManage } from '#tests/support/manage.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { paymentTimeout } from './payment-timeout-job.ts'
import { repaymentsRoutes } from './repayments-routes.ts'

test('a time-out does not fail a payment whose result has just arrived', async () => {
  const floor = await onLocalServer(() =>
    testManage({
      parts: (context) => ({ routes: (base) => repaymentsRoutes(base, context, { whenPaid: [] }) }),
    }),
  )
  if (floor === null) return
  const channel = await machineOf(floor, ['payment'])
  const { orderId } = await makeOrder(floor, { status: 30, amount: 1_000_000 })
  const told = {
    vendorOrderNo: 'V-RACE',
    orderId,
    amount: 50_000,
    channel: 1 as const,
    utr: '710000000001',
  }
  const db = floor.database.kysely
  await channel.call(inboundPayment, { ...told, result: 'processing' })
  await sql`update repay_record set created_at = created_at - interval '25 hours'`.execute(db)
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity a where a.datname = current_database()
        and a.wait_event_type = 'Lock'`.execute(db)
    return rows[0]?.n
  }
  // Both wait for the order; the result came first.
  const [answer, timedOut] = await db.transaction().execute(async (trx) => {
    await sql`select from loan_order o where o.id = ${orderId} for update`.execute(trx)
    const answering = channel.call(inboundPayment, { ...told, result: 'success' })
    await expect.poll(waiting).toBe(1)
    const timing = paymentTimeout.run(floor.context)
    await expect.poll(waiting).toBe(2)
    return [answering, timing] as const
  })
  expect(await answer).toMatchObject({ payState: 'success', applied: true })
  expect(await timedOut).toBe('')
  await floor.close()
})
