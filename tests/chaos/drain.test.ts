/** SIGTERM while people work: what was begun is answered, everybody is told, the process is gone within ten seconds (trust.md J2). */
import { expect, test } from 'vitest'
import { claimReviews, listReviews, releaseReviews } from '#shared/review/review-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { ConsoleProcesses } from '#tests/support/console-processes.ts'
import { FloorDriver } from '#tests/support/floor-driver.ts'
import { Ledger } from '#tests/support/floor-ledger.ts'
import { engine, makeGround } from '#tests/support/ground.ts'
import { WebMachine } from '#tests/support/steady.ts'
import { WebPerson } from '#tests/support/web-person.ts'

const EXIT_MS = 10_000

test(`${engine}: no request in flight fails, sockets hear of it, and the process ends by itself in time`, async () => {
  const ground = await makeGround()
  const processes = new ConsoleProcesses()
  const ledger = new Ledger()
  try {
    const running = await processes.start(ground.env)
    const driver = new FloorDriver({
      machine: new WebMachine(running.url, ground.key),
      urls: [running.url],
      accounts: ['reviewer', 'reviewer2'],
      ledger,
      everyMs: 20,
    })
    await driver.signIn()
    const watcher = await WebPerson.signIn(running.url, 'manager')
    const heard = await watcher.listen().ready()
    driver.start()
    const caller = await WebPerson.signIn(running.url, 'reviewer3')
    await caller.call(listReviews, { tab: 'queue' })
    await until(() => ledger.decisions >= 3)

    // calls of which the server has the whole request when the signal comes
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
    console.info(`${ground.engine}: exit ${code} after ${exitMs} ms; ${ledger.summary()}`)

    expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toEqual([])
    expect(
      outcomes.flatMap((outcome) =>
        outcome.status === 'fulfilled' && outcome.value.code >= 500 ? [outcome.value] : [],
      ),
    ).toEqual([])
    expect(code).toBe(0)
    expect(exitMs).toBeLessThanOrEqual(EXIT_MS)
    expect(heard.drainings).toBe(1)
    heard.close()

    const again = await processes.start({ ...ground.env, PORT: new URL(running.url).port })
    await driver.stop()
    const held = await caller.call(listReviews, { tab: 'mine' })
    const claimed = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' && outcome.value.code === 200 && 'ok' in outcome.value.data
        ? outcome.value.data.ok
        : [],
    )
    expect(held.rows.map((row) => row.reviewId).sort()).toEqual(
      claimed.map((row) => row.reviewId).sort(),
    )
    if (held.rows.length > 0)
      await caller.call(releaseReviews, {
        reviewIds: held.rows.map((row) => row.reviewId),
        reason: 'end of the test',
      })
    await again.kill('SIGTERM')
    await ground.look(async (database) => {
      expect(await ledger.differences(database, false)).toEqual([])
      expect(await brokenInvariants(database)).toEqual([])
    })
    expect(ledger.surprises).toEqual([])
  } finally {
    await processes.end()
    await ground.drop()
  }
})

async function until(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + 30_000
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('the floor did not get to work')
    await new Promise((resume) => setTimeout(resume, 20))
  }
}
