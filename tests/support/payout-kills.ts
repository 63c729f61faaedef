/**
 * kill -9 of a whole console while it pays orders out through two vendors, of which the first fails
 * in every way there is. No order is paid twice, and none waits without a reason that people see.
 */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { createLogger } from '#gateway/kernel/logger.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import {
  addConfiguration,
  addThirdParty,
} from '#gateway/manage/features/vendors/third-party-store.ts'
import { addService } from '#gateway/manage/features/vendors/save-service.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { buildManage } from '#gateway/manage/manage.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { type ChaosDatabase, INTERNAL_SECRET, withDatabase } from './chaos-database.ts'
import { ConsoleProcesses } from './console-processes.ts'
import { type Fault, type PlayedVendor, playVendor } from './played-vendor.ts'
import { freePort } from './stack.ts'

const FAULTS: Fault[] = ['hangTaken', 'none', 'failTaken', 'decline', 'hangLost', 'failLost']
const WORK_MS = 8_000
const PATIENCE_MS = 90_000

export async function survivePayoutKills(
  chaosDatabase: ChaosDatabase,
  { orders: count, kills }: { orders: number; kills: number },
): Promise<{ first: number; second: number }> {
  const processes = new ConsoleProcesses()
  const [first, second] = await Promise.all([playVendor('F'), playVendor('S')])
  // the played vendors listen on this machine
  const env = {
    ...chaosDatabase.env,
    PRIVATE_VENDORS: 'allowed',
    PORT: String(await freePort()),
  }
  try {
    first.faultOf = (number) => FAULTS[Number(number.replace(/\D/g, '')) % FAULTS.length] ?? 'none'
    const orders = await withDatabase(chaosDatabase, (database) =>
      furnish(database, [first, second], count),
    )
    const numbersOf = (orderId: string) =>
      [first, second].flatMap(({ paid }) =>
        [...paid.keys()].filter((number) => number.startsWith(`${orderId}-`)),
      )
    const receivedCount = () => first.received.length + second.received.length
    for (let n = 0; n < kills; n += 1) {
      const before = receivedCount()
      const running = await processes.start(env)
      // in the midst of its calls, or when it has none
      await until(() => receivedCount() >= before + Math.ceil(count / (kills + 1)), WORK_MS)
      await running.kill('SIGKILL')
      expect(orders.filter((orderId) => numbersOf(orderId).length > 1)).toEqual([])
      await withDatabase(chaosDatabase, passTime)
    }
    first.faultOf = () => 'none'
    const running = await processes.start(env)
    await until(() => orders.every((orderId) => numbersOf(orderId).length > 0), PATIENCE_MS)
    await running.kill('SIGTERM')
    await chaosDatabase.look((database) => prove(database, orders))
    expect(orders.filter((orderId) => numbersOf(orderId).length !== 1)).toEqual([])
    return { first: first.paid.size, second: second.paid.size }
  } finally {
    await processes.end()
    await Promise.all([first.close(), second.close()])
  }
}

async function until(isDone: () => boolean, ms: number): Promise<void> {
  const end = performance.now() + ms
  while (!isDone() && performance.now() < end) await new Promise((resume) => setTimeout(resume, 50))
}

/** The pauses of breakers and between two sendings are over. */
async function passTime({ kysely }: Database): Promise<void> {
  await sql`update payout_transfer set next_send_at = clock_timestamp() where pay_state = 'inProgress'`.execute(
    kysely,
  )
  await sql`update tp_health set retry_at = clock_timestamp(), trial_at = null where state <> 'closed'`.execute(
    kysely,
  )
  await sql`update scheduled_task set next_run_at = clock_timestamp(), held_by = null, held_until = null
    where class in ('payoutDispatch', 'payoutSend')`.execute(kysely)
}

/** Nothing is being sent: orders that wait have a vendor or a reason, and the books are right. */
async function prove(database: Database, orders: string[]): Promise<void> {
  const { rows } = await sql`
    select t.platform_order_no, t.send_attempts, t.sends_not_taken from payout_transfer t
    where t.order_id = any(${orders}::text[]) and t.pay_state = 'inProgress'
      and t.vendor_order_no is null and t.wait_reason is null`.execute(database.kysely)
  expect(rows).toEqual([])
  expect(await brokenInvariants(database)).toEqual([])
}

async function furnish(
  database: Database,
  vendors: readonly PlayedVendor[],
  count: number,
): Promise<string[]> {
  const manage = await buildManage(
    {
      database,
      masterKey: Buffer.alloc(32, 1),
      log: createLogger('error'),
      version: { version: 'test', commit: 'test', build: 'test' },
      internalSecret: INTERNAL_SECRET,
      production: false,
      checkAnswers: true,
    },
    { kind: 'sandbox' },
  )
  await runCommand(
    manage.context,
    { actor: systemActor('test'), audit: { action: 'add', menu: 'three_config' } },
    async (tx) => {
      for (const [n, { baseUrl }] of vendors.entries()) {
        const code = `vendor${n + 1}`
        const thirdPartyId = await addThirdParty(tx, { code, name: code, kind: 'payout' })
        const cfgId = await addConfiguration(
          tx,
          {
            thirdPartyId,
            name: 'Main',
            baseUrl,
            values: { keyId: 'K', secret: 's'.repeat(32) },
            timeoutMs: 500,
          },
          { allowPrivate: true },
        )
        await addService(tx, { appId: 'A1', thirdPartyId, cfgId, priority: n + 1 })
      }
    },
  )
  const orders: string[] = []
  for (let n = 0; n < count; n += 1) orders.push((await makeOrder(manage, { status: 20 })).orderId)
  await manage.close()
  return orders
}
