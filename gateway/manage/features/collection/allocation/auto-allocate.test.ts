/** The scheduled allocation: at its times, once each, with missed slots made up for. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allocationDesk, listRuns } from '#shared/collection/allocation-api.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeUnit, type Unit } from '#tests/factories/units.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { allocationRoutes } from './allocation-routes.ts'
import { autoAllocateClass } from './auto-allocate-job.ts'
import { allocationRunJob } from './allocation-run-job.ts'

let floor: Floor
let clock: TestClock
let manager: Person
let unit: Unit
const today = istDay(Date.now())

beforeAll(async () => {
  floor = await testManage({
    parts: () => ({
      menus: [...SESSION_MENU, ...SETUP_MENU, ...WORK_MENU],
      routes: allocationRoutes,
      jobTypes: [allocationRunJob],
      schedules: [autoAllocateClass],
    }),
  })
  clock = await testClock(floor.database)
  unit = await makeUnit(floor, { weight: 100 })
  manager = await floor.signIn('manager')
})
afterAll(() => floor.close())

async function atClock(time: string): Promise<void> {
  await clock.to(time)
  await autoAllocateClass.run(floor.context)
  await floor.settle()
}
const runs = async () =>
  (await manager.call(listRuns, { sort: 'startTime:asc' })).rows.map(
    ({ state, startBy, total, done, failed, mode }) => ({
      state,
      startBy,
      total,
      done,
      failed,
      mode,
    }),
  )

test('before the first slot, without people or without cases nothing starts', async () => {
  await atClock('07:29')
  await makeCase(floor, { overdueDays: 5 })
  await atClock('07:31')
  expect(await runs()).toEqual([])
  expect((await manager.call(allocationDesk, {})).nextRunTime).toBe(
    new Date(`${today}T08:00:00+05:30`).toISOString(),
  )
})

test('a missed slot is made up for once when someone comes on duty', async () => {
  const { userId } = await makeCollector(floor, unit, { capacity: 3 })
  await atClock('07:40')
  const first = {
    state: 'done',
    startBy: 'autoAllocate',
    total: 1,
    done: 1,
    failed: 0,
    mode: 'stage',
  }
  expect(await runs()).toEqual([first])
  await makeCase(floor, { overdueDays: 5 })
  await atClock('07:59')
  expect(await runs()).toEqual([first])
  await atClock('08:00')
  expect(await runs()).toEqual([first, first])
  const { rows } = await sql<{
    n: number
  }>`
    select count(*)::int as n
    from collection_case c
    where c.collector_id = ${userId} and c.state = 'allocated'`.execute(floor.database.kysely)
  expect(rows[0]?.n).toBe(2)
})

test('managers are notified once a day of cases nobody has room for', async () => {
  for (const days of [5, 6]) await makeCase(floor, { overdueDays: days })
  await atClock('08:31')
  await atClock('09:01')
  const { rows } = await sql<{
    account: string
    params: { n: number }
  }>`
    select u.account, n.params
    from notification n
    join sys_user u on u.id = n.user_id
    where n.title_key = 'collection:notification.withoutRoom'
    order by u.account`.execute(floor.database.kysely)
  expect(rows.map(({ account, params }) => [account, params.n])).toEqual([
    ['manager', 1],
    ['manager2', 1],
  ])
})

test('after the last top-up the next run is tomorrow', async () => {
  await clock.to('18:05')
  expect((await manager.call(allocationDesk, {})).nextRunTime).toBe(
    new Date(`${addDays(today, 1)}T07:30:00+05:30`).toISOString(),
  )
})
