/** An app with two payout vendors, of which one fails in every way there is. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inboundPayout } from '#shared/orders/inbound-api.ts'
import { listTransfers } from '#shared/orders/disbursement-api.ts'
import * as api from '#shared/vendors/vendors-api.ts'
import { claimUnsent } from '#gateway/manage/features/orders/transfer-store.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { type Fault, type PlayedVendor, playVendor } from '#tests/support/played-vendor.ts'

let floor: Floor
let admin: Person
let manager: Person
/** What each vendor reports with: its own key. */
let keys: Record<'F' | 'S', Machine>
let first: PlayedVendor
let second: PlayedVendor
let firstCfg: string
let firstService: string

beforeAll(async () => {
  ;[first, second] = await Promise.all([playVendor('F'), playVendor('S')])
  floor = await testManage()
  ;[admin, manager] = await Promise.all([floor.signIn('administrator'), floor.signIn('manager')])
  const [F, S] = await Promise.all([
    machineOf(floor, ['payout'], 'first'),
    machineOf(floor, ['payout'], 'second'),
  ])
  keys = { F, S }
  await makeOrder(floor)
  ;[firstCfg, firstService] = await service('first', first, 1)
  await service('second', second, 2)
})
afterAll(async () => {
  await floor.close()
  await Promise.all([first.close(), second.close()])
})
beforeEach(async () => {
  for (const vendor of [first, second]) vendor.faultOf = () => 'none'
  await db`update tp_health set state = 'closed', trips = 0, retry_at = null, trial_at = null,
    trial_oks = 0, closed_at = clock_timestamp()`
})

async function service(
  code: string,
  vendor: PlayedVendor,
  priority: number,
): Promise<[string, string]> {
  const { thirdPartyId } = await admin.call(api.addThirdParty, { code, name: code, kind: 'payout' })
  const { cfgId } = await admin.call(api.addConfiguration, {
    thirdPartyId,
    name: 'Main',
    baseUrl: vendor.baseUrl,
    values: { keyId: 'K', secret: 's'.repeat(32) },
    timeoutMs: 500,
  })
  const { id } = await admin.call(api.addService, {
    appId: 'A1',
    thirdPartyId,
    cfgId,
    priority,
  })
  return [cfgId, id]
}
const db = (strings: TemplateStringsArray, ...values: unknown[]) =>
  sql<Record<string, unknown>>(strings, ...values).execute(floor.database.kysely)

async function approved(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push((await makeOrder(floor, { status: 20 })).orderId)
  return ids
}
/** Runs the dispatcher and the sender as often as their times would come. */
async function goOn(rounds = 1): Promise<void> {
  for (let n = 0; n < rounds; n += 1) {
    await db`update payout_transfer set next_send_at = clock_timestamp() where pay_state = 'inProgress'`
    for (const name of ['payoutDispatch', 'payoutSend']) floor.context.wakeSchedule(name)
    await floor.settle()
  }
}
const transfersOf = async (orderId: string) =>
  (await manager.call(listTransfers, { orderId, sort: 'createTime:asc' })).rows
async function breaker(): Promise<string> {
  const { rows } = await admin.call(api.listServices, { pageSize: 200 })
  return rows.find(({ id }) => id === firstService)?.breaker ?? ''
}
/** How often money left for an order, at both vendors. */
const paidFor = (orderId: string) =>
  [first, second].flatMap(({ paid }) =>
    [...paid.keys()].filter((number) => number.startsWith(`${orderId}-`)),
  ).length
/** The vendor tells its result by the signed call, twice. */
async function report(vendor: 'F' | 'S', platformOrderNo: string): Promise<void> {
  for (let n = 0; n < 2; n += 1)
    await keys[vendor].call(inboundPayout, {
      platformOrderNo,
      vendorOrderNo: `${vendor}-${platformOrderNo}`,
      result: 'success',
      utr: platformOrderNo.replace(/\D/g, '').padStart(12, '0'),
    })
}

