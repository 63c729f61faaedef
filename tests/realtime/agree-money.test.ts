/** Lists of instalments and payments that were read, plus the events since, are what reading them again gives (trust.md A8). */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { addRecord, confirmRecord, listPlans, listRecords } from '#shared/repayments/repayments-api.ts'
import { applyPlanEvents, applyRecordEvents, type Applied, PLAN_LIST_EVENTS, RECORD_LIST_EVENTS } from '#client/features/repayments/list/payment-apply.ts'
import type { PlanRow, RecordRow } from '#client/features/repayments/payment-types.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { machineOf, type Machine } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let service: Person
let manager: Person
let channel: Machine
let serial = 0

beforeAll(async () => {
  floor = await testManage()
  ;[service, manager] = await Promise.all([floor.signIn('customer_service'), floor.signIn('manager')])
  channel = await machineOf(floor, ['payment'])
  // something stands in every list before
  await channel.call(inboundPayment, telling(await loan(), 5_000))
}, 120_000)
afterAll(() => floor.close())

const loan = () => makeCase(floor, { overdueDays: 5 })
function telling({ orderId }: MadeCase, amount: number, more: Record<string, unknown> = {}) {
  serial += 1
  return { vendorOrderNo: `AG${serial}`, orderId, amount, channel: 1, result: 'success' as const, utr: String(600_000_000_000 + serial), ...more }
}
async function book({ orderId }: MadeCase, amount: number): Promise<string> {
  serial += 1
  const { rows } = await sql<{ version: number }>`select o.version from loan_order o where o.id = ${orderId}`.execute(floor.database.kysely)
  const given = { orderId, version: rows[0]?.version ?? 0, repaymentType: 'partial' as const, amount, utr: String(600_000_000_000 + serial), upi: '-', channel: 2, bankCode: 'HDFC', payTime: new Date().toISOString() }
  return (await service.call(addRecord, given)).recordId
}
const answer = (recordId: string, result: 'success' | 'fail') => manager.call(confirmRecord, { recordId, version: 1, result, ...(result === 'fail' ? { failReason: 'Not on the statement' } : {}) })

interface Look {
  name: string
  /** Takes the events heard since and compares with a fresh reading. */
  compare: (events: readonly LiveEvent[]) => Promise<void>
}

async function planLook(paymentStatus?: string[]): Promise<Look> {
  const input = { pageSize: 200, ...(paymentStatus ? { paymentStatus: paymentStatus.join(',') } : {}) }
  const stale = (await manager.call(listPlans, input)).rows
  return {
    name: `plans ${paymentStatus?.join(',') ?? 'all'}`,
    async compare(events) {
      const heard = events.filter(({ type }) => PLAN_LIST_EVENTS.includes(type))
      check<PlanRow>(stale, (await manager.call(listPlans, input)).rows, ({ planId }) => planId, applyPlanEvents(new Map(stale.map((row) => [row.planId, row])), heard, paymentStatus ? { paymentStatus } : {}, 'left'))
    },
  }
}
async function recordLook(payState?: string): Promise<Look> {
  const input = { pageSize: 200, ...(payState ? { payState: payState as 'fail' } : {}) }
  const stale = (await manager.call(listRecords, input)).rows
  return {
    name: `payments ${payState ?? 'all'}`,
    async compare(events) {
      const heard = events.filter(({ type }) => RECORD_LIST_EVENTS.includes(type))
      check<RecordRow>(stale, (await manager.call(listRecords, input)).rows, ({ recordId }) => recordId, applyRecordEvents(new Map(stale.map((row) => [row.recordId, row])), heard, payState ? { payState } : {}, 'left'))
    },
  }
}

/** A row that came was announced or asked for, one that left says so, and what an event did not carry is read. */
function check<Row extends { version: number }>(stale: readonly Row[], fresh: readonly Row[], idOf: (row: Row) => string, { changes, read, ask }: Applied): void {
  const shown = new Map(stale.map((row) => [idOf(row), row]))
  for (const change of changes) if (change.kind === 'patch') shown.set(change.id, { ...(shown.get(change.id) as Row), ...change.changes })
  const left = new Set(changes.flatMap((change) => (change.kind === 'leave' ? [change.id] : [])))
  const now = new Map(fresh.map((row) => [idOf(row), row]))
  for (const [id, row] of now) {
    expect(shown.has(id) || ask, `${id} came and was not announced`).toBe(true)
    if (shown.has(id) && !read.has(id)) expect(shown.get(id)).toEqual(row)
    if (read.has(id)) expect(row).toMatchObject({ version: shown.get(id)?.version })
  }
  for (const id of shown.keys()) expect(now.has(id)).toBe(!left.has(id))
}

const MOVES: { name: string; arrange: () => Promise<() => Promise<unknown>> }[] = [
  { name: 'a payment is booked', arrange: async () => { const made = await loan(); return () => book(made, 10_000) } },
  { name: 'a booked payment is confirmed', arrange: async () => { const recordId = await book(await loan(), 10_000); return () => answer(recordId, 'success') } },
  { name: 'a booked payment did not arrive', arrange: async () => { const recordId = await book(await loan(), 10_000); return () => answer(recordId, 'fail') } },
  { name: 'a channel tells of a payment in full', arrange: async () => { const made = await loan(); return () => channel.call(inboundPayment, telling(made, made.outstanding + 5_000)) } },
  { name: 'a channel tells of money nobody knows', arrange: () => Promise.resolve(() => channel.call(inboundPayment, { ...telling({ orderId: 'L404' } as MadeCase, 700), result: 'processing' as const })) },
  { name: 'two payments one after the other', arrange: async () => { const made = await loan(); return async () => { await channel.call(inboundPayment, telling(made, 1_000)); await answer(await book(made, 2_000), 'success') } } },
]

test.each(MOVES)('$name: every list becomes what reading it again gives', async ({ arrange }) => {
  const act = await arrange()
  const from = (await floor.events()).at(-1)?.seq ?? 0
  const looks = [await planLook(), await planLook(['overdue']), await planLook(['processing']), await planLook(['paid']), await recordLook(), await recordLook('inProgress'), await recordLook('success'), await recordLook('fail')]
  await act()
  const events = (await floor.events(from)).map(({ seq, type, data, entity_version }) => ({ seq, id: String(seq), type, time: '', data, version: entity_version ?? undefined }) as LiveEvent)
  expect(events.map(({ type }) => type)).toContain('repayment.changed')
  for (const look of looks) await look.compare(events).catch((error: unknown) => { throw new Error(`${look.name}: ${(error as Error).message}`) })
})
