import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyDump } from '#tests/support/engines.ts'
import { openDatabase } from './client.ts'

const CLIENT = new URL('./client.ts', import.meta.url).href

let dataDir: string
beforeEach(async () => (dataDir = await mkdtemp(path.join(tmpdir(), 'durable-'))))
afterEach(() => rm(dataDir, { recursive: true }))

test('every row that was committed is there after the process was killed', async () => {
  const writer = child(`
    await database.pool.query('create table paid (id int primary key)')
    for (let id = 1; ; id += 1) {
      await database.pool.query('insert into paid (id) values ($1)', [id])
      console.log(id)
    }`)
  const committed: number[] = []
  for await (const line of createInterface({ input: writer.stdout })) {
    committed.push(Number(line))
    if (committed.length === 300) writer.kill('SIGKILL')
  }
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
  const database = await openDatabase({ dataDir })
  const { rows } = await database.pool.query<{ id: number }>('select id from paid order by id')
  expect(committed.length).toBeGreaterThanOrEqual(300)
  expect(rows.map((row) => row.id).slice(0, committed.length)).toEqual(committed)
  expect(rows.length - committed.length).toBeLessThanOrEqual(1)
  await database.close()
})

test('a process killed during its first start leaves a directory that opens', async () => {
  const first = child('')
  while (!(await readdir(dataDir)).includes('pglite.new'))
    await new Promise((resolve) => setImmediate(resolve))
  first.kill('SIGKILL')
  await once(first, 'exit')
  const database = await openDatabase({ dataDir })
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await database.close()
  expect((await readdir(dataDir)).toSorted()).toEqual(['pglite'])
})

test('PostgreSQL syncs its log', async () => {
  const database = await openDatabase({ dataDir, loadFrom: await emptyDump() })
  const { rows } = await database.pool.query(`
    select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method,
      current_setting('synchronous_commit') as wait`)
  expect(rows).toEqual([{ fsync: 'on', method: 'fsync', wait: 'on' }])
  await database.close()
})

test('a second start is refused while the first runs, and opens the same rows afterwards', async () => {
  const first = await openDatabase({ dataDir, loadFrom: await emptyDump() })
  await first.pool.query('create table kept as select 1 as id')
  await expect(openDatabase({ dataDir })).rejects.toMatchObject({
    name: 'DataDirInUse',
    pid: process.pid,
  })
  await first.close()
  const second = await openDatabase({ dataDir })
  expect((await second.pool.query('select id from kept')).rows).toEqual([{ id: 1 }])
  await second.close()
  await expect(openDatabase({ dataDir, loadFrom: await emptyDump() })).rejects.toThrow(
    /holds a database already/,
  )
})

/** A process that opens the database of this test and runs `body`. */
function child(body: string): ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> } {
  const script = `
    const { openDatabase } = await import(${JSON.stringify(CLIENT)})
    const database = await openDatabase({ dataDir: ${JSON.stringify(dataDir)} })
    ${body}`
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
