/** Changes of orders, their payouts, days and agreements, made through the API. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { cancelOrder, remarkOrder } from '#shared/orders/orders-api.ts'
import { openDayCases } from '#gateway/manage/features/collection/public.ts'
import { receivePayout } from '#gateway/manage/features/orders/receive-payout.ts'
import { openDays } from '#gateway/manage/features/repayments/open-day.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { istDay } from '#shared/kernel/time.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import {
  approveCure,
  requestCure,
  bookExtension,
  confirmExtension,
  FIRST_PART,
  missPart,
} from '#tests/factories/agreements.ts'
import { fallDue, makeBadDebt, makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { type Move, reason, type Scene } from './agree-scene.ts'

/** A running loan whose first instalment was due yesterday; no day has been opened since. */
async function dueYesterday({ stack }: Scene): Promise<string> {
  const { orderId } = await makeOrder(stack, { status: 30 })
  await sql`
    update repay_plan p set due_at = p.due_at - x.days
      from (select min(y.due_at) - (clock_timestamp() at time zone 'Asia/Kolkata')::date + 1 as days
      from repay_plan y where y.order_id = ${orderId}) x where p.order_id = ${orderId}`.execute(
    stack.database.kysely,
  )
  return orderId
}
async function dayBegins({ stack }: Scene): Promise<void> {
  await sql`delete from day_opening`.execute(stack.database.kysely)
  await openDays(stack.context, istDay(Date.now()), [openDayCases])
}

const badDebt = async ({ stack }: Scene) => (await makeBadDebt(stack)).orderId
async function curedDebt(scene: Scene): Promise<string> {
  const orderId = await badDebt(scene)
  await approveCure(scene.director, await requestCure(scene.manager, orderId))
  return orderId
}
const late = async ({ stack }: Scene) => (await makeCase(stack, { overdueDays: 12 })).orderId
/** What an order waits for: its request, or its payment. */
const waiting = new Map<string, string>()
async function withRequest(scene: Scene): Promise<string> {
  const orderId = await badDebt(scene)
  waiting.set(orderId, await requestCure(scene.manager, orderId))
  return orderId
}
async function withExtension(scene: Scene): Promise<string> {
  const orderId = await late(scene)
  waiting.set(orderId, await bookExtension(scene.stack, scene.service, orderId))
  return orderId
}

/**
 * An order being paid out by a vendor whose answer the test decides; the sandbox vendor ignores it.
 */
async function paying({ stack }: Scene): Promise<string> {
  const { platformOrderNo } = await makeOrder(stack, { status: 29, vendorCode: 'elsewhere' })
  return platformOrderNo ?? ''
}
const paid =
  (result: 'success' | 'fail') =>
  ({ stack }: Scene, platformOrderNo: string) =>
    runCommand(stack.context, { actor: systemActor('test'), audit: { action: 'payout' } }, (tx) =>
      receivePayout(tx, {
        platformOrderNo,
        vendorOrderNo: `V-${platformOrderNo}`,
        result,
        ...(result === 'success'
          ? { utr: '123456789012' }
          : { failReason: 'Beneficiary account closed' }),
      }),
    )

export const ORDER_MOVES: readonly Move[] = [
  {
    name: 'a cancelled order',
    emits: ['order.status.changed', 'review.state.changed'],
    arrange: async ({ stack }) => (await makeReview(stack, { state: 'unclaimed' })).orderId,
    act: async ({ stack, manager }, orderId) => {
      const { rows } = await sql<{
        version: number
      }>`select o.version from loan_order o where o.id = ${orderId}`.execute(stack.database.kysely)
      return manager.call(
        cancelOrder,
        { orderId, version: rows[0]?.version ?? 0, reason },
        { 'idempotency-key': randomUUID() },
      )
    },
  },
  {
    name: 'a remark',
    emits: ['order.updated'],
    arrange: async ({ stack }) => (await makeOrder(stack, { status: 70 })).orderId,
    act: ({ manager }, orderId) => manager.call(remarkOrder, { orderId, remark: 'called back' }),
  },
  {
    name: 'a day on which a loan is overdue for the first time',
    emits: ['order.status.changed', 'plan.changed'],
    arrange: dueYesterday,
    act: dayBegins,
  },
  {
    name: 'a day of a loan that is overdue',
    emits: ['order.updated', 'plan.changed'],
    arrange: async (scene) => {
      const { orderId } = await makeOrder(scene.stack, { status: 30 })
      await fallDue(scene.stack, orderId, 3)
      return orderId
    },
    act: dayBegins,
  },
  {
    name: 'a cure requested',
    emits: ['approval.changed'],
    arrange: badDebt,
    act: ({ manager }, id) => requestCure(manager, id),
  },
  {
    name: 'a cure approved',
    emits: ['order.status.changed'],
    arrange: withRequest,
    act: ({ director }, id) => approveCure(director, waiting.get(id) ?? ''),
  },
  {
    name: 'a part of a cure paid',
    emits: ['order.status.changed', 'plan.changed'],
    arrange: curedDebt,
    act: ({ machine }, orderId) =>
      machine.call(inboundPayment, {
        vendorOrderNo: 'AM1',
        orderId,
        amount: FIRST_PART,
        channel: 1,
        result: 'success',
        utr: '760000990001',
      }),
  },
  {
    name: 'a part of a cure missed',
    emits: ['order.status.changed'],
    arrange: async (scene) => {
      const orderId = await curedDebt(scene)
      await missPart(scene.stack, orderId)
      return orderId
    },
    act: dayBegins,
  },
  {
    name: 'an extension booked',
    emits: ['order.status.changed', 'plan.changed'],
    arrange: late,
    act: ({ stack, service }, id) => bookExtension(stack, service, id),
  },
  {
    name: 'an extension confirmed',
    emits: ['order.status.changed', 'order.created', 'plan.changed'],
    arrange: withExtension,
    act: ({ manager }, id) => confirmExtension(manager, waiting.get(id) ?? ''),
  },
  {
    name: 'a payout that arrived',
    emits: ['order.status.changed', 'payout.changed', 'plan.changed'],
    arrange: paying,
    act: paid('success'),
  },
  {
    name: 'a payout that failed',
    emits: ['order.status.changed', 'payout.changed'],
    arrange: paying,
    act: paid('fail'),
  },
]
