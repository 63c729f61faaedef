import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listNotifications } from '#shared/announcements/notifications-api.ts'
import { istClock } from '#shared/kernel/time.ts'
import {
  editTask,
  nextRunsOf,
  listTaskRecords,
  listTasks,
  runTask,
  setTaskStatus,
} from '#shared/scheduling/scheduling-api.ts'
import { SCHEDULING_MENU } from '#shared/scheduling/scheduling-menu.ts'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import { announcementsRoutes } from '#gateway/manage/features/announcements/announcements-routes.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { type Scheduler, schedulerOf } from '#gateway/manage/jobs/scheduler.ts'
import { addTasks } from '#gateway/manage/jobs/task-store.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { schedulingRoutes } from './scheduling-routes.ts'
import { taskWatch } from './task-watch-job.ts'

let floor: Floor
let administrator: Person
let manager: Person
let scheduler: Scheduler
let fails = false
const nightly: ScheduledClass = {
  name: 'nightly',
  cycle: '30 3 * * *',
  run: () =>
    fails
      ? Promise.reject(new Error('the disk is full'))
      : Promise.resolve({ checked: 2, held: 0 }),
}
const sweep: ScheduledClass = { name: 'sweep', cycle: 'every:5', run: () => Promise.resolve({}) }

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...TICKETS_MENU, ...SCHEDULING_MENU],
      schedules: [nightly, sweep, taskWatch],
      routes: (base) => {
        schedulingRoutes(base, context)
        announcementsRoutes(base, context)
      },
    }),
  })
  scheduler = schedulerOf(floor.context, [nightly, sweep])
  ;[administrator, manager] = await Promise.all([
    floor.signIn('administrator'),
    floor.signIn('manager'),
  ])
})
afterAll(async () => {
  await scheduler.stop()
  await floor.close()
})
beforeEach(async () => {
  fails = false
  await sql`delete from scheduled_run`.execute(floor.database.kysely)
  await sql`delete from scheduled_task`.execute(floor.database.kysely)
  await addTasks(floor.database, [nightly, sweep, taskWatch])
})

const rowsOf = async (filters = {}) => (await manager.call(listTasks, filters)).rows

async function rowOf(name: string) {
  const [row] = await rowsOf({ class: name })
  if (row === undefined) throw new Error(`no task ${name}`)
  return row
}

async function runDue(): Promise<void> {
  await scheduler.look()
  await scheduler.settle()
}

test('every class of the core is listed with its next three runs', async () => {
  await sql`
    insert into scheduled_task (id, name, class, cycle) values ('K-old', 'old', 'old', 'every:60')`.execute(
    floor.database.kysely,
  )
  const known = floor.context.taskClasses()
  const rows = await rowsOf({ pageSize: 200 })
  expect(rows.map((row) => row.class)).toEqual(['nightly', 'sweep', 'taskWatch'])
  expect(known).toEqual(expect.arrayContaining(['nightly', 'outboxClean', 'reseal']))
  const { nextRuns } = await rowOf('nightly')
  // 03:30 IST is 22:00 UTC
  expect(nextRuns.map((at) => at.slice(11))).toEqual(Array(3).fill('22:00:00.000Z'))
  expect(new Set(nextRuns).size).toBe(3)
  expect((await rowOf('sweep')).nextRuns).toEqual([])
})

test('a requested run is done once, immediately, and is recorded', async () => {
  const { taskId } = await rowOf('nightly')
  const asked = await administrator.call(runTask, { taskId })
  expect(asked.isRunning).toBe(true)
  expect(await administrator.refused(runTask, { taskId })).toMatchObject({ code: 409 })
  await runDue()
  await runDue()
  const { rows } = await manager.call(listTaskRecords, { taskId })
  expect(rows).toEqual([
    expect.objectContaining({
      class: 'nightly',
      result: 'success',
      counts: { checked: 2 },
      message: '',
      askedBy: expect.any(String),
    }),
  ])
  expect(await rowOf('nightly')).toMatchObject({
    isRunning: false,
    successCount: 1,
    lastCounts: { checked: 2 },
    lastMessage: '',
  })
  const events = (await floor.events()).filter(({ type }) => type === 'task.run.changed')
  expect(events.at(-1)).toMatchObject({
    rooms: ['menu:timed_task'],
    data: { taskId, result: 'success', recordId: rows[0]?.recordId },
  })
})

