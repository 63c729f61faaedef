import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { type DisbursedLoan, type OpenedLoan, postDisbursement } from './post-disbursement.ts'

let floor: Floor

beforeAll(async () => {
  floor = await testManage({ parts: () => ({}) })
})
afterAll(() => floor.close())

async function post(
  given: Partial<DisbursedLoan>,
): Promise<{ opened: OpenedLoan; orderId: string }> {
  const { orderId } = await makeOrder(floor)
  const loan: DisbursedLoan = {
    orderId,
    amount: 1_000_000,
    arrivalAmount: 900_000,
    serviceCharge: 100_000,
    interest: 45_001,
    periods: 3,
    daysPerPeriod: 30,
    disbursedAt: '2026-11-21T18:29:59.999Z',
    refId: 'T1',
    ...given,
  }
  const outcome = await runCommand(
    floor.context,
    { actor: systemActor('test'), audit: { action: 'test' } },
    (tx) => postDisbursement(tx, loan, ['scope:all']),
  )
  return { opened: (outcome as { result: OpenedLoan }).result, orderId }
}

async function entries(orderId: string): Promise<
  {
    kind: string
    account: string
    serial: number | null
    debit: number
    credit: number
    day: string
  }[]
> {
  const { rows } = await sql<{
    kind: string
    account: string
    serial: number | null
    debit: number
    credit: number
    day: string
  }>`
    select e.kind, e.account, p.serial_no as serial, e.debit, e.credit, e.biz_date::text as day
      from ledger_entry e left join repay_plan p on p.id = e.plan_id where e.order_id = ${orderId}
    order by e.kind, e.credit, p.serial_no, e.account`.execute(floor.database.kysely)
  return rows
}

test('a disbursement posts principal, service charge and the interest of the contract', async () => {
  const { opened, orderId } = await post({})
  expect(opened).toEqual({ dueAt: '2027-02-19', outstanding: 1_045_001 })
  const day = '2026-11-21'
  expect(await entries(orderId)).toEqual([
    {
      kind: 'disbursement',
      account: 'principalReceivable',
      serial: 1,
      debit: 333_334,
      credit: 0,
      day,
    },
    {
      kind: 'disbursement',
      account: 'principalReceivable',
      serial: 2,
      debit: 333_333,
      credit: 0,
      day,
    },
    {
      kind: 'disbursement',
      account: 'principalReceivable',
      serial: 3,
      debit: 333_333,
      credit: 0,
      day,
    },
    {
      kind: 'disbursement',
      account: 'serviceChargeIncome',
      serial: null,
      debit: 0,
      credit: 100_000,
      day,
    },
    {
      kind: 'disbursement',
      account: 'payoutClearing',
      serial: null,
      debit: 0,
      credit: 900_000,
      day,
    },
    {
      kind: 'interestDue',
      account: 'interestReceivable',
      serial: 1,
      debit: 15_001,
      credit: 0,
      day,
    },
    {
      kind: 'interestDue',
      account: 'interestReceivable',
      serial: 2,
      debit: 15_000,
      credit: 0,
      day,
    },
    {
      kind: 'interestDue',
      account: 'interestReceivable',
      serial: 3,
      debit: 15_000,
      credit: 0,
      day,
    },
    { kind: 'interestDue', account: 'interestIncome', serial: null, debit: 0, credit: 45_001, day },
  ])
})

test('the business day begins at midnight in India', async () => {
  const { opened, orderId } = await post({ disbursedAt: '2026-11-21T18:30:00.000Z', periods: 1 })
  expect(opened.dueAt).toBe('2026-12-22')
  expect(new Set((await entries(orderId)).map((entry) => entry.day))).toEqual(
    new Set(['2026-11-22']),
  )
})

test('a loan without charge or interest has no empty entries', async () => {
  const { opened, orderId } = await post({
    arrivalAmount: 1_000_000,
    serviceCharge: 0,
    interest: 0,
    periods: 2,
  })
  expect(opened.outstanding).toBe(1_000_000)
  expect((await entries(orderId)).map((entry) => entry.account)).toEqual([
    'principalReceivable',
    'principalReceivable',
    'payoutClearing',
  ])
})

test('the ledger refuses unbalanced amounts, and nothing is written', async () => {
  const { orderId } = await makeOrder(floor)
  await expect(post({ orderId, arrivalAmount: 899_999 })).rejects.toThrow(/does not balance/)
  expect(await entries(orderId)).toEqual([])
})

test('every posting of many loans balances, and every plan equals its receivables', async () => {
  for (const [i, amount] of [100_001, 999_999, 1_234_567, 7_777_777, 20_000_000].entries()) {
    const serviceCharge = Math.floor(amount / 7)
    await post({
      amount,
      serviceCharge,
      arrivalAmount: amount - serviceCharge,
      interest: Math.floor(amount / 11),
      periods: i + 1,
    })
  }
  const { rows } = await sql`
    select e.txn_id from ledger_entry e group by e.txn_id having sum(e.debit) <> sum(e.credit)
    union all
    select p.id from repay_plan p where p.outstanding <> (select coalesce(sum(e.debit - e.credit), 0)
      from ledger_entry e where e.plan_id = p.id)`.execute(floor.database.kysely)
  expect(rows).toEqual([])
})
