import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RunCounts } from '#shared/scheduling/scheduling-sets.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import type { ScheduledClass } from './scheduled-class.ts'
import { schedulerOf } from './scheduler.ts'
import { addTasks, claimDue, renewHolds } from './task-store.ts'

let floor: Floor

beforeAll(async () => {
  floor = await testManage({ parts: () => ({}) })
})
afterAll(() => floor.close())
beforeEach(async () => {
  await sql`delete from scheduled_run`.execute(floor.database.kysely)
  await sql`delete from scheduled_task`.execute(floor.database.kysely)
})

function counting(
  name: string,
  cycle: string,
  result: (n: number) => RunCounts = () => ({ checked: 1 }),
): ScheduledClass & { runs: number } {
  const taskClass = {
    name,
    cycle,
    runs: 0,
    run: () => {
      taskClass.runs += 1
      return Promise.resolve(result(taskClass.runs))
    },
  }
  return taskClass
}

interface KeptRun {
  result: string
  counts: RunCounts | null
  message: string | null
}

async function runsOf(name: string): Promise<KeptRun[]> {
  const { rows } = await sql<KeptRun>`
    select r.result, r.counts, r.message from scheduled_run r join scheduled_task t on t.id = r.task_id
      where t.class = ${name} order by r.id`.execute(floor.database.kysely)
  return rows
}

async function taskOf(
  name: string,
): Promise<{ success_count: number; fail_count: number; due: boolean } | undefined> {
  const { rows } = await sql<{ success_count: number; fail_count: number; due: boolean }>`
    select t.success_count, t.fail_count, t.next_run_at <= clock_timestamp() as due from scheduled_task t
      where t.class = ${name}`.execute(floor.database.kysely)
  return rows[0]
}

test('a woken task class runs once, however often it was woken', async () => {
  const hourly = counting('hourly', 'every:3600')
  const scheduler = schedulerOf(floor.context, [hourly])
  for (let i = 0; i < 5; i += 1) scheduler.wake('hourly')
  await scheduler.settle()
  expect(hourly.runs).toBe(1)
  await scheduler.stop()
})

test('classes that wake each other run until nothing is left', async () => {
  const first: ScheduledClass = {
    name: 'first',
    cycle: 'every:60',
    run: () => {
      scheduler.wake('second')
      return Promise.resolve({})
    },
  }
  const second = counting('second', 'every:60', (n) => {
    if (n < 3) scheduler.wake('second')
    return { checked: 1 }
  })
  const scheduler = schedulerOf(floor.context, [first, second])
  scheduler.wake('first')
  await scheduler.settle()
  expect(second.runs).toBe(3)
  await scheduler.stop()
})

test('a class woken while it runs runs once more, never twice at once', async () => {
  let inside = 0
  let most = 0
  let runs = 0
  const slow: ScheduledClass = {
    name: 'slow',
    cycle: 'every:60',
    async run() {
      runs += 1
      inside += 1
      most = Math.max(most, inside)
      if (runs === 1) for (let i = 0; i < 3; i += 1) scheduler.wake('slow')
      await new Promise((resume) => setImmediate(resume))
      inside -= 1
      return {}
    },
  }
  const scheduler = schedulerOf(floor.context, [slow])
  await scheduler.start()
  await scheduler.settle()
  scheduler.wake('slow')
  await scheduler.settle()
  expect(most).toBe(1)
  expect(runs).toBeGreaterThanOrEqual(2)
  await scheduler.stop()
})

test('a due task is claimed by one of two schedulers', async () => {
  await addTasks(floor.database, [counting('shared', 'every:600')])
  const claims = await Promise.all(
    [1, 2, 3, 4].map(() => claimDue(floor.database, ['shared'], 'core')),
  )
  expect(claims.flatMap(({ due }) => due.map((claim) => claim.class))).toEqual(['shared'])
  expect((await taskOf('shared'))?.due).toBe(false)
})

test('a class with a time of day waits for it at the first start, one with a period does not', async () => {
  await addTasks(floor.database, [counting('daily', '5 0 * * *'), counting('often', 'every:60')])
  const { due } = await claimDue(floor.database, ['daily', 'often'], 'core')
  expect(due.map((claim) => claim.class)).toEqual(['often'])
})

test('runs that did work or failed are recorded, idle and frequent ones are not', async () => {
  const quiet = counting('quiet', 'every:60', () => ({}))
  const busy = counting('busy', 'every:60', () => ({ ended: 3 }))
  const frequent = counting('frequent', 'every:5', () => ({ released: 1 }))
  const failing: ScheduledClass = {
    name: 'failing',
    cycle: 'every:5',
    run: () => Promise.reject(new Error('the vendor is away')),
  }
  const scheduler = schedulerOf(floor.context, [quiet, busy, frequent])
  await addTasks(floor.database, [quiet, busy, frequent, failing])
  for (const name of ['quiet', 'busy', 'frequent']) scheduler.wake(name)
  await scheduler.settle()
  expect([await runsOf('quiet'), await runsOf('busy'), await runsOf('frequent')]).toEqual([
    [],
    [{ result: 'success', counts: { ended: 3 }, message: '' }],
    [],
  ])
  expect(await taskOf('frequent')).toMatchObject({ success_count: 1, fail_count: 0 })
  await scheduler.stop()

  const broken = schedulerOf(floor.context, [failing])
  broken.wake('failing')
  await expect(broken.settle()).rejects.toThrow('the vendor is away')
  expect(await runsOf('failing')).toEqual([
    { result: 'fail', counts: null, message: 'the vendor is away' },
  ])
  expect(await taskOf('failing')).toMatchObject({ success_count: 0, fail_count: 1 })
  await broken.stop()
})

