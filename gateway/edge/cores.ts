/**
 * The cores behind the edge. When there are several, each is asked twice a second how it is: new
 * calls go to one that is ready, and what a silent one (frozen, cut off) still owes is given up, so
 * that it can be asked elsewhere; while no other is ready it is waited for. One core is asked
 * nothing: there is no other.
 */
import { Agent, request as httpRequest } from 'node:http'
import { setImmediate as afterReading } from 'node:timers/promises'
import type { Logger } from '#gateway/kernel/logger.ts'
import { type Target, targetOf } from '#gateway/edge/target.ts'

export interface CoreAddress {
  /** `http://host:port` or `unix:/path` of its calls. */
  calls: string
  /** The same of its internal listener. */
  internal: string
}

export interface Core extends CoreAddress {
  /** `unready`: it answers, but is closing or has no database, or it refused a connection. */
  readonly state: 'ready' | 'unready' | 'silent'
}

export interface WatchLimits {
  coreWatchMs: number
  coreSilenceMs: number
}

type Health = { answers: boolean; ready: boolean }

export class Cores {
  readonly all: readonly Core[]
  readonly #limits: WatchLimits
  readonly #logger: Logger
  readonly #agent = new Agent({ keepAlive: true })
  readonly #whenSilent = new Set<(core: Core) => void>()
  readonly #givenUp = new Set<Core>()
  #timer: NodeJS.Timeout | undefined
  #turn = 0

  constructor(addresses: readonly CoreAddress[], limits: WatchLimits, logger: Logger) {
    this.all = addresses.map((address) => ({ ...address, state: 'ready' }))
    this.#limits = limits
    this.#logger = logger
  }

  start(): void {
    if (this.all.length < 2 || this.#timer) return
    const watch = (): void => {
      for (const core of this.all) void this.#look(core)
    }
    this.#timer = setInterval(watch, this.#limits.coreWatchMs)
    watch()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#agent.destroy()
  }

  /**
   * Ready ones take turns; one that is not is chosen when none is.
   * @param except has been asked already: chosen when it is the only one
   */
  choose(except?: Core): Core {
    const others = this.all.filter((core) => core !== except)
    for (const state of ['ready', 'unready', 'silent'] as const) {
      const such = others.filter((core) => core.state === state)
      const chosen = such[(this.#turn += 1) % such.length]
      if (chosen) return chosen
    }
    return except ?? (this.all[0] as Core)
  }

  /** A connection was refused: the others come first until it answers again. */
  refused(core: Core): void {
    if (this.all.length > 1 && core.state === 'ready') this.#set(core, 'unready')
  }

  /** Calls `run` with each core that is silent as soon as another one is ready. */
  onSilent(run: (core: Core) => void): void {
    this.#whenSilent.add(run)
  }

  async #look(core: Core): Promise<void> {
    const { answers, ready } = await this.#health(core)
    if (this.#timer === undefined) return
    this.#set(core, answers ? (ready ? 'ready' : 'unready') : 'silent')
  }

  /** `/healthz` asks nothing of the database, so that a slow one does not look like a frozen core. */
  async #health(core: Core): Promise<Health> {
    const target = targetOf(core.internal)
    const [health, readiness] = await Promise.all([
      this.#status(target, '/healthz'),
      this.#status(target, '/readyz'),
    ])
    // a core that refuses connections is gone, not silent: its calls have ended by themselves
    if (health === 'refused') return { answers: true, ready: false }
    return { answers: health !== 'late', ready: health !== 503 && readiness !== 503 }
  }

  #status(target: Target, path: string): Promise<number | 'late' | 'refused'> {
    return new Promise((resolve) => {
      const request = httpRequest(
        { ...target, agent: this.#agent, path, headers: { host: 'manage' } },
        (answer) => {
          answer.resume()
          clearTimeout(timer)
          resolve(answer.statusCode ?? 0)
        },
      )
      const timer = setTimeout(() => {
        // an edge whose own process was paused has the answer already, unread
        void afterReading().then(() => {
          resolve('late')
          request.destroy()
        })
      }, this.#limits.coreSilenceMs)
      request.on('error', () => {
        clearTimeout(timer)
        resolve('refused')
      })
      request.end()
    })
  }

  #set(core: Core, state: Core['state']): void {
    if (core.state === state) return
    this.#logger.warn({ core: core.calls, state }, 'a core changed its state')
    Object.assign(core, { state })
    const isAnyReady = this.all.some((one) => one.state === 'ready')
    for (const one of this.all) {
      if (!isAnyReady || one.state !== 'silent') this.#givenUp.delete(one)
      else if (!this.#givenUp.has(one)) this.#giveUp(one)
    }
  }

  #giveUp(core: Core): void {
    this.#givenUp.add(core)
    for (const run of this.#whenSilent) run(core)
  }
}
