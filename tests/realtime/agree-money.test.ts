/** Lists of instalments and payments plus the events received since equal a new read. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCoupon, grantCoupon, listGrants, revokeGrants } from '#shared/coupons/coupons-api.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import {
  addRecord,
  confirmRecord,
  listPlans,
  listRecords,
  reverseRecord,
} from '#shared/repayments/repayments-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { decideApproval } from '#shared/approvals/approvals-api.ts'
import {
  decideReductions,
  launchReduction,
  listReductions,
  withdrawReduction,
} from '#shared/repayments/reductions-api.ts'
import { addProof, decideProof, listProofs } from '#shared/repayments/proofs-api.ts'
import { launchWriteOff, listWriteOffs, writeOffQuote } from '#shared/repayments/write-offs-api.ts'
import { istDay } from '#shared/kernel/time.ts'
import {
  applyPlanEvents,
  applyProofEvents,
  applyRecordEvents,
  applyReductionEvents,
  applyWriteOffEvents,
  type Applied,
  PLAN_LIST_EVENTS,
  PROOF_LIST_EVENTS,
  RECORD_LIST_EVENTS,
  REDUCTION_LIST_EVENTS,
  WRITE_OFF_LIST_EVENTS,
} from '#client/features/repayments/list/payment-apply.ts'
import type { Grant } from '#client/features/coupons/coupon-types.ts'
import { applyGrantEvents } from '#client/features/coupons/grant-apply.ts'
import type {
  PlanRow,
  ProofRow,
  RecordRow,
  ReduceRow,
  WriteOffRow,
} from '#client/features/repayments/payment-types.ts'
import { openDayCases } from '#gateway/manage/features/collection/public.ts'
import { openDays } from '#gateway/manage/features/repayments/open-day.ts'
import {
  approveCure,
  requestCure,
  bookExtension,
  confirmExtension,
  FIRST_PART,
  missPart,
} from '#tests/factories/agreements.ts'
import { makeBadDebt, makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { machineOf, type Machine } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let service: Person
let manager: Person
let other: Person
let director: Person
let channel: Machine
let serial = 0

beforeAll(async () => {
  floor = await testManage()
  ;[service, manager, other, director] = await Promise.all([
    floor.signIn('customer_service'),
    floor.signIn('manager'),
    floor.signIn('manager2'),
    floor.signIn('director'),
  ])
  channel = await machineOf(floor, ['payment'])
  // Every list has rows before.
  await channel.call(inboundPayment, paymentReport(await loan(), 5_000))
})
afterAll(() => floor.close())

const loan = () => makeCase(floor, { overdueDays: 5 })
function paymentReport({ orderId }: MadeCase, amount: number, more: Record<string, unknown> = {}) {
  serial += 1
  return {
    vendorOrderNo: `AG${serial}`,
    orderId,
    amount,
    channel: 1,
    result: 'success' as const,
    utr: String(600_000_000_000 + serial),
    ...more,
  }
}
async function book(
  { orderId }: MadeCase,
  amount: number,
  couponGrantId?: string,
): Promise<string> {
  serial += 1
  const { rows } = await sql<{
    version: number
  }>`select o.version from loan_order o where o.id = ${orderId}`.execute(floor.database.kysely)
  const given = {
    orderId,
    version: rows[0]?.version ?? 0,
    repaymentType: 'partial' as const,
    amount,
    utr: String(600_000_000_000 + serial),
    upi: '-',
    channel: 2,
    bankCode: 'HDFC',
    payTime: new Date().toISOString(),
    ...(couponGrantId === undefined ? {} : { couponGrantId }),
  }
  return (await service.call(addRecord, given)).recordId
}
const answer = (recordId: string, result: 'success' | 'fail', by = manager) =>
  by.call(confirmRecord, {
    recordId,
    version: 1,
    result,
    ...(result === 'fail' ? { failReason: 'Not on the statement' } : {}),
  })

interface Look {
  name: string
  /** Applies the events received since and compares with a new read. */
  compare: (events: readonly LiveEvent[]) => Promise<void>
}

