/**
 * Kills parts of a console under a working, listening floor; afterwards every listener has received
 * exactly the events they may receive.
 */
import { expect } from 'vitest'
import { userInfo } from '#shared/session/session-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { FloorDriver } from './floor-driver.ts'
import { Ledger } from './floor-ledger.ts'
import type { ChaosDatabase } from './chaos-database.ts'
import { checkReceived, type Recipient, readLog } from './received-events.ts'
import { WebMachine } from './steady.ts'
import { WebPerson } from './web-person.ts'

export interface Fault {
  name: string
  /** Causes the fault, and ends it. */
  run(cluster: Cluster): Promise<void>
}

export interface FaultRun {
  /** Fault → milliseconds from its end until every listener has received something newer. */
  recoveries: [string, number][]
  work: string
  received: string
}

/** Generous: the target is for an idle machine. */
const MOST_RECOVERY_MS = 90_000
const WORKERS = ['reviewer', 'reviewer2', 'reviewer3', 'reviewer4']

const SEGMENTS = ['no_certified', 'unrequished', 'no_relented', 'loan_failed'].map(
  (segment) => `queue:tele:${segment}`,
)

/** Who listens, and their rooms besides their own: listed here, not read from the server. */
const ROOMS: Record<string, readonly string[]> = {
  reviewer5: ['all', 'role:reviewer', 'queue:review'],
  reviewer6: ['all', 'role:reviewer', 'queue:review'],
  quality_inspector: ['all', 'role:quality_inspector', 'queue:review'],
  manager: ['all', 'role:manager', 'scope:all', 'queue:review', ...SEGMENTS],
  collector: ['all', 'role:collector'],
  salesman: ['all', 'role:salesman', ...SEGMENTS],
}

export async function surviveFaults(
  chaosDatabase: ChaosDatabase,
  faults: readonly Fault[],
  { betweenMs = 1_500 }: { betweenMs?: number } = {},
): Promise<FaultRun> {
  const cluster = await startCluster(chaosDatabase)
  const ledger = new Ledger()
  const driver = new FloorDriver({
    machine: new WebMachine(cluster.front.url, chaosDatabase.key),
    urls: [cluster.front.url],
    accounts: WORKERS,
    ledger,
  })
  const recipients: Recipient[] = []
  try {
    await driver.signIn()
    for (const [name, rooms] of Object.entries(ROOMS))
      recipients.push(await subscribe(cluster.front.url, name, rooms))
    driver.start()
    const recoveries: [string, number][] = []
    for (const fault of faults) {
      await pause(betweenMs)
      await fault.run(cluster)
      recoveries.push([fault.name, await recovered(cluster, recipients)])
    }
    await pause(betweenMs)
    await driver.stop()
    const check = await settled(cluster, recipients)
    expect({
      lost: check.lost,
      phantom: check.phantom,
      leaked: check.leaked,
      disorder: check.disorder,
    }).toEqual({ lost: [], phantom: [], leaked: [], disorder: [] })
    expect(ledger.surprises).toEqual([])
    for (const core of cluster.cores) await cluster.kill(core, 'SIGTERM')
    await chaosDatabase.look(async (database) => {
      expect(await ledger.differences(database, true)).toEqual([])
      expect(await brokenInvariants(database)).toEqual([])
    })
    expect(Math.max(...recoveries.map(([, ms]) => ms))).toBeLessThan(MOST_RECOVERY_MS)
    return {
      recoveries,
      work: ledger.summary(),
      received: `${check.events} deliveries expected and made, ${check.duplicates} repeated ones dropped`,
    }
  } finally {
    await driver.stop().catch(() => undefined)
    for (const { listener } of recipients) listener.close()
    await cluster.end()
  }
}

async function subscribe(url: string, name: string, rooms: readonly string[]): Promise<Recipient> {
  const person = await WebPerson.signIn(url, name)
  const { userId } = (await person.call(userInfo, {})).user
  const listener = await person.listen({ persistent: true }).ready()
  const end = Date.now() + 10_000
  while (listener.lastSeq === undefined) {
    if (Date.now() > end) throw new Error(`${name} did not receive the end of the log`)
    await pause(10)
  }
  return { name, listener, rooms: [...rooms, `user:${userId}`], from: listener.lastSeq }
}

/** Every listener of the queue has received something that was committed after the fault. */
async function recovered(cluster: Cluster, recipients: readonly Recipient[]): Promise<number> {
  const began = performance.now()
  const at = (await readLog(cluster.feed.url)).at(-1)?.seq ?? 0
  const late = () =>
    recipients.filter(
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
          .join(', ')} received nothing new`,
      )
    await pause(10)
  }
  return Math.round(performance.now() - began)
}

/** Waits, within limits, until the log is quiet and every listener has its last event. */
async function settled(
  cluster: Cluster,
  recipients: readonly Recipient[],
): Promise<ReturnType<typeof checkReceived>> {
  const end = Date.now() + MOST_RECOVERY_MS
  for (let before = -1; ;) {
    const log = await readLog(cluster.feed.url)
    const check = checkReceived(log, recipients)
    const isQuiet = log.length === before
    before = log.length
    if ((isQuiet && check.lost.length === 0) || Date.now() > end) return check
    await pause(1_000)
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms))
}
