// PGlite databases in memory, cloned from a dump that is made once and kept under
// node_modules/.cache: initdb and migrations take seconds, loading a dump does not.
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Database, type DatabaseConfig, openDatabase } from '#gateway/manage/db/client.ts'
import { DataDirInUse, type DataDirLock, lockDataDir } from '#gateway/manage/db/data-dir-lock.ts'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/test-database/', import.meta.url))

/**
 * Opens a clone of the dump called `name`; when there is none, `prepare` fills an empty database
 * for it.
 */
export async function cloneDump(
  name: string,
  prepare: (database: Database) => Promise<void>,
  config: DatabaseConfig = {},
): Promise<{ database: Database; close(): Promise<void> }> {
  const database = await openDatabase({
    ...config,
    dataDir: 'memory://',
    loadFrom: await preparedDump(name, prepare),
  })
  return { database, close: () => database.close() }
}

/** Path of the dump called `name`, made at the first use while other processes wait. */
export async function preparedDump(
  name: string,
  prepare: (database: Database) => Promise<void>,
): Promise<string> {
  const folder = path.join(CACHE, name)
  const dump = path.join(folder, 'database.tar')
  if (existsSync(dump)) return dump
  await mkdir(folder, { recursive: true })
  const lock = await waitForLock(folder)
  try {
    if (!existsSync(dump)) await makeDump(dump, prepare)
  } finally {
    lock.release()
  }
  return dump
}

async function makeDump(
  dump: string,
  prepare: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await openDatabase({ dataDir: 'memory://' })
  try {
    await prepare(database)
    await database.dump(dump)
  } finally {
    await database.close()
  }
}

async function waitForLock(folder: string): Promise<DataDirLock> {
  for (;;) {
    try {
      return lockDataDir(folder)
    } catch (error) {
      if (!(error instanceof DataDirInUse)) throw error
      await delay(50)
    }
  }
}