async function planLook(paymentStatus?: string[]): Promise<Look> {
  const input = {
    pageSize: 200,
    ...(paymentStatus ? { paymentStatus: paymentStatus.join(',') } : {}),
  }
  const stale = (await manager.call(listPlans, input)).rows
  return {
    name: `plans ${paymentStatus?.join(',') ?? 'all'}`,
    async compare(events) {
      const received = events.filter(({ type }) => PLAN_LIST_EVENTS.includes(type))
      check<PlanRow>(
        stale,
        (await manager.call(listPlans, input)).rows,
        ({ planId }) => planId,
        applyPlanEvents(
          new Map(stale.map((row) => [row.planId, row])),
          received,
          paymentStatus ? { paymentStatus } : {},
          'left',
        ),
      )
    },
  }
}
async function recordLook(payState?: string): Promise<Look> {
  const input = { pageSize: 200, ...(payState ? { payState: payState as 'fail' } : {}) }
  const stale = (await manager.call(listRecords, input)).rows
  return {
    name: `payments ${payState ?? 'all'}`,
    async compare(events) {
      const received = events.filter(({ type }) => RECORD_LIST_EVENTS.includes(type))
      check<RecordRow>(
        stale,
        (await manager.call(listRecords, input)).rows,
        ({ recordId }) => recordId,
        applyRecordEvents(
          new Map(stale.map((row) => [row.recordId, row])),
          received,
          payState ? { payState } : {},
          'left',
        ),
      )
    },
  }
}

async function reductionLook(state?: 'pending' | 'approved' | 'used'): Promise<Look> {
  const input = { pageSize: 200, ...(state ? { state } : {}) }
  const stale = (await manager.call(listReductions, input)).rows
  return {
    name: `reductions ${state ?? 'all'}`,
    async compare(events) {
      const received = events.filter(({ type }) => REDUCTION_LIST_EVENTS.includes(type))
      check<ReduceRow>(
        stale,
        (await manager.call(listReductions, input)).rows,
        ({ reduceId }) => reduceId,
        applyReductionEvents(
          new Map(stale.map((row) => [row.reduceId, row])),
          received,
          state ? { state } : {},
          'left',
        ),
        { patchesAll: false },
      )
    },
  }
}
async function proofLook(state?: 'accepted' | 'all'): Promise<Look> {
  const input = {
    pageSize: 200,
    ...(state === 'all' ? {} : { state: state ?? ('pending' as const) }),
  }
  const stale = (await manager.call(listProofs, input)).rows
  return {
    name: `proofs ${state ?? 'pending'}`,
    async compare(events) {
      const received = events.filter(({ type }) => PROOF_LIST_EVENTS.includes(type))
      check<ProofRow>(
        stale,
        (await manager.call(listProofs, input)).rows,
        ({ proofId }) => proofId,
        applyProofEvents(
          new Map(stale.map((row) => [row.proofId, row])),
          received,
          state ? { state } : {},
          'left',
        ),
      )
    },
  }
}
async function writeOffLook(state?: 'pending' | 'done'): Promise<Look> {
  const input = { pageSize: 200, ...(state ? { state } : {}) }
  const stale = (await manager.call(listWriteOffs, input)).rows
  return {
    name: `write-offs ${state ?? 'all'}`,
    async compare(events) {
      const received = events.filter(({ type }) => WRITE_OFF_LIST_EVENTS.includes(type))
      check<WriteOffRow>(
        stale,
        (await manager.call(listWriteOffs, input)).rows,
        ({ writeOffId }) => writeOffId,
        applyWriteOffEvents(
          new Map(stale.map((row) => [row.writeOffId, row])),
          received,
          state ? { state } : {},
          'left',
        ),
        { patchesAll: false },
      )
    },
  }
}

async function grantLook(state?: 'unused' | 'used'): Promise<Look> {
  const input = { pageSize: 200, ...(state ? { state } : {}) }
  const stale = (await manager.call(listGrants, input)).rows
  return {
    name: `coupons ${state ?? 'all'}`,
    async compare(events) {
      const { needsRefetch, ...applied } = applyGrantEvents(
        new Map(stale.map((row) => [row.grantId, row])),
        events,
        state ? { state } : {},
        'left',
      )
      check<Grant>(
        stale,
        (await manager.call(listGrants, input)).rows,
        ({ grantId }) => grantId,
        { ...applied, needsRefetch },
        { patchesAll: false },
      )
    },
  }
}

