/**
 * SIGTERM under load: every call that was begun is answered, all clients are notified, and the
 * process exits within ten seconds.
 */
import { expect, test } from 'vitest'
import { claimReviews, listReviews, releaseReviews } from '#shared/review/review-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { ConsoleProcesses } from '#tests/support/console-processes.ts'
import { FloorDriver } from '#tests/support/floor-driver.ts'
import { Ledger } from '#tests/support/floor-ledger.ts'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { WebMachine } from '#tests/support/steady.ts'
import { WebPerson } from '#tests/support/web-person.ts'

const EXIT_MS = 10_000

test(`${engine}: SIGTERM fails no request in flight, notifies sockets, and the process exits in time`, async () => {
  const chaosDatabase = await makeChaosDatabase()
  const processes = new ConsoleProcesses()
  const ledger = new Ledger()
  try {
    const running = await processes.start(chaosDatabase.env)
    const driver = new FloorDriver({
      machine: new WebMachine(running.url, chaosDatabase.key),
      urls: [running.url],
      accounts: ['reviewer', 'reviewer2'],
      ledger,
      everyMs: 20,
    })
    await driver.signIn()
    const watcher = await WebPerson.signIn(running.url, 'manager')
    const received = await watcher.listen().ready()
    driver.start()
    const caller = await WebPerson.signIn(running.url, 'reviewer3')
    await caller.call(listReviews, { tab: 'queue' })
    await until(() => ledger.decisions >= 3)

    // Calls that the server has received completely when the signal arrives.
    const inFlight = Array.from({ length: 20 }, (_, n) =>
      n % 4 === 0
        ? caller.send(claimReviews, { count: 1 })
        : caller.send(listReviews, { tab: 'queue', pageNum: n + 1 }),
    )
    await new Promise((resume) => setTimeout(resume, 10))
    const began = performance.now()
    const ended = running.kill('SIGTERM')
    const outcomes = await Promise.allSettled(inFlight)
    const code = await ended
    const exitMs = Math.round(performance.now() - began)
    console.info(`${chaosDatabase.engine}: exit ${code} after ${exitMs} ms; ${ledger.summary()}`)

    expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toEqual([])
    expect(
      outcomes.flatMap((outcome) =>
        outcome.status === 'fulfilled' && outcome.value.code >= 500 ? [outcome.value] : [],
      ),
    ).toEqual([])
    expect(code).toBe(0)
    expect(exitMs).toBeLessThanOrEqual(EXIT_MS)
    expect(received.drainings).toBe(1)
    received.close()

    const again = await processes.start({ ...chaosDatabase.env, PORT: new URL(running.url).port })
    await driver.stop()
    const held = await caller.call(listReviews, { tab: 'mine' })
    const claimed = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' && outcome.value.code === 200 && 'ok' in outcome.value.data
        ? outcome.value.data.ok
        : [],
    )
    expect(held.rows.map((row) => row.reviewId).toSorted()).toEqual(
      claimed.map((row) => row.reviewId).toSorted(),
    )
    if (held.rows.length > 0)
      await caller.call(releaseReviews, {
        reviewIds: held.rows.map((row) => row.reviewId),
        reason: 'end of the test',
      })
    await again.kill('SIGTERM')
    await chaosDatabase.look(async (database) => {
      expect(await ledger.differences(database, false)).toEqual([])
      expect(await brokenInvariants(database)).toEqual([])
    })
    expect(ledger.surprises).toEqual([])
  } finally {
    await processes.end()
    await chaosDatabase.drop()
  }
})

async function until(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + 30_000
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('the floor did not get to work')
    await new Promise((resume) => setTimeout(resume, 20))
  }
}
