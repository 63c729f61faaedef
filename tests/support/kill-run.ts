/** Repeated kill -9 of a whole console while a floor works, and a check after every crash. */
import { expect } from 'vitest'
import { listOrders } from '#shared/orders/orders-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { ConsoleProcesses, type StartedConsole } from './console-processes.ts'
import { FloorDriver } from './floor-driver.ts'
import { Ledger } from './floor-ledger.ts'
import type { ChaosDatabase } from './chaos-database.ts'
import { WebMachine } from './steady.ts'
import { freePort } from './stack.ts'
import { WebPerson } from './web-person.ts'

/** A few seconds on an idle machine; generous, because the bench measures this figure. */
const MOST_START_MS = 60_000

export interface KillRun {
  starts: number[]
  work: string
  payouts: number
}

/** @param workMs how long the floor works between two kills */
export async function surviveKills(
  chaosDatabase: ChaosDatabase,
  { kills, workMs }: { kills: number; workMs: number },
): Promise<KillRun> {
  const processes = new ConsoleProcesses()
  const ledger = new Ledger()
  const starts: number[] = []
  // The same address after each start, as with a service manager.
  const env = { ...chaosDatabase.env, PORT: String(await freePort()) }
  async function start(): Promise<StartedConsole> {
    const started = await processes.start(env)
    starts.push(started.startMs)
    return started
  }
  let running = await start()
  const driver = new FloorDriver({
    machine: new WebMachine(running.url, chaosDatabase.key),
    urls: [running.url],
    accounts: ['reviewer', 'reviewer2', 'reviewer3', 'reviewer4'],
    ledger,
  })
  try {
    await driver.signIn()
    driver.start()
    for (let n = 0; n < kills; n += 1) {
      await new Promise((resume) => setTimeout(resume, workMs))
      await running.kill('SIGKILL')
      // Answers sent before the kill may still be in the callers' sockets; none arrives after this.
      await new Promise((resume) => setTimeout(resume, 50))
      const acknowledged = ledger.upToNow()
      await chaosDatabase.look(async (database) => {
        expect(await acknowledged.differences(database, false), `after kill ${n + 1}`).toEqual([])
        expect(await brokenInvariants(database), `after kill ${n + 1}`).toEqual([])
      })
      running = await start()
    }
    const payouts = await waitForPayouts(running.url)
    await driver.stop()
    await running.kill('SIGTERM')
    await chaosDatabase.look(async (database) => {
      expect(await ledger.differences(database, true), 'at the end').toEqual([])
      expect(await brokenInvariants(database), 'at the end').toEqual([])
    })
    expect(ledger.surprises).toEqual([])
    expect(Math.max(...starts)).toBeLessThan(MOST_START_MS)
    return { starts, work: ledger.summary(), payouts }
  } finally {
    await driver.stop().catch(() => undefined)
    await processes.end()
  }
}

/**
 * The sandbox vendor reports a result after 2 to 8 seconds, and forgets unreported results when it
 * is killed.
 */
async function waitForPayouts(url: string): Promise<number> {
  const manager = await WebPerson.signIn(url, 'manager')
  for (let tries = 0; tries < 120; tries += 1) {
    const { total } = await manager.call(listOrders, { status: '30' })
    if (total > 0) return total
    await new Promise((resume) => setTimeout(resume, 500))
  }
  return 0
}