/**
 * A new row was announced or requested, a removed one was marked as leaving, and what an event did
 * not contain is read.
 */
function check<Row extends { version: number }>(
  stale: readonly Row[],
  fresh: readonly Row[],
  idOf: (row: Row) => string,
  { changes, read, needsRefetch }: Applied,
  { patchesAll = true } = {},
): void {
  const shown = new Map(stale.map((row) => [idOf(row), row]))
  for (const change of changes)
    if (change.kind === 'patch')
      shown.set(change.id, { ...(shown.get(change.id) as Row), ...change.changes })
  const left = new Set(changes.flatMap((change) => (change.kind === 'leave' ? [change.id] : [])))
  const now = new Map(fresh.map((row) => [idOf(row), row]))
  for (const [id, row] of now) {
    expect(shown.has(id) || needsRefetch, `${id} came and was not announced`).toBe(true)
    if (shown.has(id) && !read.has(id)) expect(shown.get(id)).toEqual(row)
    if (read.has(id) && patchesAll) expect(row).toMatchObject({ version: shown.get(id)?.version })
  }
  for (const id of shown.keys()) expect(now.has(id)).toBe(!left.has(id))
}

async function reduced(made: MadeCase): Promise<{ reduceId: string; version: number }> {
  const { order, plans } = await manager.call(orderDetail, { orderId: made.orderId })
  return manager.call(launchReduction, {
    orderId: made.orderId,
    planId: plans[0]?.planId ?? '',
    version: order.version,
    reduceItems: { overdueFine: 1_000, serviceFee: 0, interest: 0 },
    validUntil: istDay(Date.now()),
    reason: 'Pays the rest',
  })
}
async function sentIn({ orderId }: MadeCase): Promise<string> {
  serial += 1
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const proof = {
    orderId,
    amount: 10_000,
    utr: String(600_000_000_000 + serial),
    payTime: new Date().toISOString(),
    channel: 2,
    ...({ files: [png] } as object),
  }
  return (await service.call(addProof, proof)).proofId
}
async function decided(proofId: string, result: 'accepted' | 'rejected'): Promise<unknown> {
  const [row] = (await manager.call(listProofs, { proofId })).rows
  const paid = {
    repaymentType: 'partial' as const,
    amount: 10_000,
    utr: row?.utr ?? '',
    upi: '-',
    channel: 2,
    bankCode: 'HDFC',
  }
  return manager.call(decideProof, {
    proofId,
    version: 1,
    result,
    ...(result === 'accepted' ? paid : { reason: 'Not on the statement' }),
  })
}
async function approved(made: MadeCase): Promise<string> {
  const { reduceId } = await reduced(made)
  await director.call(decideReductions, { reduceIds: [reduceId], result: 'approved' })
  return reduceId
}
async function gaveUp({ orderId }: MadeCase): Promise<unknown> {
  const { version, outstanding, today } = await manager.call(writeOffQuote, { orderId })
  return manager.call(launchWriteOff, {
    orderId,
    version,
    type: 'operational',
    repaymentDate: today,
    amount: outstanding,
    reason: 'Cannot be found',
  })
}
async function writeOffByPayment({ orderId }: MadeCase): Promise<{ recordId: string | null }> {
  serial += 1
  const { version, today } = await manager.call(writeOffQuote, { orderId })
  return manager.call(launchWriteOff, {
    orderId,
    version,
    type: 'partial',
    repaymentDate: today,
    amount: 10_000,
    utr: String(600_000_000_000 + serial),
    upi: '-',
    channel: 2,
    bankCode: 'HDFC',
  })
}
async function takenBack(recordId: string): Promise<unknown> {
  const [record] = (await manager.call(listRecords, { recordId })).rows
  const { approvalId } = await manager.call(reverseRecord, {
    recordId,
    version: record?.version ?? 0,
    cause: 'bounced',
    reason: 'The bank took it back',
  })
  return director.call(decideApproval, { approvalId, version: 1, result: 'approved' })
}

async function cured(): Promise<MadeCase> {
  const made = await makeBadDebt(floor)
  await approveCure(director, await requestCure(manager, made.orderId))
  return made
}
async function dayBegins(): Promise<void> {
  await sql`delete from day_opening`.execute(floor.database.kysely)
  await openDays(floor.context, istDay(Date.now()), [openDayCases])
}