test('a class that is switched off does not run, however it is woken', async () => {
  const off = counting('off', 'every:60')
  await addTasks(floor.database, [off])
  await sql`update scheduled_task set status = 'disabled' where class = 'off'`.execute(
    floor.database.kysely,
  )
  const scheduler = schedulerOf(floor.context, [off])
  scheduler.wake('off')
  await scheduler.settle()
  expect(off.runs).toBe(0)
  expect((await claimDue(floor.database, ['off'], 'core')).due).toEqual([])
  await scheduler.stop()
})

test('a cycle changed by an owner is kept at the next start, and an unreadable one is reported', async () => {
  await addTasks(floor.database, [counting('edited', 'every:60')])
  await sql`update scheduled_task set cycle = 'now and then' where class = 'edited'`.execute(
    floor.database.kysely,
  )
  await addTasks(floor.database, [counting('edited', 'every:60')])
  expect(await claimDue(floor.database, ['edited'], 'core')).toEqual({
    due: [],
    broken: ['edited'],
  })
  expect((await taskOf('edited'))?.due).toBe(false)
})

test('rows older than a month are deleted when a new one is written', async () => {
  const busy = counting('busy', 'every:60')
  await addTasks(floor.database, [busy])
  await sql`
    insert into scheduled_run (task_id, started_at, message)
      select t.id, clock_timestamp() - interval '31 days', 'old' from scheduled_task t`.execute(
    floor.database.kysely,
  )
  const scheduler = schedulerOf(floor.context, [busy])
  scheduler.wake('busy')
  await scheduler.settle()
  expect((await runsOf('busy')).map((run) => run.counts)).toEqual([{ checked: 1 }])
  await scheduler.stop()
})

test('each due run is done by exactly one of three concurrent schedulers', async () => {
  const tasks = ['one', 'two', 'three', 'four'].map((name) => counting(name, 'every:3600'))
  const schedulers = [1, 2, 3].map(() => schedulerOf(floor.context, tasks))
  await addTasks(floor.database, tasks)
  for (let round = 1; round <= 10; round += 1) {
    await sql`update scheduled_task set next_run_at = clock_timestamp()`.execute(
      floor.database.kysely,
    )
    await Promise.all(schedulers.map((scheduler) => scheduler.look()))
    await Promise.all(schedulers.map((scheduler) => scheduler.settle()))
    // a look while all of it is done finds nothing
    await Promise.all(schedulers.map((scheduler) => scheduler.look()))
    expect(tasks.map(({ runs }) => runs)).toEqual([round, round, round, round])
  }
  expect((await taskOf('one'))?.success_count).toBe(10)
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()))
})

test('the run of a killed process is done by another when its lease has expired', async () => {
  const task = counting('daily', '5 0 * * *')
  const survivor = schedulerOf(floor.context, [task])
  await addTasks(floor.database, [task])
  await sql`update scheduled_task set next_run_at = clock_timestamp()`.execute(
    floor.database.kysely,
  )
  // the other claims it and is killed before its run ends
  expect((await claimDue(floor.database, ['daily'], 'killed')).due).toHaveLength(1)
  await survivor.look()
  await survivor.settle()
  expect(task.runs).toBe(0)
  await sql`update scheduled_task set held_until = clock_timestamp()`.execute(floor.database.kysely)
  await survivor.look()
  await survivor.settle()
  expect(task.runs).toBe(1)
  expect(await runsOf('daily')).toEqual([
    { result: 'fail', counts: { interrupted: 1 }, message: null },
    { result: 'success', counts: { checked: 1 }, message: '' },
  ])
  await survivor.look()
  await survivor.settle()
  expect(task.runs).toBe(1)
  await survivor.stop()
})

test('a task whose process renews its lease is not taken over', async () => {
  const task = counting('long', 'every:60')
  await addTasks(floor.database, [task])
  await claimDue(floor.database, ['long'], 'core')
  await sql`update scheduled_task set held_until = clock_timestamp(), next_run_at = clock_timestamp()`.execute(
    floor.database.kysely,
  )
  await renewHolds(floor.database.kysely, ['long'], 'core')
  expect((await claimDue(floor.database, ['long'], 'other')).due).toEqual([])
  await renewHolds(floor.database.kysely, ['long'], 'other')
})