test('a vendor that cannot be reached took nothing, so the next one pays at once', async () => {
  await first.stop()
  const [orderId = ''] = await approved(1)
  await goOn()
  await first.start()
  expect(
    (await transfersOf(orderId)).map(({ vendorCode, payState, waitReason }) => [
      vendorCode,
      payState,
      waitReason,
    ]),
  ).toEqual([
    ['first', 'fail', 'unreachable'],
    ['second', 'inProgress', null],
  ])
  expect(second.received).toContain(`${orderId}-2`)
  expect(paidFor(orderId)).toBe(1)
})

test('a vendor that declines is passed over, and its late result is a contradiction people see', async () => {
  first.faultOf = () => 'decline'
  const [orderId = ''] = await approved(1)
  await goOn()
  expect((await transfersOf(orderId)).map(({ vendorCode }) => vendorCode)).toEqual([
    'first',
    'second',
  ])
  await keys.F.call(inboundPayout, {
    platformOrderNo: `${orderId}-1`,
    vendorOrderNo: `F-${orderId}-1`,
    result: 'success',
  })
  expect((await transfersOf(orderId))[0]).toMatchObject({ payState: 'fail', conflict: 'success' })
})

test('a key reports the transfers of its own vendor, one without a vendor those of the installation', async () => {
  const unbound = await machineOf(floor, ['payout'])
  const [orderId = ''] = await approved(1)
  await goOn()
  const failureOf = (platformOrderNo: string) => ({
    platformOrderNo,
    vendorOrderNo: `F-${platformOrderNo}`,
    result: 'fail' as const,
  })
  for (const key of [keys.S, unbound])
    expect(await key.refused(inboundPayout, failureOf(`${orderId}-1`))).toMatchObject({
      problem: { id: 'G404' },
    })
  expect((await transfersOf(orderId))[0]).toMatchObject({ payState: 'inProgress' })
  await report('F', `${orderId}-1`)
  expect((await transfersOf(orderId))[0]).toMatchObject({ payState: 'success', conflict: null })

  // of the vendor of the settings, sent before the app had services of its own
  const { orderId: old } = await makeOrder(floor, { status: 29 })
  await db`update payout_transfer set tp_cfg_id = null, vendor_code = 'sandbox', sent_at = clock_timestamp()
    where order_id = ${old}`
  const { platformOrderNo = '' } = (await transfersOf(old))[0] ?? {}
  expect(await keys.F.refused(inboundPayout, failureOf(platformOrderNo))).toMatchObject({
    problem: { id: 'G404' },
  })
  expect(await unbound.call(inboundPayout, failureOf(platformOrderNo))).toMatchObject({
    applied: true,
  })

  // and of one that people made at the bank nobody speaks
  await db`update payout_transfer set vendor_code = 'manual' where order_id = ${old}`
  expect(
    await unbound.refused(inboundPayout, { ...failureOf(platformOrderNo), result: 'success' }),
  ).toMatchObject({ problem: { id: 'G404' } })
})

test('a vendor that fails is left out, others go elsewhere, and what it may have stays with it', async () => {
  first.faultOf = () => 'failTaken'
  const held = await approved(5)
  await goOn()
  expect(await breaker()).toBe('open')
  const later = await approved(3)
  // another core, which has seen no failure
  const other = await floor.addCore()
  const asked = first.received.length
  for (const name of ['payoutDispatch', 'payoutSend']) other.context.wakeSchedule(name)
  await other.settle()
  expect(first.received.length).toBe(asked)
  await goOn(2)
  for (const orderId of held) {
    const transfers = await transfersOf(orderId)
    expect(transfers).toMatchObject([
      { vendorCode: 'first', payState: 'inProgress', waitReason: 'noAnswer' },
    ])
    expect(second.received.some((number) => number.startsWith(`${orderId}-`))).toBe(false)
  }
  for (const orderId of later)
    expect((await transfersOf(orderId)).at(-1)).toMatchObject({ vendorCode: 'second' })
  const { rows } = await db`
    select n.title_key as title, n.params from notification n where n.user_id = ${admin.userId}
      and n.title_key = 'vendors:notification.out'`
  expect(rows[0]).toMatchObject({ params: { name: 'first · Main' } })

  // it works again: after the pause one call at a time, then all
  first.faultOf = () => 'none'
  await db`update tp_health set retry_at = clock_timestamp() where cfg_id = ${firstCfg}`
  await goOn()
  expect(await breaker()).toBe('closed')
  for (const orderId of held) {
    expect((await transfersOf(orderId))[0]).toMatchObject({ payState: 'success' })
    expect(paidFor(orderId)).toBe(1)
  }
})

