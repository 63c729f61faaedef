/**
 * The drill of backup and restore: an embedded console is backed up by the command while people and
 * machines use it, lost, restored from the copy and proven. The commands beside a console, and a
 * start on a damaged book, say what to do in one line.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundApplication } from '#shared/orders/inbound-api.ts'
import { openDatabase } from '#gateway/manage/db/client.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { type ChaosDatabase, makeEmbeddedDatabase } from '#tests/support/chaos-database.ts'
import { ConsoleProcesses, failedStart } from '#tests/support/console-processes.ts'
import { WebMachine } from '#tests/support/steady.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const processes = new ConsoleProcesses()
let chaosDatabase: ChaosDatabase
let dataDir: string
let backupDir: string
/** The backup that the first test made. */
let copy: string
beforeAll(async () => {
  chaosDatabase = await makeEmbeddedDatabase()
  dataDir = chaosDatabase.env.DATA_DIR as string
  backupDir = `${dataDir}-backups`
})
afterAll(async () => {
  await processes.end()
  await chaosDatabase.drop()
  for (const place of [backupDir, `${dataDir}-restored`, `${dataDir}-cut`])
    rmSync(place, { recursive: true, force: true })
})

async function command(
  env: Record<string, string>,
  file: string,
  ...args: string[]
): Promise<{ code: number; lines: string[] }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join('gateway', file), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...chaosDatabase.env, ...env },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, lines: output.trim().split('\n') }
}

test('a backup taken by the command under load is restored with all that was committed before it', async () => {
  const running = await processes.start(chaosDatabase.env)
  const machine = new WebMachine(running.url, chaosDatabase.key)
  let answered = 0
  let stopped = false
  const applying = (async () => {
    for (let n = 1; !stopped; n += 1) {
      const { code } = await machine.send(inboundApplication, makeApplication(n), randomUUID())
      if (code === 200) answered += 1
    }
  })()
  while (answered < 3) await new Promise((resume) => setTimeout(resume, 20))
  const before = answered
  const { code, lines } = await command({}, 'back-up.ts', backupDir)
  expect([code, lines]).toEqual([
    0,
    [expect.stringMatching(/^\S+Z: \d+ files, .* MB copied in \d+ ms\.$/)],
  ])
  stopped = true
  await applying

  const inUse = await command({}, 'check-invariants.ts')
  expect(inUse.code).toBe(1)
  expect(inUse.lines).toEqual([
    expect.stringMatching(new RegExp(`in use by process ${running.pid}\\. Stop that process`)),
  ])

  await running.kill('SIGKILL')
  const restored = `${dataDir}-restored`
  copy = lines[0]?.split(': ')[0] ?? ''
  cpSync(copy, restored, { recursive: true })
  const again = await processes.start({ ...chaosDatabase.env, DATA_DIR: restored })
  await new WebMachine(again.url, chaosDatabase.key).send(
    inboundApplication,
    makeApplication(9_999),
    randomUUID(),
  )
  expect(await again.kill('SIGTERM')).toBe(0)
  const database = await openDatabase({ dataDir: join(restored, 'database') })
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from loan_order`.execute(
    database.kysely,
  )
  expect(rows[0]?.n).toBeGreaterThanOrEqual(before)
  expect(await brokenInvariants(database)).toEqual([])
  await database.close()
})

test('check:invariants proves a book against the anchors of another volume', async () => {
  const [restored, anchors] = [`${dataDir}-restored`, `${backupDir}/anchors-elsewhere.log`]
  cpSync(join(restored, 'anchors.log'), anchors)
  const proven = await command({ DATA_DIR: restored }, 'check-invariants.ts', '--anchors', anchors)
  expect([proven.code, proven.lines.at(-1)]).toEqual([0, expect.stringMatching(/, 0 broken$/)])
  expect(proven.lines).toContainEqual(
    expect.stringMatching(/^ok {4} K03 the operate log holds its [1-9]\d* anchors$/),
  )

  // the copy does not hold what was done after it was made
  const cut = `${dataDir}-cut`
  cpSync(copy, cut, { recursive: true })
  const missing = await command({ DATA_DIR: cut }, 'check-invariants.ts', '--anchors', anchors)
  expect(missing.code).toBe(1)
  expect(missing.lines).toContainEqual(
    expect.stringMatching(/^BROKEN K03 the operate log holds its \d+ anchors: 1 \(no\. \d+\)$/),
  )
  const noFile = await command({ DATA_DIR: cut }, 'check-invariants.ts', '--anchors', `${cut}/none`)
  expect([noFile.code, noFile.lines]).toEqual([1, [expect.stringMatching(/none cannot be read/)]])
})

test('a damaged database is reported in one line: what, where and what to do', async () => {
  const restored = `${dataDir}-restored`
  expect(existsSync(restored)).toBe(true)
  rmSync(join(restored, 'database', 'pglite', 'global', 'pg_control'))
  const { code, output } = await failedStart({
    ...chaosDatabase.env,
    DATA_DIR: restored,
    PORT: '0',
  })
  expect(code).toBe(1)
  expect(output).toMatch(
    /^The database in \S+-restored\/database is damaged \(.+\)\. .* newest backup .* README\.$/,
  )
})
