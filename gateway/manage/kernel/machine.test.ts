import { sql } from 'kysely'
import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoint } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { ownMachineKey, serveMachine } from './machine.ts'

const deposit = endpoint({
  method: 'POST',
  path: '/inbound/deposit',
  access: { machine: 'deposit' },
  input: Type.Object(
    { amount: Type.Integer({ minimum: 1 }), note: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  data: Type.Object({ zebra: Type.Integer(), amount: Type.Integer(), balance: Type.Integer() }),
  audit: 'deposit',
  summary: 'Adds to a balance',
})

let floor: Floor
let machine: Machine

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      routes: (base) =>
        serveMachine(base, context, deposit, async (tx, { amount }) => {
          if (amount === 404) throw new Problem(NOT_FOUND)
          const { rows } = await sql<{
            balance: number
          }>`update balance set amount = amount + ${amount} returning amount as balance`.execute(
            tx.db,
          )
          return { zebra: 1, amount, balance: rows[0]?.balance ?? 0 }
        }),
    }),
  })
  await sql`create table balance (amount int not null)`.execute(floor.database.kysely)
  await sql`insert into balance values (0)`.execute(floor.database.kysely)
  machine = await machineOf(floor, ['deposit'])
})
afterAll(() => floor.close())

async function balance(): Promise<number> {
  const { rows } = await sql<{ amount: number }>`select amount from balance`.execute(
    floor.database.kysely,
  )
  return rows[0]?.amount ?? 0
}

test('a signed call is done and logged under the name of its key', async () => {
  const before = await balance()
  expect(await machine.call(deposit, { amount: 5 })).toEqual({
    zebra: 1,
    amount: 5,
    balance: before + 5,
  })
  const { rows } = await sql<{
    user_name: string
    result: string
  }>`select l.user_name, l.result from operate_log l where l.action = 'deposit' order by l.id desc limit 1`.execute(
    floor.database.kysely,
  )
  expect(rows[0]).toMatchObject({
    user_name: expect.stringContaining('test deposit') as string,
    result: 'ok',
  })
})

test('the same event sent again has one effect and the same answer to the letter', async () => {
  const before = await balance()
  const first = await machine.send(deposit, { amount: 7 }, { eventId: 'E-1' })
  const second = await machine.send(deposit, { amount: 7 }, { eventId: 'E-1' })
  expect(second.body).toBe(first.body)
  expect(await balance()).toBe(before + 7)
})

test('the same event sent eight times at once has one effect', async () => {
  const before = await balance()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => machine.send(deposit, { amount: 11 }, { eventId: 'E-2' })),
  )
  expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
  expect(await balance()).toBe(before + 11)
})

test('the same event id with another body is refused', async () => {
  await machine.call(deposit, { amount: 1 }, { eventId: 'E-3' })
  const before = await balance()
  expect(await machine.refused(deposit, { amount: 2 }, { eventId: 'E-3' })).toMatchObject({
    code: 409,
    problem: { id: 'G-IK' },
  })
  expect(await balance()).toBe(before)
})

test('two machines may use the same event id', async () => {
  const other = await machineOf(floor, ['deposit'])
  const before = await balance()
  await machine.call(deposit, { amount: 1 }, { eventId: 'E-4' })
  await other.call(deposit, { amount: 1 }, { eventId: 'E-4' })
  expect(await balance()).toBe(before + 2)
})

test('a refused event has no effect and may be sent again', async () => {
  expect(await machine.refused(deposit, { amount: 404 }, { eventId: 'E-5' })).toMatchObject({
    problem: { id: 'G404' },
  })
  const before = await balance()
  await machine.call(deposit, { amount: 3 }, { eventId: 'E-5' })
  expect(await balance()).toBe(before + 3)
})

test('a wrong secret, an unknown key, a changed body and a clock 301 s off are refused with 401', async () => {
  const before = await balance()
  for (const as of [
    { secret: 'wrong' },
    { keyId: 'MKunknown' },
    { sentBody: '{"amount":900}' },
    { now: Date.now() - 301_500 },
    { now: Date.now() + 301_500 },
  ]) {
    expect(await machine.refused(deposit, { amount: 9 }, as)).toMatchObject({
      code: 401,
      problem: { id: 'G-SIGN' },
    })
  }
  expect(await balance()).toBe(before)
})

test('a clock 290 s off is taken', async () => {
  await machine.call(deposit, { amount: 1 }, { now: Date.now() - 290_000 })
  await machine.call(deposit, { amount: 1 }, { now: Date.now() + 290_000 })
})

test('the signature is checked before the body is looked at', async () => {
  expect(await machine.refused(deposit, { amount: -1 }, { secret: 'wrong' })).toMatchObject({
    code: 401,
  })
  expect(await machine.refused(deposit, { amount: -1 })).toMatchObject({
    code: 400,
    problem: { id: 'G-FIELD' },
  })
  expect(await machine.refused(deposit, { amount: 1, other: 1 })).toMatchObject({ code: 400 })
})

test('a key without the scope answers 403, a disabled one 401 after its cache expires', async () => {
  const other = await machineOf(floor, ['payout'])
  expect(await other.refused(deposit, { amount: 1 })).toMatchObject({ code: 403 })
  await sql`update machine_key set status = 'disabled' where id = ${other.keyId}`.execute(
    floor.database.kysely,
  )
  await expect
    .poll(() => other.refused(deposit, { amount: 1 }), { timeout: 5_000 })
    .toMatchObject({ code: 401 })
})

test('a body that is not JSON, or sets a prototype, is refused', async () => {
  const { signMachineCall } = await import('./machine-signature.ts')
  for (const body of ['{"amount":', '{"amount":1,"__proto__":{"admin":true}}', '']) {
    const headers = signMachineCall({ ...machine, body, eventId: 'E-6', now: Date.now() })
    const answer = await floor.manage.app.inject({
      method: 'POST',
      url: '/api/manage/inbound/deposit',
      headers,
      payload: body,
    })
    expect(answer.json<{ code: number }>().code).toBe(400)
  }
})

test('a body as large as an application with photos is taken, one above 5 MB is not', async () => {
  await machine.call(deposit, { amount: 1, note: 'x'.repeat(3_000_000) })
  const answer = await machine.send(deposit, { amount: 1, note: 'x'.repeat(6_000_000) })
  expect(answer.statusCode).toBe(413)
})

test('a call without a signature is refused', async () => {
  const answer = await floor.manage.app.inject({
    method: 'POST',
    url: '/api/manage/inbound/deposit',
    payload: { amount: 1 },
  })
  expect(answer.json<{ code: number }>()).toMatchObject({ code: 401 })
})

test('a key of the product itself is made once', async () => {
  const own = { name: 'own', scopes: ['deposit'] }
  const first = await ownMachineKey(floor.context, own)
  expect(await ownMachineKey(floor.context, own)).toEqual(first)
})

test('the secret is not stored readable', async () => {
  const { rows } = await sql<{
    secret_enc: Buffer
  }>`select k.secret_enc from machine_key k where k.id = ${machine.keyId}`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.secret_enc.includes(Buffer.from(machine.secret))).toBe(false)
})
