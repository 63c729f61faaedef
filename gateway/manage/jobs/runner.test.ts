import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { cancelJob, jobDetail, jobOutcome, listJobs, retryJob } from '#shared/jobs/jobs-api.ts'
import { liveRooms } from '#shared/session/session-api.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { addRows, unparkJob } from './job-store.ts'
import type { JobType } from './job-type.ts'
import { jobRunnerOf } from './runner.ts'
import { startJob, type StartJob } from './start-job.ts'

/** Adds one to a counter per target, in the row's transaction. */
const mark: JobType = {
  type: 'mark',
  async row(tx, targetId, params) {
    await sql`insert into marked (target_id) values (${targetId})`.execute(tx.db)
    if (params.refuse === targetId) throw new Problem(NOT_FOUND)
    if (params.fail === targetId) throw new TypeError('a fault of ours')
  },
}

let floor: Floor
let reviewer: Person

beforeAll(async () => {
  floor = await testManage({ parts: () => ({ jobTypes: [mark] }) })
  await sql`create table marked (target_id text not null, n int not null default 1)`.execute(
    floor.database.kysely,
  )
  reviewer = await floor.signIn('reviewer')
})
afterAll(() => floor.close())

async function start(
  given: Partial<StartJob> & { targetIds: readonly string[] },
  person: Person = reviewer,
): Promise<string> {
  const actor = { ...systemActor('Reviewer 1'), userId: person.userId }
  const { result } = await runCommand(
    floor.context,
    { actor, audit: { action: 'start' } },
    (tx: CommandTx) => startJob(tx, { type: 'mark', menu: 'review_list', params: {}, ...given }),
  )
  return result
}

