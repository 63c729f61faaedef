// Starts the thread of PGlite and hands out streams to it that a pg client takes for sockets.
import path from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import { lockDataDir } from './data-dir-lock.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './pglite-protocol.ts'
import { PgliteStream, type ServerSettings } from './pglite-stream.ts'

export interface PgliteEngine {
  openStream(): PgliteStream
  dump(target: string): Promise<void>
  close(): Promise<void>
}

export interface PgliteEngineOptions {
  /** Directory of the installation's data, or 'memory://'. */
  dataDir: string
  loadFrom?: string
  waitMillis: number
  /** Hears of upkeep that failed, and of the thread having stopped by itself: then nothing works any more. */
  onError: (error: Error) => void
}

/**
 * @throws {DataDirInUse} when another process has the directory open
 */
export async function startPglite(options: PgliteEngineOptions): Promise<PgliteEngine> {
  const isInMemory = options.dataDir.startsWith('memory://')
  const lock = isInMemory ? null : lockDataDir(options.dataDir)
  try {
    const worker = startWorker({
      databaseDir: isInMemory ? null : path.resolve(options.dataDir, 'pglite'),
      loadFrom: options.loadFrom ?? null,
      waitMillis: options.waitMillis,
    })
    const settings = await untilReady(worker)
    return new WorkerEngine({ worker, settings, isInMemory, release: () => lock?.release(), onError: options.onError })
  } catch (error) {
    lock?.release()
    throw error
  }
}

class WorkerEngine implements PgliteEngine {
  readonly #worker: Worker
  readonly #settings: ServerSettings
  readonly #isInMemory: boolean
  readonly #onError: (error: Error) => void
  readonly #dumps = new Map<number, (error: string | null) => void>()
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
    this.#exited = new Promise((resolve) => this.#worker.once('exit', (code) => {
      parts.release()
      const isExpected = this.#stopReason === 'closed'
      this.#stopReason ??= `exit code ${code}`
      for (const finish of this.#dumps.values()) finish(this.#stopReason)
      if (!isExpected) parts.onError(new Error(`PGlite stopped: ${this.#stopReason}`))
      resolve()
    }))
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
      this.#tell({ type: 'dump', id, path: path.resolve(target) })
    })
    this.#dumps.delete(id)
    if (error !== null) throw new Error(`Dump to ${target} failed: ${error}`)
  }

  async close(): Promise<void> {
    this.#stopReason ??= 'closed'
    if (this.#isInMemory) await this.#worker.terminate()
    else this.#tell({ type: 'close' })
    await this.#exited
  }

  #receive(message: FromWorker): void {
    if (message.type === 'dumped') this.#dumps.get(message.id)?.(message.error)
    if (message.type === 'trouble') this.#onError(new Error(message.error))
    if (message.type !== 'broken') return
    this.#stopReason ??= message.error
    void this.#worker.terminate()
  }

  #tell(message: ToWorker): void {
    this.#worker.postMessage(message)
  }
}

function startWorker(options: WorkerOptions): Worker {
  return new Worker(workerEntry(), { workerData: options, execArgv: [], name: 'pglite' })
}

/** The bundle has the worker beside it as JavaScript; in the source tree Node needs tsx to read it, and tsx must be asked in each thread. */
function workerEntry(): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL('./pglite-worker.js', import.meta.url)
  const worker = new URL('./pglite-worker.ts', import.meta.url)
  return new URL(`data:text/javascript,${encodeURIComponent(`
    import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}
    register()
    await import(${JSON.stringify(worker.href)})
  `)}`)
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
