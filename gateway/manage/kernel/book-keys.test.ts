import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogger } from '#gateway/kernel/logger.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { testDatabase } from '#tests/support/database.ts'
import {
  checkKeys,
  holdsRows,
  missingKeys,
  proveKeys,
  rememberKeys,
  retireEarlierKeys,
} from './book-keys.ts'
import { agreeWithCores } from './core-agreement.ts'
import { createMachineKey, MACHINE_KEY_SECRET } from './machine.ts'
import { type Secrets, secretsOf } from './secrets.ts'

const MASTER = randomBytes(32)
const SECOND = { id: 2, key: randomBytes(32) }
const own = secretsOf(MASTER)
const other = secretsOf(randomBytes(32))
const log = createLogger('silent')

let database: Database
let close: () => Promise<void>
beforeEach(async () => {
  ;({ database, close } = await testDatabase())
})
afterEach(() => close())

/** As a core does that starts alone. */
async function start(secrets: Secrets): Promise<void> {
  await proveKeys(database, secrets, [])
  await rememberKeys(database, secrets)
}

test('the first start stores a key proof that no other master key opens', async () => {
  expect(await holdsRows(database)).toBe(false)
  expect((await checkKeys(database, own)).violations).toBe(1)
  await start(own)
  expect(await holdsRows(database)).toBe(true)
  await start(own)
  expect((await checkKeys(database, own)).violations).toBe(0)
  expect(await missingKeys(database, other)).toEqual([1])
  await expect(proveKeys(database, other, [])).rejects.toThrow(
    /^the field key does not open this book \(its fingerprint is [0-9a-f]{16}, the book's [0-9a-f]{16}\)/,
  )
})

test('the key of a database without a key proof is checked by its sealed values', async () => {
  await createMachineKey({ database, secrets: own }, { name: 'app', scopes: [] })
  await expect(proveKeys(database, other, [MACHINE_KEY_SECRET])).rejects.toThrow(
    'the keys given do not open what this book has sealed',
  )
  await proveKeys(database, own, [MACHINE_KEY_SECRET])
})

test('a fingerprint written over another one does not make its key valid', async () => {
  await start(own)
  await sql`update book_key set fingerprint = ${other.keys[0]?.fingerprint}`.execute(
    database.kysely,
  )
  expect(await missingKeys(database, own)).toEqual([1])
  expect(await missingKeys(database, other)).toEqual([1])
})

test('a seal key is needed from its first use until nothing is sealed with it', async () => {
  const [early, late] = [secretsOf(MASTER, [SECOND]), secretsOf(MASTER, [{ ...SECOND, id: 3 }])]
  await start(secretsOf(MASTER, [SECOND], 1))
  await start(own)
  await start(early)
  await expect(proveKeys(database, own, [])).rejects.toThrow(/^seal key 2 of this book .* missing/)
  await expect(proveKeys(database, late, [])).rejects.toThrow('seal key 2 of this book')
  await retireEarlierKeys(database.kysely, 3)
  await start(late)
  expect(await missingKeys(database, own)).toEqual([3])
})

test('a core with another MACHINE_REVIEW or without the sealing key does not start beside another', async () => {
  const early = secretsOf(MASTER, [SECOND])
  const running = await agreeWithCores(database, own, 'rules', log)
  await expect(agreeWithCores(database, own, 'external', log)).rejects.toThrow(
    /^the core \S+:\d+ of this book runs with MACHINE_REVIEW=rules, this one was started with external/,
  )
  await start(own)
  await proveKeys(database, early, [])
  await expect(agreeWithCores(database, early, 'rules', log)).rejects.toThrow(
    'does not have seal key 2. Keep SEAL_WITH',
  )
  // one that was refused leaves the others as they were
  expect(await missingKeys(database, own)).toEqual([])
  const staged = await agreeWithCores(database, secretsOf(MASTER, [SECOND], 1), 'rules', log)
  await running.stop()
  const sealing = await agreeWithCores(database, early, 'rules', log)
  await expect(agreeWithCores(database, own, 'rules', log)).rejects.toThrow('seals with key 2')
  await staged.stop()
  await sealing.stop()
  await (await agreeWithCores(database, own, 'external', log)).stop()
})

test('a core that was killed a while ago blocks no other', async () => {
  const killed = await agreeWithCores(database, own, 'rules', log)
  await sql`update running_core set seen_at = seen_at - interval '20 seconds'`.execute(
    database.kysely,
  )
  const next = await agreeWithCores(database, own, 'external', log)
  await killed.stop()
  await next.stop()
})