/** Of 20.00 off the fine. */
async function offered(): Promise<{ made: MadeCase; couponId: string }> {
  const made = await loan()
  serial += 1
  const { couponId } = await manager.call(addCoupon, {
    name: `Coupon ${serial}`,
    type: 'reduction',
    amountType: 'fixed',
    preferentialType: 'overdueFine',
    discountAmount: 2_000,
    minAmount: 0,
    validDays: 30,
  })
  return { made, couponId }
}
async function couponed(): Promise<{ made: MadeCase; grantId: string }> {
  const { made, couponId } = await offered()
  await manager.call(grantCoupon, { couponId, userIds: [made.customerId] })
  const [row] = (await manager.call(listGrants, { couponId })).rows
  return { made, grantId: row?.grantId ?? '' }
}

/** `tells` = the event types that must be received; default a payment's own event. */
const MOVES: { name: string; emits?: string; arrange: () => Promise<() => Promise<unknown>> }[] = [
  {
    name: 'a reduction is launched',
    emits: 'reduction.changed',
    arrange: async () => {
      const made = await loan()
      return () => reduced(made)
    },
  },
  {
    name: 'a reduction is withdrawn',
    emits: 'reduction.changed',
    arrange: async () => {
      const { reduceId, version } = await reduced(await loan())
      return () => manager.call(withdrawReduction, { reduceId, version })
    },
  },
  {
    name: 'a reduction is approved',
    emits: 'reduction.changed',
    arrange: async () => {
      const { reduceId } = await reduced(await loan())
      return () => director.call(decideReductions, { reduceIds: [reduceId], result: 'approved' })
    },
  },
  {
    name: 'a payment uses a reduction',
    emits: 'reduction.changed',
    arrange: async () => {
      const made = await loan()
      await approved(made)
      return () => channel.call(inboundPayment, paymentReport(made, made.outstanding + 4_000))
    },
  },
  {
    name: 'an order is written off',
    emits: 'writeoff.done',
    arrange: async () => {
      const made = await loan()
      return () => gaveUp(made)
    },
  },
  {
    name: 'a write-off by payment is launched',
    arrange: async () => {
      const made = await loan()
      return () => writeOffByPayment(made)
    },
  },
  {
    name: 'the payment of a write-off arrives',
    emits: 'writeoff.done',
    arrange: async () => {
      const { recordId } = await writeOffByPayment(await loan())
      return () => answer(recordId ?? '', 'success', other)
    },
  },
  {
    name: 'the payment of a write-off does not arrive',
    arrange: async () => {
      const { recordId } = await writeOffByPayment(await loan())
      return () => answer(recordId ?? '', 'fail', other)
    },
  },
  {
    name: 'a proof is sent in',
    emits: 'proof.changed',
    arrange: async () => {
      const made = await loan()
      return () => sentIn(made)
    },
  },
  {
    name: 'a proof is accepted',
    emits: 'proof.changed',
    arrange: async () => {
      const proofId = await sentIn(await loan())
      return () => decided(proofId, 'accepted')
    },
  },
  {
    name: 'a proof is rejected',
    emits: 'proof.changed',
    arrange: async () => {
      const proofId = await sentIn(await loan())
      return () => decided(proofId, 'rejected')
    },
  },
  {
    name: 'a coupon is granted',
    emits: 'coupon.granted',
    arrange: async () => {
      const { made, couponId } = await offered()
      return () => manager.call(grantCoupon, { couponId, userIds: [made.customerId] })
    },
  },
  {
    name: 'a coupon is revoked',
    emits: 'coupon.granted',
    arrange: async () => {
      const { grantId } = await couponed()
      return () => manager.call(revokeGrants, { grantIds: [grantId], reason: 'By mistake' })
    },
  },
  {
    name: 'a payment with a coupon is booked',
    emits: 'coupon.granted',
    arrange: async () => {
      const { made, grantId } = await couponed()
      return () => book(made, 3_000, grantId)
    },
  },
  {
    name: 'a payment with a coupon arrives',
    emits: 'coupon.granted',
    arrange: async () => {
      const { made, grantId } = await couponed()
      const recordId = await book(made, 3_000, grantId)
      return () => answer(recordId, 'success')
    },
  },
  {
    name: 'a payment with a coupon is reversed',
    emits: 'coupon.granted',
    arrange: async () => {
      const { made, grantId } = await couponed()
      const recordId = await book(made, 3_000, grantId)
      await answer(recordId, 'success')
      return () => takenBack(recordId)
    },
  },
  {
    name: 'a payment is reversed',
    arrange: async () => {
      const { recordId } = await channel.call(inboundPayment, paymentReport(await loan(), 3_000))
      return () => takenBack(recordId)
    },
  },
  {
    name: 'a payment is booked',
    arrange: async () => {
      const made = await loan()
      return () => book(made, 10_000)
    },
  },
  {
    name: 'a booked payment is confirmed',
    arrange: async () => {
      const recordId = await book(await loan(), 10_000)
      return () => answer(recordId, 'success')
    },
  },
  {
    name: 'a booked payment did not arrive',
    arrange: async () => {
      const recordId = await book(await loan(), 10_000)
      return () => answer(recordId, 'fail')
    },
  },
  {
    name: 'a payment in full arrives from a channel',
    arrange: async () => {
      const made = await loan()
      return () => channel.call(inboundPayment, paymentReport(made, made.outstanding + 5_000))
    },
  },
  {
    name: 'a payment without a known order arrives from a channel',
    arrange: () =>
      Promise.resolve(() =>
        channel.call(inboundPayment, {
          ...paymentReport({ orderId: 'L404' } as MadeCase, 700),
          result: 'processing' as const,
        }),
      ),
  },
  {
    name: 'a cure requested',
    emits: 'approval.changed',
    arrange: async () => {
      const { orderId } = await makeBadDebt(floor)
      return () => requestCure(manager, orderId)
    },
  },
  {
    name: 'a cure approved',
    emits: 'order.status.changed',
    arrange: async () => {
      const approvalId = await requestCure(manager, (await makeBadDebt(floor)).orderId)
      return () => approveCure(director, approvalId)
    },
  },
  {
    name: 'a part of a cure paid',
    arrange: async () => {
      const made = await cured()
      return () => channel.call(inboundPayment, paymentReport(made, FIRST_PART))
    },
  },
  {
    name: 'a part of a cure missed',
    emits: 'order.status.changed',
    arrange: async () => {
      await missPart(floor, (await cured()).orderId)
      return dayBegins
    },
  },
  {
    name: 'an extension booked',
    arrange: async () => {
      const { orderId } = await loan()
      return () => bookExtension(floor, service, orderId)
    },
  },
  {
    name: 'an extension confirmed',
    arrange: async () => {
      const recordId = await bookExtension(floor, service, (await loan()).orderId)
      return () => confirmExtension(manager, recordId)
    },
  },
  {
    name: 'two payments in sequence',
    arrange: async () => {
      const made = await loan()
      return async () => {
        await channel.call(inboundPayment, paymentReport(made, 1_000))
        await answer(await book(made, 2_000), 'success')
      }
    },
  },
]

