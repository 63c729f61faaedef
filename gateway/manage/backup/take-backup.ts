/**
 * Backups of an embedded console: each is a whole `DATA_DIR`, so restoring one is copying it back.
 * Files that did not change since the backup before are shared with it. Nobody's statement runs
 * while the database is copied: the copy is what a power cut at that moment would have left, and
 * PostgreSQL recovers it the same way.
 */
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Copied, copyDirectory } from '#gateway/manage/db/copy-directory.ts'
import type { Database } from '#gateway/manage/db/client.ts'

/** Files of the running process, which mean nothing in a backup. */
const NOT_COPIED = new Set(['database', 'console.json'])
/** When the copying began, milliseconds; the last file written, so a backup with it is whole. */
const MARK = 'backup.json'
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const MINUTE = 60_000

export interface Backup extends Copied {
  dir: string
  /** How long nothing could be written to the database. */
  heldMs: number
}

/**
 * @param now milliseconds, for the name
 * @throws when the directory cannot be written; what was written is removed
 */
export function takeBackup(
  place: { dataDir: string; backupDir: string },
  database: Pick<Database, 'copyTo'>,
  now = Date.now(),
): Promise<Backup> {
  // one at a time: each shares files with the one before
  const next = last.then(() => take(place, database, now))
  last = next.catch(() => undefined)
  return next
}

let last: Promise<unknown> = Promise.resolve()

async function take(
  { dataDir, backupDir }: { dataDir: string; backupDir: string },
  database: Pick<Database, 'copyTo'>,
  now: number,
): Promise<Backup> {
  const target = path.resolve(backupDir)
  const earlier = (await backupsIn(target)).at(-1)
  const before =
    earlier === undefined ? null : { dir: path.join(target, earlier), at: atOf(target, earlier) }
  const dir = path.join(target, nameOf(now))
  const draft = `${dir}.draft`
  try {
    const rest = copyDirectory(dataDir, draft, before, (name) => NOT_COPIED.has(name))
    const held = performance.now()
    const copied = await database.copyTo(
      path.join(draft, 'database', 'pglite'),
      before && { ...before, dir: path.join(before.dir, 'database', 'pglite') },
    )
    const heldMs = Math.round(performance.now() - held)
    await writeFile(path.join(draft, MARK), JSON.stringify({ at: now }))
    await syncTree(draft)
    await rename(draft, dir)
    await syncOne(target)
    return { dir, files: rest.files + copied.files, bytes: rest.bytes + copied.bytes, heldMs }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Names of the whole backups of a directory, oldest first. */
export async function backupsIn(backupDir: string): Promise<string[]> {
  const names = await readdir(backupDir).catch(() => [])
  return names.filter((name) => NAME.test(name)).toSorted()
}

/**
 * Removes backups that others stand for: kept are all of the last hour, then one of each hour for a
 * day, then one of each day for a month. What a process that ended left half written goes, too.
 * @returns how many were removed
 */
export async function thinBackups(backupDir: string, now = Date.now()): Promise<number> {
  const kept = new Set<string>()
  const seen = new Set<string>()
  for (const name of (await backupsIn(backupDir)).toReversed()) {
    const age = now - timeOf(name)
    const span =
      age < 60 * MINUTE ? name : age < 1_440 * MINUTE ? name.slice(0, 13) : name.slice(0, 10)
    if (age > 31 * 1_440 * MINUTE || seen.has(span)) continue
    seen.add(span)
    kept.add(name)
  }
  let removed = 0
  for (const name of await readdir(backupDir)) {
    const isOld = NAME.test(name) && !kept.has(name)
    const isHalf = name.endsWith('.draft') && now - timeOf(name.slice(0, -6)) > 60 * MINUTE
    if (!isOld && !isHalf) continue
    await rm(path.join(backupDir, name), { recursive: true, force: true })
    removed += 1
  }
  return removed
}

function nameOf(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

function timeOf(name: string): number {
  const [day, time = ''] = name.split('T')
  return Date.parse(`${day}T${time.replaceAll('-', ':')}`)
}

function atOf(backupDir: string, name: string): number {
  try {
    const { at } = JSON.parse(readFileSync(path.join(backupDir, name, MARK), 'utf8')) as {
      at: number
    }
    return at
  } catch {
    // nothing of it is taken for unchanged
    return 0
  }
}

async function syncTree(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const child = path.join(dir, entry.name)
    if (entry.isDirectory()) await syncTree(child)
    else await syncOne(child)
  }
  await syncOne(dir)
}

async function syncOne(file: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
