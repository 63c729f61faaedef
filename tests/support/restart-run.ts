/**
 * Two cores behind one edge are restarted, killed and frozen while people and a machine call. Every
 * call is made once: an answer that says "not available", and a call without an answer, are counted
 * as failed.
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import { listOrders } from '#shared/orders/orders-api.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { claimReviews, listReviews, releaseReviews } from '#shared/review/review-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { type ChaosDatabase, makeChaosDatabase } from './chaos-database.ts'
import { type Cluster, type Part, startCluster } from './cluster.ts'
import { onLocalServer } from './local-server.ts'
import { pause } from './part-faults.ts'
import { WebMachine } from './steady.ts'
import { WebPerson } from './web-person.ts'

export interface RestartPlan {
  rolls: number
  kills: number
  freezes: number
}

interface RestartRun {
  calls: number
  /** What was answered instead, or why there was no answer. */
  failed: string[]
  /** Longest call, milliseconds: while nothing was frozen, and while a core was. */
  slowest: { restarting: number; frozen: number }
  broken: unknown[]
}

const CALLERS = ['reviewer', 'reviewer2', 'reviewer3', 'reviewer4', 'manager', 'manager2']
const FROZEN_MS = 4_000
const BETWEEN_MS = 1_500
/** A call that meets a frozen core ends within this time. */
const FROZEN_COSTS_MS = 2_500

/** No call fails and no invariant breaks; without a PostgreSQL nothing is carried out. */
export async function expectUnnoticed(plan: RestartPlan): Promise<void> {
  const chaosDatabase = await onLocalServer(() => makeChaosDatabase())
  if (chaosDatabase === null) return
  try {
    const run = await surviveRestarts(chaosDatabase, plan)
    console.info(`${run.calls} calls, slowest ${JSON.stringify(run.slowest)} ms`)
    expect(run.failed).toEqual([])
    expect(run.broken).toEqual([])
    expect(run.slowest.frozen).toBeLessThan(FROZEN_COSTS_MS)
  } finally {
    await chaosDatabase.drop()
  }
}

async function surviveRestarts(
  chaosDatabase: ChaosDatabase,
  { rolls, kills, freezes }: RestartPlan,
): Promise<RestartRun> {
  const cluster = await startCluster(chaosDatabase, { edges: 1, balanced: false })
  const callers = new Callers(cluster, chaosDatabase)
  try {
    await callers.start()
    await pause(BETWEEN_MS)
    const turn = (n: number): Part => cluster.cores[n % cluster.cores.length] as Part
    for (let n = 0; n < rolls; n += 1) await replace(cluster, turn(n), 'SIGTERM')
    for (let n = 0; n < kills; n += 1) await replace(cluster, turn(n), 'SIGKILL')
    callers.phase = 'frozen'
    for (let n = 0; n < freezes; n += 1) {
      const core = turn(n)
      core.running.process.kill('SIGSTOP')
      await pause(FROZEN_MS)
      core.running.process.kill('SIGCONT')
      await pause(BETWEEN_MS)
    }
    await callers.stop()
    for (const core of cluster.cores) await cluster.kill(core, 'SIGTERM')
    return {
      calls: callers.calls,
      failed: callers.failed,
      slowest: callers.slowest,
      broken: await chaosDatabase.look((database) => brokenInvariants(database)),
    }
  } finally {
    await callers.stop()
    await cluster.end()
  }
}

/** The next one goes when this one answers again and the edge has had time to see it. */
async function replace(cluster: Cluster, core: Part, signal: NodeJS.Signals): Promise<void> {
  await cluster.kill(core, signal)
  await cluster.start(core)
  await pause(BETWEEN_MS)
}

class Callers {
  calls = 0
  phase: keyof RestartRun['slowest'] = 'restarting'
  readonly failed: string[] = []
  readonly slowest = { restarting: 0, frozen: 0 }
  readonly #url: string
  readonly #machine: WebMachine
  #running: Promise<unknown> | null = null
  #stopped = false

  constructor(cluster: Cluster, { key }: ChaosDatabase) {
    this.#url = (cluster.edges[0] as Part).running.url
    this.#machine = new WebMachine(this.#url, key)
  }

  async start(): Promise<void> {
    const people: WebPerson[] = []
    for (const account of CALLERS) people.push(await WebPerson.signIn(this.#url, account))
    this.#running = Promise.all([
      this.#applications(),
      ...people.map((person) =>
        person.account.startsWith('reviewer') ? this.#reviews(person) : this.#reads(person),
      ),
    ])
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #applications(): Promise<void> {
    for (let n = 1; !this.#stopped; n += 1) {
      const applied = await this.#made('application', () =>
        this.#machine.send(inboundApplication, makeApplication(n), randomUUID()),
      )
      if (applied)
        await this.#made('machineReview', () =>
          this.#machine.send(inboundMachineReview, {
            reviewId: applied.reviewId,
            machineId: `M${n}`,
            result: 'undecided',
            needManual: true,
            score: 600,
            limit: 5_000_000,
            rules: [],
          }),
        )
      await pause(60)
    }
  }

  async #reviews(person: WebPerson): Promise<void> {
    while (!this.#stopped) {
      await this.#made('list', () => person.send(listReviews, { tab: 'queue' }))
      const claimed = await this.#made('claim', () => person.send(claimReviews, { count: 1 }))
      const row = claimed?.ok[0]
      if (row)
        await this.#made('release', () =>
          person.send(releaseReviews, {
            reviewIds: [row.reviewId],
            reason: 'a colleague knows better',
            token: row.token,
          }),
        )
      await pause(20)
    }
  }

  async #reads(person: WebPerson): Promise<void> {
    while (!this.#stopped) {
      await this.#made('orders', () => person.send(listOrders, {}))
      await pause(20)
    }
  }

  /** @returns what was answered; null for a refusal, which is an answer too, and for a failure */
  async #made<Data>(name: string, send: () => Promise<Envelope<Data>>): Promise<Data | null> {
    const { phase } = this
    const began = performance.now()
    this.calls += 1
    try {
      const { code, data, problem } = await send()
      if (code >= 500 || problem?.id === 'G-DOWN')
        this.failed.push(`${phase} ${name}: ${code} ${problem?.id ?? ''}`)
      return code === 200 ? data : null
    } catch (error) {
      this.failed.push(`${phase} ${name}: ${String(error)}`)
      return null
    } finally {
      const ms = Math.round(performance.now() - began)
      this.slowest[phase] = Math.max(this.slowest[phase], ms)
    }
  }
}
