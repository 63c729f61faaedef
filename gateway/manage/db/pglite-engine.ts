// Starts the thread of PGlite and hands out streams to it that a pg client takes for sockets.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { OutputFile } from 'esbuild'
import { clockShift } from '#gateway/kernel/shifted-clock.ts'
import type { Copied } from './copy-directory.ts'
import { DataDirInUse, type DataDirLock, lockDataDir } from './data-dir-lock.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './pglite-protocol.ts'
import { DatabaseUnreadable } from './unreadable.ts'
import { PgliteStream, type ServerSettings } from './pglite-stream.ts'

export interface PgliteEngine {
  openStream(): PgliteStream
  dump(target: string): Promise<void>
  copyTo(target: string, earlier: { dir: string; at: number } | null): Promise<Copied>
  close(): Promise<void>
}

export interface PgliteEngineOptions {
  /** Directory of the installation's data, or 'memory://'. */
  dataDir: string
  loadFrom?: string
  waitMillis: number
  /**
   * Hears of upkeep that failed, and of the thread having stopped by itself: then nothing works any
   * more.
   */
  onError: (error: Error) => void
}

/**
 * @throws {DataDirInUse} when another process has the directory open
 */
export async function startPglite(options: PgliteEngineOptions): Promise<PgliteEngine> {
  const isInMemory = options.dataDir.startsWith('memory://')
  let lock: DataDirLock | null = null
  try {
    if (!isInMemory) lock = lockDataDir(options.dataDir)
    const [entry, wasm] = await Promise.all([
      (workerEntry ??= findWorker()),
      (compiled ??= compile()),
    ])
    const worker = startWorker(entry, {
      wasm,
      databaseDir: isInMemory ? null : path.resolve(options.dataDir, 'pglite'),
      loadFrom: options.loadFrom ?? null,
      waitMillis: options.waitMillis,
      clockShift: clockShift(),
    })
    const settings = await untilReady(worker)
    return new WorkerEngine({
      worker,
      settings,
      isInMemory,
      release: () => lock?.release(),
      onError: options.onError,
    })
  } catch (error) {
    lock?.release()
    if (isInMemory || options.loadFrom || error instanceof DataDirInUse) throw error
    throw new DatabaseUnreadable(options.dataDir, error)
  }
}

class WorkerEngine implements PgliteEngine {
  readonly #worker: Worker
  readonly #settings: ServerSettings
  readonly #isInMemory: boolean
  readonly #onError: (error: Error) => void
  readonly #dumps = new Map<number, (error: string | null) => void>()
  readonly #copies = new Map<number, (copied: Copied | null, error: string | null) => void>()
  readonly #exited: Promise<void>
  #lastDump = 0
  #stopReason: string | null = null

  constructor(parts: {
    worker: Worker
    settings: ServerSettings
    isInMemory: boolean
    release: () => void
    onError: (error: Error) => void
  }) {
    this.#worker = parts.worker
    this.#settings = parts.settings
    this.#isInMemory = parts.isInMemory
    this.#onError = parts.onError
    this.#worker.on('message', (message: FromWorker) => this.#receive(message))
    this.#worker.on('error', (error) => (this.#stopReason ??= String(error)))
    this.#exited = new Promise((resolve) =>
      this.#worker.once('exit', (code) => {
        parts.release()
        const isExpected = this.#stopReason === 'closed'
        this.#stopReason ??= `exit code ${code}`
        for (const finish of this.#dumps.values()) finish(this.#stopReason)
        for (const finish of [...this.#copies.values()]) finish(null, this.#stopReason)
        if (!isExpected) parts.onError(new Error(`PGlite stopped: ${this.#stopReason}`))
        resolve()
      }),
    )
  }

  openStream(): PgliteStream {
    return new PgliteStream(() => {
      if (this.#stopReason !== null) throw new Error(`PGlite stopped: ${this.#stopReason}`)
      const { port1, port2 } = new MessageChannel()
      this.#worker.postMessage({ type: 'connect', port: port2 } satisfies ToWorker, [port2])
      return port1
    }, this.#settings)
  }

  async dump(target: string): Promise<void> {
    const id = ++this.#lastDump
    const error = await new Promise<string | null>((resolve) => {
      this.#dumps.set(id, resolve)
      this.#post({ type: 'dump', id, path: path.resolve(target) })
    })
    this.#dumps.delete(id)
    if (error !== null) throw new Error(`Dump to ${target} failed: ${error}`)
  }

  async copyTo(target: string, earlier: { dir: string; at: number } | null): Promise<Copied> {
    const id = ++this.#lastDump
    return new Promise((resolve, reject) => {
      this.#copies.set(id, (copied, error) => {
        this.#copies.delete(id)
        if (copied) resolve(copied)
        else reject(new Error(`Copy to ${target} failed: ${error}`))
      })
      this.#post({ type: 'copy', id, path: path.resolve(target), earlier })
    })
  }

  async close(): Promise<void> {
    this.#stopReason ??= 'closed'
    if (this.#isInMemory) await this.#worker.terminate()
    else this.#post({ type: 'close' })
    await this.#exited
  }

  #receive(message: FromWorker): void {
    if (message.type === 'dumped') this.#dumps.get(message.id)?.(message.error)
    if (message.type === 'copied') this.#copies.get(message.id)?.(message.copied, message.error)
    if (message.type === 'trouble') this.#onError(new Error(message.error))
    if (message.type !== 'broken') return
    this.#stopReason ??= message.error
    void this.#worker.terminate()
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message)
  }
}

/**
 * Compiled once a process, with what running it has taught the compiler: a process of tests opens a
 * database for each file.
 */
let compiled: Promise<WebAssembly.Module> | undefined
async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(
    await readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))),
  )
}

function startWorker(entry: URL, options: WorkerOptions): Worker {
  return new Worker(entry, { workerData: options, execArgv: [], name: 'pglite' })
}

/**
 * The bundle has the thread's code beside it as JavaScript; in the source tree it is made once a
 * process, where its imports are found.
 */
let workerEntry: Promise<URL> | undefined
async function findWorker(): Promise<URL> {
  if (!import.meta.url.endsWith('.ts')) return new URL('./pglite-worker.js', import.meta.url)
  const { build } = await import('esbuild')
  const source = fileURLToPath(new URL('./pglite-worker.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  })
  const [{ hash, contents }] = outputFiles as [OutputFile]
  const built = new URL(
    `../../../node_modules/.cache/pglite-worker/${hash.replaceAll(/\W/g, '')}.js`,
    import.meta.url,
  )
  if (existsSync(built)) return built
  await mkdir(new URL('.', built), { recursive: true })
  // others may be about to load it: a file of this name is whole
  const draft = new URL(`${built.href}.${process.pid}.draft`)
  await writeFile(draft, contents)
  await rename(draft, built)
  return built
}

function untilReady(worker: Worker): Promise<ServerSettings> {
  return new Promise((resolve, reject) => {
    function stop(): void {
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
    }
    function onMessage(message: FromWorker): void {
      if (message.type !== 'ready') return
      stop()
      resolve(message.settings)
    }
    function onError(error: unknown): void {
      stop()
      reject(error)
    }
    function onExit(code: number): void {
      stop()
      reject(new Error(`PGlite did not start (exit code ${code})`))
    }
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
  })
}
