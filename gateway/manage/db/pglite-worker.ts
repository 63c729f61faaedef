// The thread PGlite lives in: it blocks while a statement runs, so it must not share a thread with
// anything else. Entry point of its own, built for the source tree by pglite-engine.ts and for the
// console into dist/gateway/pglite-worker.js.
import { existsSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { shiftClock } from '#gateway/kernel/shifted-clock.ts'
import { copyDirectory } from './copy-directory.ts'
import { DurableNodeFs } from './durable-node-fs.ts'
import { MemoryImageFs } from './memory-image-fs.ts'
import { PgliteBridge } from './pglite-bridge.ts'
import { nextUpkeep } from './pglite-upkeep.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './pglite-protocol.ts'
import type { ServerSettings } from './pglite-stream.ts'

const UPKEEP_MILLIS = 3_000
/**
 * A database in memory is a test's. It is small: the usual 128 MB are cleared at its start and never
 * filled. It is short-lived: most statements run a few times, and PostgreSQL plans each of the first
 * five again, which is a tenth of the processor time of the tests.
 */
const MEMORY_START = [
  ...PGlite.defaultStartParams,
  ...['shared_buffers=16MB', 'plan_cache_mode=force_generic_plan'].flatMap((one) => ['-c', one]),
]
const REPORTED = [
  'server_version',
  'server_encoding',
  'client_encoding',
  'DateStyle',
  'TimeZone',
  'integer_datetimes',
  'standard_conforming_strings',
]

await main(workerData as WorkerOptions) // only pglite-engine.ts starts this thread

async function main(options: WorkerOptions): Promise<void> {
  shiftClock(options.clockShift)
  const engine = await openEngine(options)
  const bridge = new PgliteBridge({
    execute: (bytes, onRawData) =>
      engine.execProtocolRawStream(bytes, { syncToFs: false, onRawData }),
    waitMillis: options.waitMillis,
    onBroken: (error) => post({ type: 'broken', error: error.message }),
  })
  parentPort?.on('message', (message: ToWorker) => {
    if (message.type === 'connect') bridge.connect(message.port)
    else if (message.type === 'dump')
      void bridge.runExclusive(() => dump(engine, message.id, message.path))
    else if (message.type === 'copy')
      void bridge.runExclusive(async () => copy(message, options.databaseDir))
    else void bridge.runExclusive(() => close(engine))
  })
  if (options.databaseDir !== null)
    setInterval(() => void bridge.runExclusive(() => keepUp(engine)), UPKEEP_MILLIS)
  post({ type: 'ready', settings: await readSettings(engine) })
}

async function openEngine({ wasm, databaseDir, loadFrom }: WorkerOptions): Promise<PGlite> {
  if (loadFrom !== null && databaseDir !== null && existsSync(databaseDir)) {
    throw new Error(
      `${databaseDir} holds a database already; a dump can only be loaded into an empty data directory`,
    )
  }
  const files = databaseDir === null ? null : new DurableNodeFs(databaseDir)
  const options: PGliteOptions = {
    pgliteWasmModule: wasm,
    startParams: files ? durableStart() : MEMORY_START,
    ...(files && { fs: files }),
  }
  if (loadFrom !== null) {
    const dump = await readFile(loadFrom)
    if (files === null && loadFrom.endsWith('.tar')) options.fs = new MemoryImageFs(dump)
    else options.loadDataDir = new Blob([dump])
  }
  const engine = await PGlite.create(options)
  files?.settle()
  return engine
}

/**
 * PGlite starts with fsync off (-F) and expects the host to sync; here PostgreSQL syncs its own log
 * at each commit.
 */
function durableStart(): string[] {
  const settings = ['fsync=on', 'wal_sync_method=fsync', 'max_wal_size=256MB', 'min_wal_size=32MB']
  return [
    ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
    ...settings.flatMap((setting) => ['-c', setting]),
  ]
}

async function readSettings(engine: PGlite): Promise<ServerSettings> {
  const { rows } = await engine.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [REPORTED],
  )
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

async function keepUp(engine: PGlite): Promise<void> {
  try {
    const statement = await nextUpkeep(
      async (sql) => (await engine.query<Record<string, unknown>>(sql)).rows,
    )
    if (statement !== null) await engine.exec(statement)
  } catch (error) {
    post({ type: 'trouble', error: `Upkeep of PGlite failed: ${String(error)}` })
  }
}

async function dump(engine: PGlite, id: number, target: string): Promise<void> {
  try {
    await engine.exec('checkpoint') // so that loading it needs no recovery
    const data = await engine.dumpDataDir(/\.(tgz|gz)$/.test(target) ? 'gzip' : 'none')
    await writeWhole(target, new Uint8Array(await data.arrayBuffer()))
    post({ type: 'dumped', id, error: null })
  } catch (error) {
    post({ type: 'dumped', id, error: String(error) })
  }
}

/** What PostgreSQL has not written into its tables yet is in its log, which is copied with them. */
function copy(
  { id, path: target, earlier }: Extract<ToWorker, { type: 'copy' }>,
  databaseDir: string | null,
): void {
  try {
    if (databaseDir === null) throw new Error('a database in memory has no files')
    post({ type: 'copied', id, copied: copyDirectory(databaseDir, target, earlier), error: null })
  } catch (error) {
    post({ type: 'copied', id, copied: null, error: (error as Error).message })
  }
}

async function writeWhole(target: string, bytes: Uint8Array): Promise<void> {
  const draft = `${target}.${process.pid}.draft`
  const file = await open(draft, 'w')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, target)
}

async function close(engine: PGlite): Promise<void> {
  await engine.close()
  process.exit(0) // ends this thread only
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message)
}
