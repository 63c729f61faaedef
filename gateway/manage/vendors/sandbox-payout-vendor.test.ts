import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundPayout } from '#shared/orders/inbound-api.ts'
import { serveMachine } from '#gateway/manage/kernel/machine.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import type { PayoutInstruction, PayoutVendor } from './payout-vendor.ts'
import { payoutVendorOf, type PayoutSettings } from './payout-settings.ts'

interface PayoutReport {
  platformOrderNo: string
  vendorOrderNo: string
  result: string
  failReason?: string | undefined
  utr?: string | undefined
}

let floor: Floor
let vendors: PayoutVendor[]
let reports: PayoutReport[] = []
/** Calls that are refused before one is taken. */
let stumbles = 0

beforeAll(async () => {
  vendors = []
  floor = await testManage({
    parts: (context) => ({
      routes: (base) =>
        serveMachine(base, context, inboundPayout, async (tx, input) => {
          if (stumbles > 0) {
            stumbles -= 1
            throw new TypeError('manage stumbles')
          }
          // a repeat runs and is undone: what is committed counts
          tx.afterCommit(() => reports.push(input))
          return { orderId: 'L1', status: 30, applied: true }
        }),
    }),
  })
})
afterAll(async () => {
  for (const vendor of vendors) await vendor.close()
  await floor.close()
})

function sandbox(
  settings: Omit<Extract<PayoutSettings, { kind: 'sandbox' }>, 'kind'> = { delayMs: [0, 0] },
): PayoutVendor {
  const vendor = payoutVendorOf(
    { kind: 'sandbox', ...settings },
    floor.context,
    floor.manage.app,
  ) as PayoutVendor
  vendors.push(vendor)
  reports = []
  return vendor
}

function instruction(n: number, given: Partial<PayoutInstruction> = {}): PayoutInstruction {
  return {
    platformOrderNo: `L${n}-1`,
    payeeName: 'Asha Verma',
    account: '50100000001',
    ifsc: 'HDFC0001234',
    amount: 900_000,
    transferType: 'IMPS',
    ...given,
  }
}

test('a result is reported by the signed callback, and a query gives the same', async () => {
  const vendor = sandbox()
  for (let n = 0; n < 20; n += 1)
    expect(await vendor.send(instruction(n))).toMatchObject({ accepted: true })
  await vendor.settle()
  expect(new Set(reports.map((report) => report.platformOrderNo)).size).toBe(20)
  for (const report of reports) {
    const asked = await vendor.query(report.platformOrderNo)
    expect(asked).toEqual(
      report.result === 'success'
        ? { state: 'success', vendorOrderNo: report.vendorOrderNo, utr: report.utr }
        : { state: 'fail', vendorOrderNo: report.vendorOrderNo, reason: report.failReason },
    )
  }
})

test('the same transfer sent again is taken once', async () => {
  const vendor = sandbox({ delayMs: [0, 0], duplicatePercent: 0 })
  const answers = [
    await vendor.send(instruction(100)),
    await vendor.send(instruction(100)),
    await vendor.send(instruction(100)),
  ]
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  await vendor.settle()
  expect(reports).toHaveLength(1)
})

test("about six of a hundred fail with a bank's reason, about ten are reported twice", async () => {
  const vendor = sandbox()
  for (let n = 0; n < 1_000; n += 1) {
    const answer = await vendor.query(`L${n}-1`)
    if (answer.state === 'fail')
      reports.push({
        platformOrderNo: `L${n}-1`,
        vendorOrderNo: answer.vendorOrderNo,
        result: 'fail',
        failReason: answer.reason,
      })
    else if (answer.state === 'success') expect(answer.utr).toMatch(/^\d{12}$/)
  }
  expect(reports.length).toBeGreaterThan(35)
  expect(reports.length).toBeLessThan(90)
  expect(new Set(reports.map((report) => report.failReason)).size).toBe(5)

  const again = sandbox({ delayMs: [0, 0], duplicatePercent: 100, failPercent: 0 })
  for (let n = 200; n < 240; n += 1) await again.send(instruction(n))
  await again.settle()
  // the same event sent again has no effect, a new event of the same content has one
  expect(new Set(reports.map((report) => report.platformOrderNo)).size).toBe(40)
  expect(reports.length).toBeGreaterThan(40)
  expect(reports.length).toBeLessThan(80)
})

test('a transfer in progress is reported as such, and its result survives a restart', async () => {
  const vendor = sandbox({ delayMs: [60_000, 60_000], failPercent: 0 })
  await vendor.send(instruction(300))
  expect(await vendor.query('L300-1')).toMatchObject({ state: 'processing' })
  await vendor.close()
  const restarted = sandbox({ failPercent: 0 })
  expect(await restarted.query('L300-1')).toMatchObject({ state: 'success' })
})

test('settling delivers at once the results that would come later', async () => {
  const vendor = sandbox({ delayMs: [60_000, 60_000] })
  await vendor.send(instruction(301))
  await vendor.settle()
  expect(reports.length).toBeGreaterThan(0)
})

test('an impossible bank code is refused for good', async () => {
  expect(await sandbox().send(instruction(302, { ifsc: 'NOPE' }))).toEqual({
    accepted: false,
    reason: 'Invalid IFSC',
    final: true,
  })
})

test('a callback that manage failed to answer is sent again', async () => {
  const vendor = sandbox({ delayMs: [0, 0], duplicatePercent: 0 })
  stumbles = 2
  await vendor.send(instruction(303))
  await vendor.settle()
  expect(reports).toHaveLength(1)
})

test('the sandbox brings one key with the payout scope only', async () => {
  const { rows } = await sql<{
    scopes: string[]
  }>`select k.scopes from machine_key k where k.name = 'payout:sandbox'`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ scopes: ['payout'] }])
})
