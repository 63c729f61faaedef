/**
 * The reply is lost after the work was done: repeating the call with the same key gives the answer
 * of the first one.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import { listOrders } from '#shared/orders/orders-api.ts'
import { claimReviews, decideReview, openReview } from '#shared/review/review-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { ConsoleProcesses, type StartedConsole } from '#tests/support/console-processes.ts'
import { FloorDriver } from '#tests/support/floor-driver.ts'
import { Ledger } from '#tests/support/floor-ledger.ts'
import { type ChaosDatabase, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { LossyProxy } from '#tests/support/lossy-proxy.ts'
import { steadily, WebMachine } from '#tests/support/steady.ts'
import { WebPerson } from '#tests/support/web-person.ts'

const processes = new ConsoleProcesses()
let chaosDatabase: ChaosDatabase
let running: StartedConsole
beforeAll(async () => {
  chaosDatabase = await makeChaosDatabase()
  running = await processes.start(chaosDatabase.env)
})
afterAll(async () => {
  await processes.end()
  await chaosDatabase.drop()
})

async function queued(n: number): Promise<string> {
  const machine = new WebMachine(running.url, chaosDatabase.key)
  const { reviewId } = (await machine.call(inboundApplication, makeApplication(n))).data
  await machine.call(inboundMachineReview, {
    reviewId,
    machineId: `M${n}`,
    result: 'undecided',
    needManual: true,
    score: 500,
    limit: 5_000_000,
    rules: [],
  })
  return reviewId
}

test('commands whose replies are lost happen once and are answered at the second attempt', async () => {
  const reviewId = await queued(900_001)
  const seen = new Map<string, number>()
  // The first reply of each call is lost, the second passes.
  const proxy = await new LossyProxy(running.url, (path) => {
    if (!path.includes('/review/')) return false
    seen.set(path, (seen.get(path) ?? 0) + 1)
    return seen.get(path) === 1
  }).start()
  const person = await WebPerson.signIn(proxy.url, 'reviewer')
  const claimKey = randomUUID()
  const claim = await steadily(() => person.send(claimReviews, { reviewIds: [reviewId] }, claimKey))
  expect(claim.lost).toBe(1)
  expect(claim.answer.data.ok[0]).toMatchObject({ reviewId, state: 'toAudit', token: 1 })
  const { version, token } = claim.answer.data.ok[0] as { version: number; token: number }
  const openKey = randomUUID()
  const opened = await steadily(() =>
    person.send(openReview, { reviewId, version, token }, openKey),
  )
  expect(opened).toMatchObject({
    lost: 1,
    answer: { code: 200, data: { state: 'underReview', token: 1 } },
  })
  const decideKey = randomUUID()
  const verdict = {
    reviewId,
    version: opened.answer.data.version,
    token,
    result: 'failed' as const,
    rejectCode: 'A01' as const,
  }
  const decided = await steadily(() => person.send(decideReview, verdict, decideKey))
  expect(decided).toMatchObject({
    lost: 1,
    answer: { code: 200, data: { state: 'failed', manualResult: 'failed' } },
  })
  // A third attempt, and one from a tab that has lost its key.
  expect(await person.send(decideReview, verdict, decideKey)).toEqual(decided.answer)
  expect(await person.send(decideReview, verdict)).toMatchObject({
    code: 200,
    data: { reviewId, manualResult: 'failed' },
  })
  // The same key with another input is refused; the same key of another user is independent.
  expect(
    await person.send(decideReview, { ...verdict, rejectCode: 'A02' }, decideKey),
  ).toMatchObject({ code: 409, problem: { id: 'G-IK' } })
  proxy.close()
})

test('when every fifth reply is lost, no command is lost or done twice', async () => {
  const proxy = await new LossyProxy(
    running.url,
    (path, turn) => turn % 5 === 0 && !path.endsWith('/login'),
  ).start()
  const before = await orderCount()
  const ledger = new Ledger()
  const driver = new FloorDriver({
    machine: new WebMachine(proxy.url, chaosDatabase.key),
    urls: [proxy.url],
    accounts: ['reviewer2', 'reviewer3', 'reviewer4'],
    ledger,
  })
  await driver.signIn()
  driver.start()
  const end = Date.now() + 60_000
  while (ledger.decisions < 25 && Date.now() < end)
    await new Promise((resume) => setTimeout(resume, 50))
  await driver.stop()
  proxy.close()
  expect(before).toBe(1)
  expect(ledger.surprises).toEqual([])
  expect(proxy.lost).toBeGreaterThan(20)
  expect(ledger.decisions).toBeGreaterThanOrEqual(25)
  await running.kill('SIGTERM')
  await chaosDatabase.look(async (database) => {
    // The review of the first test was claimed and decided outside this ledger.
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from review_log l where l.event = 'SUBMIT'`.execute(
      database.kysely,
    )
    expect(rows[0]?.n).toBe(ledger.decisions + 1)
    expect(await ledger.differences(database, false)).toEqual([])
    expect(await brokenInvariants(database)).toEqual([])
  })
})

async function orderCount(): Promise<number> {
  const manager = await WebPerson.signIn(running.url, 'manager')
  return (await manager.call(listOrders, {})).total
}
