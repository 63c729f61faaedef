/**
 * Processes of the bench: each part of the product, each baseline and each load generator has its
 * own, so that their processor times can be told apart.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')
/** Where the bench builds the console and its own processes, separate from the normal build. */
export const BUILT = join(ROOT, 'dist', 'bench')
export const CLIENT = join(BUILT, 'client')
/** As `npm start` has them. */
const NODE_OPTIONS = ['--max-semi-space-size=32']

export interface Usage {
  /** Processor time since its start. */
  cpuMs: number
  rssBytes: number
  /** JavaScript heap and buffers, garbage included unless it was collected just before. */
  heldBytes: number
}

type Answer = { id: number; result?: unknown; error?: string }

export class Child {
  readonly #process: ChildProcess
  readonly #asked = new Map<
    number,
    { resolve: (value: never) => void; reject: (error: Error) => void }
  >()
  #last = 0

  /** @param script name of a file of `children/`, built before */
  static async start(script: string, settings: unknown = {}): Promise<Child> {
    const child = new Child(script)
    running.add(child)
    try {
      await child.ask('start', settings)
    } catch (error) {
      await child.stop()
      throw error
    }
    return child
  }

  constructor(script: string) {
    // Its log contains only errors, which are printed beside the figures.
    this.#process = fork(join(BUILT, 'gateway', `${script}.js`), {
      execArgv: ['--expose-gc', ...NODE_OPTIONS],
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
      serialization: 'advanced',
      stdio: ['ignore', 2, 'inherit', 'ipc'],
    })
    this.#process.on('message', ({ id, result, error }: Answer) => {
      const waiting = this.#asked.get(id)
      this.#asked.delete(id)
      if (error === undefined) waiting?.resolve(result as never)
      else waiting?.reject(new Error(`${script}: ${error}`))
    })
    this.#process.on('exit', (code) => {
      for (const { reject } of this.#asked.values())
        reject(new Error(`${script} ended with ${code}`))
    })
  }

  ask<Result>(name: string, input: unknown = {}): Promise<Result> {
    const id = (this.#last += 1)
    return new Promise<Result>((resolve, reject) => {
      this.#asked.set(id, { resolve, reject })
      this.#process.send({ id, name, input })
    })
  }

  usage(): Promise<Usage> {
    return this.ask('usage')
  }

  async stop(): Promise<void> {
    running.delete(this)
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
  }
}

const running = new Set<{ stop(): Promise<void> }>()

export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((child) => child.stop()))
}

export interface StartedConsole {
  hasEnded(): boolean
  /** Requests it to stop and waits for its end. */
  stop(): Promise<void>
}

/**
 * A script of the build as `npm start` runs it; returns at once, the caller polls for its answer.
 */
export function startConsole(script: string, env: Record<string, string>): StartedConsole {
  const child = spawn(process.execPath, [...NODE_OPTIONS, join(BUILT, 'gateway', `${script}.js`)], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const started = {
    hasEnded,
    async stop(): Promise<void> {
      running.delete(started)
      if (hasEnded()) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(late)
    },
  }
  running.add(started)
  return started
}