test('a disabled task neither runs nor can be run by hand', async () => {
  const { taskId, version } = await rowOf('nightly')
  const off = await administrator.call(setTaskStatus, { taskId, version, status: 'disabled' })
  expect([off.status, off.nextRuns]).toEqual(['disabled', []])
  await administrator.refused(runTask, { taskId })
  await sql`update scheduled_task set next_run_at = clock_timestamp()`.execute(
    floor.database.kysely,
  )
  await runDue()
  expect(await rowOf('nightly')).toMatchObject({ successCount: 0, failCount: 0 })
  expect(
    await administrator.refused(setTaskStatus, { taskId, version, status: 'enabled' }),
  ).toMatchObject({ code: 409 })
  const on = await administrator.call(setTaskStatus, {
    taskId,
    version: off.version,
    status: 'enabled',
  })
  expect([on.status, on.nextRuns.length]).toEqual(['enabled', 3])
  const { rows } = await sql<{ action: string; before: unknown; after: unknown }>`
    select l.action, l.before, l.after from operate_log l where l.target_id = ${taskId}
      and l.action like 'switch%' order by l.id`.execute(floor.database.kysely)
  expect(rows).toEqual([
    { action: 'switchOff', before: { status: 'enabled' }, after: { status: 'disabled' } },
    { action: 'switchOn', before: { status: 'disabled' }, after: { status: 'enabled' } },
  ])
})

test('another cycle holds from now on, and one that cannot be read is refused', async () => {
  const { taskId, version, cycle } = await rowOf('nightly')
  const next = await administrator.call(nextRunsOf, { cycle: '30 5 1 * *' })
  expect(next.nextRuns.map((at) => istClock(at))).toEqual(['05:30', '05:30', '05:30'])
  for (const bad of ['61 5 * * *', '0 0 31 2 *', 'every:1'])
    expect(await administrator.refused(editTask, { taskId, version, cycle: bad })).toMatchObject({
      problem: { id: 'X-CYC' },
    })
  const edited = await administrator.call(editTask, { taskId, version, cycle: '30 5 1 * *' })
  expect([edited.cycle, edited.nextRuns]).toEqual(['30 5 1 * *', next.nextRuns])
  expect(await administrator.refused(editTask, { taskId, version, cycle })).toMatchObject({
    code: 409,
  })
  const watch = await rowOf('taskWatch')
  expect(
    await administrator.refused(editTask, {
      taskId: watch.taskId,
      version: watch.version,
      cycle: '0 1 * * *',
    }),
  ).toMatchObject({ code: 400 })
  await administrator.call(editTask, { taskId, version: edited.version, cycle })
})

test('the task that monitors the others cannot be switched off', async () => {
  const { taskId, version } = await rowOf('taskWatch')
  const { code } = await administrator.refused(setTaskStatus, {
    taskId,
    version,
    status: 'disabled',
  })
  expect(code).toBe(400)
})

test('administrators are notified once of a task that failed three times or is late', async () => {
  const { taskId } = await rowOf('nightly')
  fails = true
  for (let i = 0; i < 3; i += 1) {
    await administrator.call(runTask, { taskId })
    await scheduler.look()
    await expect(scheduler.settle()).rejects.toThrow('the disk is full')
  }
  await sql`
    update scheduled_task set next_run_at = clock_timestamp() - interval '6 minutes'
      where class = 'sweep'`.execute(floor.database.kysely)
  expect((await rowsOf({ alert: 'failing' })).map((row) => row.class)).toEqual(['nightly'])
  expect((await rowsOf({ alert: 'late' })).map((row) => row.class)).toEqual(['sweep'])
  await taskWatch.run(floor.context)
  await taskWatch.run(floor.context)
  const { rows } = await administrator.call(listNotifications, {})
  expect(rows.map((row) => [row.titleKey, row.params]).toSorted()).toEqual([
    ['scheduling:notice.failing', { n: 1 }],
    ['scheduling:notice.late', { n: 1 }],
  ])
  fails = false
  await administrator.call(runTask, { taskId })
  await runDue()
  expect((await rowOf('nightly')).alert).toBe(null)
})

test('a task that started late raises an alert until its next run', async () => {
  await sql`
    update scheduled_task set next_run_at = clock_timestamp() - interval '2 hours'`.execute(
    floor.database.kysely,
  )
  await runDue()
  expect([(await rowOf('nightly')).alert, (await rowOf('sweep')).alert]).toEqual(['late', null])
})