async function marks(targetIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from marked m where m.target_id = any(${[...targetIds]})`.execute(
    floor.database.kysely,
  )
  return rows[0]?.n ?? 0
}

function ids(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)
}

test('a job processes each target once and reports it', async () => {
  const targets = ids('once', 7)
  const jobId = await start({ targetIds: [...targets, 'once1'] })
  await floor.settle()
  expect(await marks(targets)).toBe(7)
  const { job, failed } = await reviewer.call(jobDetail, { jobId })
  expect(job).toMatchObject({
    state: 'done',
    total: 7,
    done: 7,
    ok: 7,
    fail: 0,
    menu: 'review_list',
    userName: 'Reviewer 1',
  })
  expect(failed).toEqual([])
})

test('a refused row is rolled back and keeps its reason, and the others continue', async () => {
  const targets = ids('refused', 3)
  const jobId = await start({ targetIds: targets, params: { refuse: 'refused2' } })
  await floor.settle()
  expect(await marks(targets)).toBe(2)
  const { job, failed } = await reviewer.call(jobDetail, { jobId })
  expect(job).toMatchObject({ state: 'done', ok: 2, fail: 1 })
  expect(failed).toEqual([
    { id: 'refused2', code: 400, msg: 'Record not found', params: {}, problem: 'G404' },
  ])
})

test('an error in a row fails that row alone and reveals nothing internal', async () => {
  const jobId = await start({ targetIds: ids('fault', 2), params: { fail: 'fault1' } })
  await floor.settle()
  const { job, failed } = await reviewer.call(jobDetail, { jobId })
  expect(job).toMatchObject({ state: 'done', ok: 1, fail: 1 })
  expect(failed).toEqual([{ id: 'fault1', code: 500, msg: 'Error', params: {}, problem: 'G500' }])
})

test('the starter of a job downloads the result of each row, and the download is logged', async () => {
  const targets = ids('outcome', 3)
  const jobId = await start({
    targetIds: targets,
    params: { refuse: 'outcome2', fail: 'outcome3' },
  })
  await floor.settle()
  expect((await reviewer.call(jobOutcome, { jobId })).rows).toEqual([
    { row: 1, id: 'outcome1', state: 'ok', problem: null, msg: '' },
    {
      row: 2,
      id: 'outcome2',
      state: 'failed',
      problem: { id: 'G404', params: {} },
      msg: 'Record not found',
    },
    { row: 3, id: 'outcome3', state: 'failed', problem: { id: 'G500', params: {} }, msg: 'Error' },
  ])
  const { rows } =
    await sql`select l.menu, l.target_id, l.after from operate_log l where l.action = 'jobOutcome'`.execute(
      floor.database.kysely,
    )
  expect(rows).toEqual([{ menu: 'review_list', target_id: jobId, after: { rows: 3 } }])
  for (const account of ['manager', 'administrator'])
    expect(await (await floor.signIn(account)).refused(jobOutcome, { jobId })).toMatchObject({
      problem: { id: 'G404' },
    })
})

test('retry makes a job of the refused rows only', async () => {
  const targets = ids('again', 4)
  const jobId = await start({ targetIds: targets, params: { refuse: 'again3' } })
  await floor.settle()
  const again = await reviewer.call(retryJob, { jobId })
  await floor.settle()
  expect(await reviewer.call(jobDetail, { jobId: again.jobId })).toMatchObject({
    job: { total: 1, fail: 1 },
  })
  expect(await marks(targets)).toBe(3)
  expect(
    await reviewer.refused(retryJob, { jobId: await start({ targetIds: ['again5'] }) }),
  ).toMatchObject({ problem: { id: 'G-SEL' } })
})

test('another runner continues the job of one that died: waiting rows only, none twice', async () => {
  const targets = ids('crash', 6)
  const jobId = await start({ targetIds: targets })
  await sql`
    update job set state = 'running', held_by = 'dead', held_until = clock_timestamp() + interval '1 hour'
      where id = ${jobId}`.execute(floor.database.kysely)
  // two rows were committed with their results before the runner died
  for (const targetId of targets.slice(0, 2))
    await sql`insert into marked (target_id) values (${targetId})`.execute(floor.database.kysely)
  await sql`update job_row set state = 'ok' where job_id = ${jobId} and n <= 2`.execute(
    floor.database.kysely,
  )
  await sql`update job set done = 2, ok = 2 where id = ${jobId}`.execute(floor.database.kysely)
  await floor.settle()
  expect(await reviewer.call(jobDetail, { jobId })).toMatchObject({
    job: { state: 'running', done: 2 },
  })
  await sql`update job set held_until = clock_timestamp() where id = ${jobId}`.execute(
    floor.database.kysely,
  )
  floor.context.wakeJobs()
  await floor.settle()
  expect(await reviewer.call(jobDetail, { jobId })).toMatchObject({
    job: { state: 'done', done: 6, ok: 6 },
  })
  expect(await marks(targets)).toBe(6)
})

test('a runner whose job was taken over processes no further row', async () => {
  const targets = ids('taken', 4)
  let done = 0
  const stolen: JobType = {
    type: 'stolen',
    async row(tx, targetId) {
      await mark.row(tx, targetId, {})
      done += 1
      if (done === 2)
        await sql`update job set held_by = 'another' where id = ${jobId}`.execute(tx.db)
    },
  }
  const jobId = await start({ type: 'stolen', targetIds: targets })
  const runner = jobRunnerOf(floor.context, [stolen])
  await runner.settle()
  expect(await marks(targets)).toBe(2)
  await runner.stop()
})

test('two runners share jobs and never process the same row', async () => {
  const targets = Array.from({ length: 4 }, (_, i) => ids(`share${i}-`, 5))
  for (const group of targets) await start({ targetIds: group })
  const runners = [jobRunnerOf(floor.context, [mark]), jobRunnerOf(floor.context, [mark])]
  await Promise.all(runners.map((runner) => runner.settle()))
  for (const group of targets) expect(await marks(group)).toBe(5)
  for (const runner of runners) await runner.stop()
})

test('a waiting job is cancelled at once, a running one between two rows; finished rows stay', async () => {
  const waiting = await start({ targetIds: ids('waiting', 3) })
  expect(await reviewer.call(cancelJob, { jobId: waiting })).toMatchObject({
    state: 'cancelled',
    done: 0,
  })
  await floor.settle()
  expect(await marks(ids('waiting', 3))).toBe(0)

  const targets = ids('running', 5)
  let done = 0
  const slow: JobType = {
    type: 'slow',
    async row(tx, targetId) {
      await mark.row(tx, targetId, {})
      done += 1
      // what the cancel call does to a job that is held, seen by the runner after this row
      if (done === 2)
        await sql`update job set cancel_asked = true where id = ${running}`.execute(tx.db)
    },
  }
  const running = await start({ type: 'slow', targetIds: targets })
  const runner = jobRunnerOf(floor.context, [slow])
  await runner.settle()
  expect(await reviewer.call(jobDetail, { jobId: running })).toMatchObject({
    job: { state: 'cancelled', done: 2, ok: 2 },
  })
  expect(await marks(targets)).toBe(2)
  await runner.stop()
})

test('a running job that is asked to end shows it, and an ended one stays as it is', async () => {
  const jobId = await start({ targetIds: ['held1'] })
  await sql`
    update job set state = 'running', held_by = 'busy', held_until = clock_timestamp() + interval '1 hour'
      where id = ${jobId}`.execute(floor.database.kysely)
  expect(await reviewer.call(cancelJob, { jobId })).toMatchObject({ state: 'running' })
  await sql`update job set held_until = clock_timestamp() where id = ${jobId}`.execute(
    floor.database.kysely,
  )
  floor.context.wakeJobs()
  await floor.settle()
  expect(await reviewer.call(jobDetail, { jobId })).toMatchObject({
    job: { state: 'cancelled', done: 0 },
  })
  expect(await reviewer.call(cancelJob, { jobId })).toMatchObject({ state: 'cancelled' })
})

test('a runner that stops releases its job at once', async () => {
  const targets = ids('stop', 4)
  const stopping: JobType = {
    type: 'stopping',
    async row(tx, targetId) {
      await mark.row(tx, targetId, {})
      if (targetId === 'stop1') stopped = runner.stop()
    },
  }
  let stopped: Promise<void> = Promise.resolve()
  const jobId = await start({ type: 'stopping', targetIds: targets })
  const runner = jobRunnerOf(floor.context, [stopping])
  await runner.settle()
  await stopped
  expect(await marks(targets)).toBe(1)
  const next = jobRunnerOf(floor.context, [stopping])
  await next.settle()
  expect(await marks(targets)).toBe(4)
  expect(await reviewer.call(jobDetail, { jobId })).toMatchObject({ job: { state: 'done', ok: 4 } })
  await next.stop()
})

test('two open jobs of a type never share a key', async () => {
  const jobId = await start({ targetIds: ['key1'], singletonKey: 'month' })
  await expect(start({ targetIds: ['key2'], singletonKey: 'month' })).rejects.toMatchObject({
    id: 'G-RUN',
    data: { jobId },
  })
  await floor.settle()
  await start({ targetIds: ['key3'], singletonKey: 'month' })
  await floor.settle()
  expect(await marks(['key1', 'key2', 'key3'])).toBe(2)
})

describe('a job that settles something', () => {
  const ends: string[] = []
  /**
   * Finds its targets by itself, stops at `parkAt` until told otherwise, and writes down how it
   * ended.
   */
  const settling = (given: {
    targets: readonly string[]
    parkAt?: () => string | null
    prepared?: () => void
  }): JobType => ({
    type: 'settling',
    async prepare(context, job, renew) {
      given.prepared?.()
      await renew()
      await inTransaction(context.database, (trx) => addRows(trx, job.id, given.targets))
    },
    async row(tx, targetId) {
      if (given.parkAt?.() === targetId) return 'park'
      await mark.row(tx, targetId, {})
      return undefined
    },
    async ended(_cx, job, state) {
      ends.push(`${job.id} ${state}`)
    },
  })
  const startSettling = () => start({ type: 'settling', targetIds: [], settles: true })

  test('finds its targets before the first row, and again after a crash meanwhile', async () => {
    let tries = 0
    const type = settling({
      targets: ids('found', 3),
      prepared: () => {
        tries += 1
        if (tries === 1) throw new TypeError('a crash')
      },
    })
    const jobId = await startSettling()
    const runner = jobRunnerOf(floor.context, [type])
    await expect(runner.settle()).rejects.toThrow('a crash')
    await sql`update job set held_until = clock_timestamp() where id = ${jobId}`.execute(
      floor.database.kysely,
    )
    await runner.settle()
    expect(await reviewer.call(jobDetail, { jobId })).toMatchObject({
      job: { state: 'done', total: 3, ok: 3 },
    })
    expect(await marks(ids('found', 3))).toBe(3)
    expect(ends).toContain(`${jobId} done`)
    await runner.stop()
  })

  test('when parked, waits without a runner and continues with the row it stopped at', async () => {
    let parkAt: string | null = 'parked2'
    const jobId = await startSettling()
    const runner = jobRunnerOf(floor.context, [
      settling({ targets: ids('parked', 3), parkAt: () => parkAt }),
    ])
    await runner.settle()
    expect(await reviewer.call(jobDetail, { jobId })).toMatchObject({
      job: { state: 'running', done: 1 },
    })
    parkAt = null
    await runner.settle()
    expect(await marks(ids('parked', 3))).toBe(1)
    await inTransaction(floor.database, (trx) => unparkJob(trx, jobId))
    await runner.settle()
    expect(await reviewer.call(jobDetail, { jobId })).toMatchObject({
      job: { state: 'done', done: 3, ok: 3 },
    })
    await runner.stop()
  })

  test.each(['waiting', 'parked'])(
    '%s, it is cancelled by a runner, so that what it holds is let go',
    async (how) => {
      const targets = ids(`settled-${how}`, 2)
      const jobId = await startSettling()
      const runner = jobRunnerOf(floor.context, [
        settling({ targets, parkAt: () => targets[0] as string }),
      ])
      if (how === 'parked') await runner.settle()
      await reviewer.call(cancelJob, { jobId })
      expect(ends).not.toContain(`${jobId} cancelled`)
      await runner.settle()
      expect(ends).toContain(`${jobId} cancelled`)
      expect(await reviewer.call(jobDetail, { jobId })).toMatchObject({
        job: { state: 'cancelled', done: 0 },
      })
      await runner.stop()
    },
  )
})

test('a job without targets is refused', async () => {
  await expect(start({ targetIds: [] })).rejects.toMatchObject({ id: 'G-SEL' })
})

test('progress is emitted to the starter and to watchers, with growing versions, at most every 2 %', async () => {
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const jobId = await start({ targetIds: ids('progress', 200) })
  const events = (await floor.events(before)).filter((event) => event.type === 'job.changed')
  expect(events[0]).toMatchObject({
    subject: `job:${jobId}`,
    data: { state: 'queued', done: 0, total: 200 },
  })
  expect(events.at(-1)).toMatchObject({ data: { state: 'done', done: 200, ok: 200 } })
  expect(events.length).toBeGreaterThan(40)
  expect(events.length).toBeLessThan(70)
  for (const event of events)
    expect([...event.rooms].toSorted()).toEqual(
      [`job:${jobId}`, `user:${reviewer.userId}`].toSorted(),
    )
  const versions = events.map((event) => event.entity_version ?? 0)
  expect([...versions].toSorted((a, b) => a - b)).toEqual(versions)
  expect(new Set(versions).size).toBe(versions.length)
})

test('everybody sees their own jobs, an administrator sees all', async () => {
  const jobId = await start({ targetIds: ['own1'] })
  await floor.settle()
  const other = await floor.signIn('reviewer2')
  const administrator = await floor.signIn('administrator')
  expect((await other.call(listJobs, {})).rows.map((row) => row.jobId)).not.toContain(jobId)
  expect(
    (await reviewer.call(listJobs, { type: 'mark', state: 'done' })).rows.map((row) => row.jobId),
  ).toContain(jobId)
  expect(
    (await administrator.call(listJobs, { sort: 'createTime:asc', pageSize: 200 })).rows.at(-1)
      ?.jobId,
  ).toBe(jobId)
  for (const call of [jobDetail, cancelJob, retryJob] as const)
    expect(await other.refused(call, { jobId })).toMatchObject({ problem: { id: 'G404' } })
  for (const sort of ['secret:asc', 'constructor:asc'])
    expect(await reviewer.refused(listJobs, { sort })).toMatchObject({
      code: 400,
      data: { fields: { sort: 'unknown' } },
    })
  expect(await reviewer.call(liveRooms, { watch: `job:${jobId}` })).toMatchObject({ refused: [] })
  expect(await other.call(liveRooms, { watch: `job:${jobId}` })).toMatchObject({
    refused: [`job:${jobId}`],
  })
})
