/**
 * A start that cannot succeed prints one clear line and exits with 1: no stack, no partial start.
 */
import { createServer } from 'node:net'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsoleProcesses, failedStart } from '#tests/support/console-processes.ts'
import { type ChaosDatabase, makeEmbeddedDatabase } from '#tests/support/chaos-database.ts'
import { freePort } from '#tests/support/stack.ts'

const FIELD_KEY = Buffer.alloc(32, 1).toString('base64')
const processes = new ConsoleProcesses()
let chaosDatabase: ChaosDatabase
beforeAll(async () => {
  chaosDatabase = await makeEmbeddedDatabase()
})
afterAll(async () => {
  await processes.end()
  await chaosDatabase.drop()
})

/** One readable line without internals. */
function expectOneLine(
  { code, output }: { code: number | null; output: string },
  line: RegExp,
): void {
  expect(output).toMatch(line)
  expect(output.split('\n'), output).toHaveLength(1)
  expect(output).not.toMatch(/\bat .*:\d+:\d+|node:internal|Error:/)
  expect(code).toBe(1)
}

test.each<[string, Record<string, string>, RegExp]>([
  [
    'a port that is not a number',
    { PORT: 'eighty' },
    /^Configuration: PORT must be a whole number from 0 to 65535$/,
  ],
  [
    'a role that does not exist',
    { ROLE: 'both' },
    /^Configuration: ROLE must be one of all, edge, manage$/,
  ],
  [
    'an edge without a core',
    { ROLE: 'edge', INTERNAL_SECRET: 'x'.repeat(16) },
    /^Configuration: MANAGE_URL is needed when ROLE=edge$/,
  ],
  [
    'parts without a secret',
    { ROLE: 'manage' },
    /^Configuration: INTERNAL_SECRET of at least 16 characters/,
  ],
  [
    'PostgreSQL without a field key',
    { DATABASE_URL: 'postgres://nobody@127.0.0.1/nothing' },
    /^Configuration: FIELD_KEY \(32 bytes in base64\) is needed/,
  ],
  [
    'a short field key',
    { FIELD_KEY: 'c2hvcnQ=' },
    /^Configuration: FIELD_KEY must be 32 bytes in base64$/,
  ],
  [
    'demo people in production',
    { NODE_ENV: 'production', SEED: 'demo' },
    /^Configuration: SEED=demo is refused in production$/,
  ],
  [
    'an invalid database URL',
    { DATABASE_URL: 'mysql://localhost/x' },
    /^Configuration: DATABASE_URL must be a URL with postgres or postgresql:\/\/$/,
  ],
  [
    'half an administrator',
    { ADMIN_ACCOUNT: 'root' },
    /^Configuration: ADMIN_ACCOUNT and ADMIN_PASSWORD go together$/,
  ],
  [
    'a secret file that is not there',
    { INTERNAL_SECRET_FILE: join('no', 'such', 'file') },
    /^Configuration: INTERNAL_SECRET_FILE: the file cannot be read$/,
  ],
])('a wrong setting is named: %s', async (_, env, line) => {
  expectOneLine(await failedStart(env), line)
})

test('a port in use is reported with the port', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  expectOneLine(
    await failedStart({ ...chaosDatabase.env, PORT: String(port) }),
    new RegExp(
      `^Port ${port} on 127\\.0\\.0\\.1 is in use; set PORT to a free one or stop the other program\\.$`,
    ),
  )
  other.close()
})

test('a second start on the same data directory is refused with the pid of the first', async () => {
  const first = await processes.start(chaosDatabase.env)
  const second = await failedStart({ ...chaosDatabase.env, PORT: String(await freePort()) })
  expectOneLine(
    second,
    new RegExp(
      `in use by process ${first.pid}\\. Stop that process, or set DATA_DIR to another directory\\.$`,
    ),
  )
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  await first.kill('SIGKILL')
  // The lock of a killed process does not prevent a start.
  const third = await processes.start(chaosDatabase.env)
  expect(await third.kill('SIGTERM')).toBe(0)
})

test('an unreachable database is reported, whether the port is closed or the host is unknown', async () => {
  const port = await freePort()
  expectOneLine(
    await failedStart({
      DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing`,
      FIELD_KEY,
      PORT: '0',
    }),
    /^The database cannot be reached; check DATABASE_URL\.$/,
  )
  expectOneLine(
    await failedStart({
      DATABASE_URL: 'postgres://nobody@no-such-host.invalid/nothing',
      FIELD_KEY,
      PORT: '0',
    }),
    /^The database cannot be reached; check DATABASE_URL\.$/,
  )
})

test('a data directory that is a file is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-start-'))
  const file = join(folder, 'data')
  writeFileSync(file, 'not a directory')
  expectOneLine(
    await failedStart({ DATA_DIR: file, SEED: 'none', PORT: '0' }),
    /^\S+\/data\/database cannot be written \(.+\)\. Give this user the right to, or set DATA_DIR/,
  )
  rmSync(folder, { recursive: true, force: true })
})

test('a wrong field key is reported in one line, and the database is unchanged', async () => {
  const env = { ...chaosDatabase.env, PORT: '0' }
  const wrong = Buffer.alloc(32, 9).toString('base64')
  expectOneLine(
    await failedStart({ ...env, FIELD_KEY: wrong }),
    /^The console could not start: the (?:field key does not open this book|keys given do not open)/,
  )
  const right = await processes.start(chaosDatabase.env)
  expect(await right.kill('SIGTERM')).toBe(0)
})

test('no new field key is made for a database that has rows', async () => {
  const { FIELD_KEY: _lost, ...env } = chaosDatabase.env
  expectOneLine(
    await failedStart({ ...env, PORT: '0' }),
    /^The console could not start: \S+field\.key is missing, and a new key would open nothing/,
  )
  expect(existsSync(join(env.DATA_DIR as string, 'field.key'))).toBe(false)
})
