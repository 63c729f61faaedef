/** Payments that bounce after a person had ended their loan: the end grows by what they settled. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as approvals from '#shared/approvals/approvals-api.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { launchWriteOff } from '#shared/repayments/write-offs-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { bookExtension, confirmExtension } from '#tests/factories/agreements.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { reversalDesk } from '#tests/factories/reversal-desk.ts'
import type { Machine } from '#tests/support/machine.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { lockLoan, readLoan } from '../loan-store.ts'
import { owedOn } from '../writeoffs/count-write-off.ts'
import { writeOffLoan } from '../writeoffs/write-off-loan.ts'

let floor: Floor
let manager: Person
let other: Person
let director: Person
let channel: Machine
let serial = 0
const today = istDay(Date.now())

beforeAll(async () => {
  ;({ floor, manager, other, director, channel } = await reversalDesk())
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

const lifeOf = (orderId: string) => manager.call(orderDetail, { orderId })
async function pay(orderId: string, amount: number, daysAgo: number): Promise<string> {
  serial += 1
  const payment = await channel.call(inboundPayment, {
    vendorOrderNo: `V-E${serial}`,
    orderId,
    amount,
    channel: 1,
    result: 'success',
    utr: String(860_000_000_000 + serial),
    // noon of an earlier day; of today the last minute, which is never to come
    payTime:
      daysAgo === 0
        ? new Date(Date.now() - 60_000).toISOString()
        : `${addDays(today, -daysAgo)}T06:00:00.000Z`,
  })
  return payment.recordId
}
async function bounce(recordId: string): Promise<void> {
  const { record } = await manager.call(api.recordDetail, { recordId })
  const { approvalId } = await manager.call(api.reverseRecord, {
    recordId,
    version: record.version,
    cause: 'bounced',
    reason: 'The bank took it back',
  })
  await other.call(approvals.decideApproval, { approvalId, version: 1, result: 'approved' })
}
async function giveUp(orderId: string, type: 'operational' | 'batch'): Promise<void> {
  if (type === 'operational') {
    const { order } = await lifeOf(orderId)
    const loan = await readLoan(floor.database.kysely, orderId)
    await director.call(launchWriteOff, {
      orderId,
      version: order.version,
      type,
      repaymentDate: today,
      // with the fines of today
      amount: loan === null ? 0 : owedOn(loan, today),
      reason: 'Gone without a trace',
    })
    return
  }
  await runCommand(
    floor.context,
    { actor: systemActor('test'), audit: { action: 'test' } },
    async (tx) => {
      const loan = await lockLoan(tx.db, orderId)
      if (loan === null) throw new Error(`no loan ${orderId}`)
      await writeOffLoan(
        tx,
        loan,
        {
          type,
          reason: 'In an approved batch',
          repaymentDate: today,
          operator: { id: manager.userId, name: 'Manager 1' },
          confirmer: { id: director.userId, name: 'Director 1' },
          approvalId: null,
          event: () => ({ type: 'BATCH_WRITE_OFF', batchApproved: true }),
        },
        [casePaid],
      )
    },
  )
}
/** Instalments and the balance of each account: what the loan came to, not how. */
async function booksOf(orderId: string) {
  const { order, plans } = await lifeOf(orderId)
  const { rows: accounts } = await sql<{ account: string; balance: number }>`
    select e.account, sum(e.debit - e.credit)::bigint as balance from ledger_entry e
    where e.order_id = ${orderId} group by e.account having sum(e.debit - e.credit) <> 0
    order by e.account`.execute(floor.database.kysely)
  const { rows: writeOffs } = await sql<{ type: string; amount: number }>`
    select w.type, w.amount from write_off w where w.order_id = ${orderId}`.execute(
    floor.database.kysely,
  )
  return {
    status: order.status,
    outstanding: order.outstanding,
    plans: plans.map(({ paidAmount, overdueFine, outstanding, paymentStatus }) => ({
      paidAmount,
      overdueFine,
      outstanding,
      paymentStatus,
    })),
    accounts,
    writeOffs,
  }
}

interface Life {
  gone: [paise: number, daysAgo: number]
  kept: [paise: number, daysAgo: number]
  isKeptFirst: boolean
  type: 'operational' | 'batch'
}
/** The payment that bounces, and one that stays: paise and days ago; which was told first. */
const LIVES: Life[] = [
  { gone: [300_000, 9], kept: [200_000, 4], isKeptFirst: false, type: 'batch' },
  { gone: [300_000, 4], kept: [200_001, 9], isKeptFirst: true, type: 'operational' },
  { gone: [906_789, 11], kept: [17_000, 2], isKeptFirst: true, type: 'batch' },
  { gone: [13, 1], kept: [999_999, 10], isKeptFirst: false, type: 'operational' },
]

test('a payment that bounces after the write-off leaves the books as if it had never come', async () => {
  for (const { gone, kept, isKeptFirst, type } of LIVES) {
    const [{ orderId }, { orderId: without }] = [
      await makeCase(floor, { overdueDays: 12 }),
      await makeCase(floor, { overdueDays: 12 }),
    ]
    if (isKeptFirst) await pay(orderId, ...kept)
    const recordId = await pay(orderId, ...gone)
    if (!isKeptFirst) await pay(orderId, ...kept)
    await pay(without, ...kept)
    await giveUp(orderId, type)
    await giveUp(without, type)
    await bounce(recordId)
    expect(await booksOf(orderId), JSON.stringify({ gone, kept, type })).toEqual(
      await booksOf(without),
    )
    expect((await manager.call(api.recordDetail, { recordId })).record.reversedTime).not.toBeNull()
  }
})

test('a payment that bounces after an extension is owed beside the loans, and paid by later money', async () => {
  const { orderId } = await makeCase(floor, { overdueDays: 3 })
  const recordId = await pay(orderId, 5_000, 1)
  await confirmExtension(other, await bookExtension(floor, manager, orderId))
  const before = await booksOf(orderId)
  expect(before.status).toBe(80)
  await bounce(recordId)
  const after = await booksOf(orderId)
  expect(after.plans).toEqual(before.plans)
  const credit = (books: typeof before) =>
    books.accounts.find(({ account }) => account === 'customerCredit')?.balance ?? 0
  expect(credit(after) - credit(before)).toBe(5_000)
  await pay(orderId, 5_000, 0)
  expect(credit(await booksOf(orderId))).toBe(0)
})
