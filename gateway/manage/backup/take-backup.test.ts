import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '#gateway/manage/db/client.ts'
import { emptyDump } from '#tests/support/engines.ts'
import { backupsIn, takeBackup, thinBackups } from './take-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'console-backup-'))
const dataDir = join(folder, 'data')
let database: Database
/** Each test's own. */
let place: { dataDir: string; backupDir: string }
const open: Database[] = []
let made = 0
beforeAll(async () => {
  database = await opened(dataDir, await emptyDump())
  await sql`create table entry (n int primary key)`.execute(database.kysely)
})
beforeEach(async () => {
  place = { dataDir, backupDir: join(folder, `backups-${(made += 1)}`) }
  await sql`delete from entry`.execute(database.kysely)
})
afterAll(async () => {
  for (const one of open) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

/** @param loadFrom what a new database begins with */
async function opened(directory: string, loadFrom?: string): Promise<Database> {
  const one = await openDatabase({ dataDir: join(directory, 'database'), loadFrom })
  open.push(one)
  return one
}

async function insert(n: number): Promise<void> {
  await sql`insert into entry (n) values (${n})`.execute(database.kysely)
}

async function countOf(restored: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from entry`.execute(
    restored.kysely,
  )
  return rows[0]?.n ?? -1
}

test('a backup taken while rows are written opens with every row committed before it', async () => {
  writeFileSync(join(dataDir, 'field.key'), 'a key')
  let [written, stopped] = [0, false]
  const writing = (async () => {
    while (!stopped) await insert((written += 1))
  })()
  const taken: { dir: string; least: number }[] = []
  for (let n = 0; n < 3; n += 1) {
    await new Promise((resume) => setTimeout(resume, 60))
    const least = written - 1
    const { dir } = await takeBackup(place, database, Date.UTC(2026, 0, 1, 10, 0, n))
    taken.push({ dir, least })
  }
  stopped = true
  await writing
  for (const { dir, least } of taken.slice(1)) {
    const restored = join(folder, `restored-${least}`)
    cpSync(dir, restored, { recursive: true })
    expect(readFileSync(join(restored, 'field.key'), 'utf8')).toBe('a key')
    const count = await countOf(await opened(restored))
    expect(count).toBeGreaterThanOrEqual(least)
    expect(count).toBeLessThanOrEqual(written)
  }
})

test('a later backup shares the files that did not change, and is whole without the earlier one', async () => {
  const now = Date.now()
  const first = await takeBackup(place, database, now)
  await insert(1)
  // what was written just before a copy is read again by the next one
  const second = await takeBackup(place, database, now + 10_000)
  await insert(2)
  const third = await takeBackup(place, database, now + 20_000)
  // the database makes and drops files of its own, such as segments of its log
  expect(Math.abs(third.files - first.files)).toBeLessThan(10)
  expect(third.bytes).toBeLessThan(first.bytes / 2)
  const version = join('database', 'pglite', 'PG_VERSION')
  expect(statSync(join(third.dir, version)).ino).toBe(statSync(join(second.dir, version)).ino)
  rmSync(first.dir, { recursive: true })
  rmSync(second.dir, { recursive: true })
  expect(await countOf(await opened(third.dir))).toBe(2)
})

test('a backup that could not be finished leaves nothing behind', async () => {
  const failing = { copyTo: () => Promise.reject(new Error('no room')) }
  await expect(takeBackup(place, failing)).rejects.toThrow('no room')
  expect(await backupsIn(place.backupDir)).toEqual([])
  await takeBackup(place, database)
  expect(await backupsIn(place.backupDir)).toHaveLength(1)
})

test('an hour of backups is kept whole, a day by the hour and a month by the day', async () => {
  const now = Date.UTC(2026, 2, 10, 12, 0, 0)
  // every five minutes for two hours, then three an hour for two days and three a day for the rest: each
  // term has copies to give up
  const each = (step: number, from: number, to: number): number[] =>
    Array.from({ length: (to - from) / step }, (_, n) => from + n * step)
  const hour = 60
  const day = 24 * hour
  const minutes = [
    ...each(5, 0, 2 * hour),
    ...each(20, 2 * hour, 2 * day),
    ...each(8 * hour, 2 * day, 40 * day),
  ]
  for (const ago of minutes)
    mkdirSync(
      join(
        place.backupDir,
        `${new Date(now - ago * 60_000).toISOString().slice(0, 19).replaceAll(':', '-')}Z`,
      ),
      { recursive: true },
    )
  mkdirSync(join(place.backupDir, '2026-03-10T09-00-00Z.draft'))
  mkdirSync(join(place.backupDir, 'notes'))
  await thinBackups(place.backupDir, now)
  const kept = await backupsIn(place.backupDir)
  expect(kept.at(-1)).toBe('2026-03-10T12-00-00Z')
  expect(kept.filter((name) => name > '2026-03-10T11-00-00Z')).toHaveLength(12)
  expect(kept.length).toBeGreaterThan(12 + 22 + 28)
  expect(kept.length).toBeLessThan(12 + 26 + 34)
  expect(existsSync(join(place.backupDir, '2026-03-10T09-00-00Z.draft'))).toBe(false)
  expect(existsSync(join(place.backupDir, 'notes'))).toBe(true)
})