test('a trial that fails leaves the vendor out for longer', async () => {
  first.faultOf = () => 'failLost'
  await approved(5)
  await goOn()
  const pause = async () =>
    Number(
      (
        await db`select extract(epoch from retry_at - clock_timestamp())::int as s from tp_health
          where cfg_id = ${firstCfg}`
      ).rows[0]?.s,
    )
  const once = await pause()
  await db`update tp_health set retry_at = clock_timestamp() where cfg_id = ${firstCfg}`
  const before = first.received.length
  await goOn()
  expect(first.received.length - before).toBeLessThanOrEqual(1)
  expect(await pause()).toBeGreaterThan(once * 1.5)
  first.faultOf = () => 'none'
  await db`update tp_health set retry_at = clock_timestamp() where cfg_id = ${firstCfg}`
  await goOn(2)
})

test('a transfer claimed by a core that was killed is not passed on', async () => {
  const { orderId } = await makeOrder(floor, { status: 29 })
  // claimed by a core that ends before it stores an answer
  const lane = { cfgId: firstCfg, vendorCode: 'first' }
  expect(await claimUnsent(floor.database.kysely, lane, 9)).toHaveLength(1)
  await first.stop()
  await goOn(3)
  expect(await transfersOf(orderId)).toMatchObject([
    { vendorCode: 'first', payState: 'inProgress' },
  ])
  await first.start()
  await db`update tp_health set state = 'closed' where cfg_id = ${firstCfg}`
  await goOn()
  expect(paidFor(orderId)).toBe(1)
})

const FAULTS: Fault[] = ['none', 'hangTaken', 'hangLost', 'failTaken', 'failLost', 'decline']

test('whatever the first vendor does, no order is paid twice and none waits without a reason', async () => {
  const faultFor = (number: string): Fault => {
    const digits = Number(number.replace(/\D/g, ''))
    return FAULTS[digits % FAULTS.length] ?? 'none'
  }
  first.faultOf = faultFor
  const orders = await approved(14)
  await goOn(3)
  for (const orderId of orders) {
    const last = (await transfersOf(orderId)).at(-1)
    expect(paidFor(orderId)).toBeLessThanOrEqual(1)
    // sent and taken, ended, or waiting with its reason
    if (last?.payState === 'inProgress' && last.vendorOrderNo === null)
      expect(last.waitReason).not.toBeNull()
  }
  first.faultOf = () => 'none'
  await db`update tp_health set retry_at = clock_timestamp() where state = 'open'`
  await goOn(3)
  for (const orderId of orders)
    for (const { platformOrderNo, payState, vendorCode } of await transfersOf(orderId))
      if (payState === 'inProgress')
        await report(vendorCode === 'first' ? 'F' : 'S', platformOrderNo)
  for (const orderId of orders) {
    const transfers = await transfersOf(orderId)
    expect(transfers.filter(({ payState }) => payState === 'success')).toHaveLength(1)
    expect(paidFor(orderId)).toBe(1)
  }
  const { rows } = await db`
    select o.id from loan_order o where o.id = any(${orders}::text[]) and (o.status <> 30
      or (select count(distinct e.txn_id) from ledger_entry e where e.order_id = o.id
        and e.kind = 'disbursement') <> 1)`
  expect(rows).toEqual([])
})