test.each(MOVES)(
  '$name: every list equals a new read',
  async ({ arrange, emits = 'repayment.changed' }) => {
    const act = await arrange()
    const from = (await floor.events()).at(-1)?.seq ?? 0
    const looks = [
      await planLook(),
      await planLook(['overdue']),
      await planLook(['processing']),
      await planLook(['paid']),
      await recordLook(),
      await recordLook('inProgress'),
      await recordLook('success'),
      await recordLook('fail'),
      await reductionLook(),
      await reductionLook('pending'),
      await reductionLook('approved'),
      await reductionLook('used'),
      await proofLook(),
      await proofLook('accepted'),
      await proofLook('all'),
      await writeOffLook(),
      await writeOffLook('pending'),
      await writeOffLook('done'),
      await grantLook(),
      await grantLook('unused'),
      await grantLook('used'),
    ]
    await act()
    const events = (await floor.events(from)).map(
      ({ seq, type, data, entity_version }) =>
        ({
          seq,
          id: String(seq),
          type,
          time: '',
          data,
          version: entity_version ?? undefined,
        }) as LiveEvent,
    )
    expect(events.map(({ type }) => type)).toContain(emits)
    for (const look of looks)
      await look.compare(events).catch((error: unknown) => {
        throw new Error(`${look.name}: ${(error as Error).message}`)
      })
  },
)
