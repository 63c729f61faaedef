import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listCustomers } from '#shared/customers/customer-list-api.ts'
import { read, sourceFiles } from '#tests/architecture/sources.ts'
import { makeFullApplication, storeCustomer } from '#tests/factories/customers.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { MACHINE_KEY_SECRET } from './machine.ts'
import { resealAll, resealClass } from './reseal-job.ts'
import type { SealedColumn } from './sealed-column.ts'
import { nextSealKey, parseSealKeys } from './seal-keys.ts'
import { secretsOf } from './secrets.ts'

const MASTER = Buffer.alloc(32, 1)
const [second] = parseSealKeys(nextSealKey([]))
if (!second) throw new Error('the key just made cannot be read')
const before = secretsOf(MASTER)
const after = secretsOf(MASTER, [second])
const application = makeFullApplication(81)
const { customer } = application

let floor: Floor
let userId: string
let sealed: readonly SealedColumn[]
beforeAll(async () => {
  floor = await testManage()
  sealed = [MACHINE_KEY_SECRET, ...floor.manage.parts.sealed]
  userId = (await storeCustomer(floor, application)).customerId
})
afterAll(() => floor.close())

async function sealedPhone(): Promise<Buffer> {
  const { rows } = await sql<{
    phone_enc: Buffer
  }>`select c.phone_enc from customer c where c.id = ${userId}`.execute(floor.database.kysely)
  return (rows[0] as { phone_enc: Buffer }).phone_enc
}
/** Numbers of the keys that seal what is in a table. */
async function keysIn({ table, column, only = 'true' }: SealedColumn): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`
    select distinct get_byte(substring(x.${sql.ref(column)} from 2 for 1), 0) as id
    from ${sql.table(table)} x
    where x.${sql.ref(column)} is not null
      and ${sql.raw(only)}`.execute(floor.database.kysely)
  return rows.map(({ id }) => id)
}

test('a value sealed with an earlier key opens while that key is present, in its own place only', () => {
  const [old, now] = [before.seal('a.b', '1', 'x'), after.seal('a.b', '1', 'x')]
  expect([after.open('a.b', '1', old), after.open('a.b', '1', now)]).toEqual(['x', 'x'])
  expect(() => after.open('a.b', '2', old)).toThrow()
  expect(() => before.open('a.b', '1', now)).toThrow('unknown format or key')
  expect(secretsOf(MASTER, [second], 1).seal('a.b', '1', 'x')[1]).toBe(1)
})

test.each([
  [[{ id: 1, key: MASTER }]],
  [[{ id: 256, key: MASTER }]],
  [[{ id: 2, key: Buffer.alloc(16) }]],
  [[second, second]],
])('keys that cannot be told apart or are too short are refused', (keys) => {
  expect(() => secretsOf(MASTER, keys)).toThrow(RangeError)
})

test('every sealed column is resealed, is found as before, and opens with the new key alone', async () => {
  const context = { ...floor.context, secrets: after }
  expect(await resealAll(floor.context, sealed)).toBe(0)
  expect(await resealAll(context, sealed)).toBeGreaterThan(8)
  for (const column of sealed)
    expect({ ...column, keys: (await keysIn(column)).filter((id) => id !== 2) }).toEqual({
      ...column,
      keys: [],
    })
  expect(after.open('customer.phone_enc', userId, await sealedPhone())).toBe(customer.phone)
  // hashes do not change with the seal
  expect(
    (await (await floor.signIn('manager')).call(listCustomers, { pan: customer.pan })).rows.map(
      (row) => row.userId,
    ),
  ).toEqual([userId])
})

test('the schedule ends with the first run that finds nothing', async () => {
  await storeCustomer(floor, makeFullApplication(82))
  const reseal = resealClass(sealed)
  const context = { ...floor.context, secrets: after }
  expect(await reseal.run(context)).toEqual({ resealed: expect.any(Number) as number })
  expect([await reseal.run(context), await reseal.run(context)]).toEqual([{ resealed: 0 }, {}])
})

test('every column the code seals is named by a manifest, so that a new key moves it', () => {
  const places = sourceFiles()
    .filter((path) => path.startsWith('gateway/') && !path.endsWith('.test.ts'))
    .flatMap((path) =>
      [...read(path).matchAll(/(?:\bseal\(|_PLACE = )'([a-z_]+\.[a-z_]+)'/g)].map(
        (match) => match[1] as string,
      ),
    )
  expect(places.length).toBeGreaterThan(8)
  expect(
    [...new Set(places)].filter((place) => !sealed.some((column) => column.place === place)),
  ).toEqual([])
})
