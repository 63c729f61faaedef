/** Parts of a console die under a working, listening floor; afterwards everybody has heard exactly what he may hear (trust.md A1-A3). */
import { expect } from 'vitest'
import { userInfo } from '#shared/session/session-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { FloorDriver } from './floor-driver.ts'
import { Ledger } from './floor-ledger.ts'
import type { Ground } from './ground.ts'
import { checkHeard, type Hearer, readLog } from './heard.ts'
import { WebMachine } from './steady.ts'
import { WebPerson } from './web-person.ts'

export interface Fault {
  name: string
  /** Makes the fault, and ends it. */
  run(cluster: Cluster): Promise<void>
}

export interface FaultRun {
  /** Fault → milliseconds from its end until everybody has heard something newer. */
  recoveries: [string, number][]
  work: string
  heard: string
}

/** Generous: the figures of trust.md A3 are for an idle machine. */
const MOST_RECOVERY_MS = 30_000
const WORKERS = ['reviewer', 'reviewer2', 'reviewer3', 'reviewer4']

/** Who listens, and what each may hear beside his own room: stated here, not asked of the server. */
const ROOMS: Record<string, readonly string[]> = {
  reviewer5: ['all', 'role:reviewer', 'queue:review'],
  reviewer6: ['all', 'role:reviewer', 'queue:review'],
  quality_inspector: ['all', 'role:quality_inspector', 'queue:review'],
  manager: ['all', 'role:manager', 'scope:all', 'queue:review'],
  collector: ['all', 'role:collector'],
  salesman: ['all', 'role:salesman'],
}

export async function surviveFaults(
  ground: Ground,
  faults: readonly Fault[],
  { betweenMs = 1_500 }: { betweenMs?: number } = {},
): Promise<FaultRun> {
  const cluster = await startCluster(ground)
  const ledger = new Ledger()
  const driver = new FloorDriver({
    machine: new WebMachine(cluster.front.url, ground.key),
    urls: [cluster.front.url],
    accounts: WORKERS,
    ledger,
  })
  const hearers: Hearer[] = []
  try {
    await driver.signIn()
    for (const [name, rooms] of Object.entries(ROOMS))
      hearers.push(await hear(cluster.front.url, name, rooms))
    driver.start()
    const recoveries: [string, number][] = []
    for (const fault of faults) {
      await pause(betweenMs)
      await fault.run(cluster)
      recoveries.push([fault.name, await recovered(cluster, hearers)])
    }
    await pause(betweenMs)
    await driver.stop()
    const check = await settled(cluster, hearers)
    expect({
      lost: check.lost,
      phantom: check.phantom,
      leaked: check.leaked,
      disorder: check.disorder,
    }).toEqual({ lost: [], phantom: [], leaked: [], disorder: [] })
    expect(ledger.surprises).toEqual([])
    for (const core of cluster.cores) await cluster.kill(core, 'SIGTERM')
    await ground.look(async (database) => {
      expect(await ledger.differences(database, true)).toEqual([])
      expect(await brokenInvariants(database)).toEqual([])
    })
    expect(Math.max(...recoveries.map(([, ms]) => ms))).toBeLessThan(MOST_RECOVERY_MS)
    return {
      recoveries,
      work: ledger.summary(),
      heard: `${check.events} deliveries expected and made, ${check.duplicates} repeated ones dropped`,
    }
  } finally {
    await driver.stop().catch(() => undefined)
    for (const { listener } of hearers) listener.close()
    await cluster.end()
  }
}

async function hear(url: string, name: string, rooms: readonly string[]): Promise<Hearer> {
  const person = await WebPerson.signIn(url, name)
  const { userId } = (await person.call(userInfo, {})).user
  const listener = await person.listen({ persistent: true }).ready()
  const end = Date.now() + 10_000
  while (listener.lastSeq === undefined) {
    if (Date.now() > end) throw new Error(`${name} was not told where the log stands`)
    await pause(10)
  }
  return { name, listener, rooms: [...rooms, `user:${userId}`], from: listener.lastSeq }
}

/** Everybody who hears the queue has heard something that was committed after the fault. */
async function recovered(cluster: Cluster, hearers: readonly Hearer[]): Promise<number> {
  const began = performance.now()
  const at = (await readLog(cluster.feed.url)).at(-1)?.seq ?? 0
  const late = () =>
    hearers.filter(
      ({ rooms, listener }) =>
        rooms.includes('queue:review') && !listener.events.some((event) => event.seq > at),
    )
  while (late().length > 0) {
    if (performance.now() - began > MOST_RECOVERY_MS)
      throw new Error(
        `${late()
          .map(
            ({ name, listener }) =>
              `${name} (${listener.socket.connected ? 'connected' : 'not connected'})`,
          )
          .join(', ')} heard nothing new`,
      )
    await pause(10)
  }
  return Math.round(performance.now() - began)
}

/** Waits until the log is quiet and everybody has its end, as long as that takes within reason. */
async function settled(
  cluster: Cluster,
  hearers: readonly Hearer[],
): Promise<ReturnType<typeof checkHeard>> {
  const end = Date.now() + MOST_RECOVERY_MS
  for (let before = -1; ;) {
    const log = await readLog(cluster.feed.url)
    const check = checkHeard(log, hearers)
    const isQuiet = log.length === before
    before = log.length
    if ((isQuiet && check.lost.length === 0) || Date.now() > end) return check
    await pause(1_000)
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms))
}
