/** Telemarketers, giving tasks, and the totals of their work, through the calls of leaders. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { logout } from '#shared/session/session-api.ts'
import {
  addPerson,
  assignTasks,
  editPerson,
  listPersons,
  listTakers,
  openAllocation,
  personOptions,
  setPersonStatus,
} from '#shared/telemarketing/person-api.ts'
import { claimTask, followTask, listTasks } from '#shared/telemarketing/tele-api.ts'
import { teleTotal, TOTAL_MEASURES, totalRows } from '#shared/telemarketing/total-api.ts'
import {
  makeManyUncertified,
  makeTaker,
  type TeleFloor,
  teleFloor,
} from '#tests/factories/telemarketing.ts'
import type { Person } from '#tests/support/manage.ts'

let floor: TeleFloor
let manager: Person
let caller: Person
let salesman: Person
const segment = 'no_certified' as const

beforeAll(async () => {
  floor = await teleFloor()
  manager = await floor.signIn('manager')
  caller = await floor.signIn('tele_uncertified')
  salesman = await floor.signIn('salesman')
})
afterAll(() => floor.close())
beforeEach(async () => {
  const { kysely } = floor.database
  for (const table of ['tele_record', 'tele_given', 'tele_task', 'tele_person'])
    await sql`delete from ${sql.table(table)}`.execute(kysely)
  await makeManyUncertified(floor, 12)
  await makeTaker(floor.database, caller.userId, [segment], 100)
  await makeTaker(floor.database, salesman.userId, [segment, 'loan_failed'], 4)
})

const assign = (input: Omit<InputOf<typeof assignTasks>, 'segment'>) =>
  manager.call(assignTasks, { segment, ...input }, { 'idempotency-key': randomUUID() })
const tasks = async (person: Person) =>
  (await person.call(listTasks, { segment, pageSize: 100 })).rows

test('tasks of the pool go out evenly, and a person at capacity is named', async () => {
  expect((await manager.call(listTakers, { segment })).waiting).toBe(12)
  const answer = await assign({ count: 12, assigneeIds: [caller.userId, salesman.userId] })
  expect(answer).toMatchObject({
    assigned: 12,
    left: 0,
    changed: 0,
    skipped: [{ userId: salesman.userId, why: 'full' }],
  })
  expect([(await tasks(caller)).length, (await tasks(salesman)).length]).toEqual([8, 4])
  const { people } = await manager.call(listTakers, { segment })
  expect(people.map(({ open, skip }) => [open, skip])).toContainEqual([4, 'full'])
})

test('a claimed task stays with its holder, and a kept one moves with a new token', async () => {
  const claimed = await caller.call(claimTask, { segment })
  await assign({ count: 1, assigneeIds: [caller.userId] })
  const kept = (await tasks(caller)).find(({ state }) => state === 'assigned')
  const answer = await assign({
    taskIds: [claimed.taskId, kept?.taskId ?? ''],
    assigneeIds: [salesman.userId],
  })
  expect(answer).toMatchObject({ assigned: 1, changed: 1 })
  const [moved] = await tasks(salesman)
  expect(moved).toMatchObject({ taskId: kept?.taskId, token: (kept?.token ?? 0) + 1 })
  const late = await caller.refused(followTask, {
    taskId: kept?.taskId,
    version: kept?.version,
    token: kept?.token,
    result: 28,
    contactWay: 'phone',
  })
  expect(late.problem?.id).toBe('M-OWN')
})

test('a chosen customer whom nobody may call is given to nobody', async () => {
  await assign({ count: 1, assigneeIds: [salesman.userId] })
  const [kept] = await tasks(salesman)
  const { userId = '', taskId = '' } = kept ?? {}
  const dnd = (value: boolean) =>
    sql`update customer set dnd = ${value} where id = ${userId}`.execute(floor.database.kysely)
  await dnd(true)
  const chosen = { taskIds: [taskId], assigneeIds: [caller.userId] }
  expect(await assign(chosen)).toMatchObject({ assigned: 0, changed: 0, barred: 1 })
  expect((await tasks(salesman)).map((task) => task.taskId)).toContain(taskId)
  await dnd(false)
})

test('a person closed for tasks is skipped, and a disabled account returns its tasks', async () => {
  await manager.call(openAllocation, { userIds: [caller.userId], open: false })
  expect(await assign({ count: 2, assigneeIds: [caller.userId] })).toMatchObject({
    assigned: 0,
    left: 2,
    skipped: [{ why: 'closed' }],
  })
  await manager.call(openAllocation, { userIds: [caller.userId], open: true })
  await assign({ count: 2, assigneeIds: [salesman.userId] })
  await manager.call(setPersonStatus, { userIds: [salesman.userId], status: 'disabled' })
  expect((await tasks(manager)).filter(({ assigneeId }) => assigneeId !== null)).toEqual([])
  const { rows } = await manager.call(listPersons, { status: 'disabled' })
  expect(rows.map(({ userId }) => userId)).toEqual([salesman.userId])
  await manager.call(setPersonStatus, { userIds: [salesman.userId], status: 'normal' })
  salesman = await floor.signIn('salesman')
})

test('an account becomes a telemarketer once, and an older version is refused', async () => {
  await sql`delete from tele_person where user_id = ${caller.userId}`.execute(floor.database.kysely)
  const { accounts } = await manager.call(personOptions, {})
  expect(accounts.map(({ userId }) => userId)).toContain(caller.userId)
  const fields = { segments: [segment], capacity: 20, allocationFlag: true }
  const row = await manager.call(addPerson, { userId: caller.userId, ...fields })
  expect(row).toMatchObject({ capacity: 20, segments: [segment], openTasks: 0 })
  const again = await manager.refused(addPerson, { userId: caller.userId, ...fields })
  expect(again.problem?.id).toBe('M-PERSON')
  const change = { userId: caller.userId, version: row.version, ...fields, capacity: 30 }
  expect((await manager.call(editPerson, change)).capacity).toBe(30)
  expect((await manager.refused(editPerson, change)).code).toBe(409)
})

test('the totals count work by person and day, each in their scope', async () => {
  await assign({ count: 3, assigneeIds: [caller.userId] })
  const [task] = await tasks(caller)
  const { taskId = '', version = 0, token = 0 } = task ?? {}
  await caller.call(followTask, {
    taskId,
    version,
    token,
    result: 28,
    contactWay: 'phone',
  })
  await sql`update customer set certified = true where id = ${task?.userId}`.execute(
    floor.database.kysely,
  )
  await floor.follow()
  const today = istDay(Date.now())
  const range = { dateFrom: today, dateTo: today }
  const done = { assigned: 3, followed: 1, connected: 1, connectRate: 10_000, certified: 1 }
  const byPerson = await manager.call(teleTotal, { ...range, groupBy: 'person' })
  expect(byPerson.rows).toMatchObject([{ key: caller.userId, ...done, conversionRate: 10_000 }])
  expect(byPerson.sum).toMatchObject(done)
  for (const person of [manager, caller])
    for (const measure of TOTAL_MEASURES) {
      const { sum } = await person.call(teleTotal, range)
      const { rows, total } = await person.call(totalRows, { ...range, measure })
      const counted = measure === 'converted' ? 1 : sum[measure]
      expect([measure, total, rows.length]).toEqual([measure, counted, counted])
    }
  const named = { ...range, measure: 'assigned' as const }
  expect((await manager.call(totalRows, { ...named, without: 'node' })).total).toBe(3)
  expect((await manager.call(totalRows, { ...named, assigneeId: salesman.userId })).total).toBe(0)
  expect((await salesman.call(totalRows, named)).total).toBe(0)
  const byDay = await caller.call(teleTotal, range)
  expect(byDay.rows).toMatchObject([{ day: today, ...done }])
  expect((await salesman.call(teleTotal, range)).sum).toMatchObject({ assigned: 0, followed: 0 })
  const tooLong = { dateFrom: '2026-01-01', dateTo: '2026-12-31' }
  expect((await manager.refused(teleTotal, tooLong)).problem?.id).toBe('G-FIELD')
})

test('conversions of today from follow-ups of yesterday count yesterday, and no share passes 100 %', async () => {
  const { kysely } = floor.database
  await sql`update customer set certified = false where certified`.execute(kysely)
  await assign({ count: 4, assigneeIds: [caller.userId] })
  const [first, second, third] = await tasks(caller)
  const follow = (task: typeof first) => {
    const { taskId = '', version = 0, token = 0 } = task ?? {}
    return caller.call(followTask, { taskId, version, token, result: 28, contactWay: 'phone' })
  }
  await follow(first)
  await follow(second)
  await sql`
    update tele_record set created_at = created_at - interval '1 day'`.execute(kysely)
  await sql`
    update tele_task set last_follow_at = last_follow_at - interval '1 day'`.execute(kysely)
  await follow(third)
  const customers = [first?.userId, second?.userId, third?.userId]
  await sql`
    update customer set certified = true where id = any(${customers}::text[])`.execute(kysely)
  await floor.follow()
  const today = istDay(Date.now())
  const yesterday = addDays(today, -1)
  const range = { dateFrom: yesterday, dateTo: today }
  for (const person of [manager, caller]) {
    const { rows, sum } = await person.call(teleTotal, range)
    expect(rows).toMatchObject([
      { day: yesterday, followed: 2, certified: 2, conversionRate: 10_000 },
      { day: today, followed: 1, certified: 1, conversionRate: 10_000 },
    ])
    expect(sum).toMatchObject({ followed: 3, certified: 3, conversionRate: 10_000 })
    const behind = { measure: 'converted' as const, dateFrom: yesterday, dateTo: yesterday }
    const listed = await person.call(totalRows, behind)
    expect(listed.rows.map(({ taskId }) => taskId).toSorted()).toEqual(
      [first?.taskId, second?.taskId].toSorted(),
    )
  }
  expect((await manager.call(teleTotal, { ...range, groupBy: 'person' })).rows).toMatchObject([
    { key: caller.userId, certified: 3, conversionRate: 10_000 },
  ])
})

test('who signs in first and out last is announced to the list, which shows the same', async () => {
  const shown = async () =>
    (await manager.call(listPersons, { userId: salesman.userId })).rows[0]?.online
  const presenceEvents = async () =>
    (await floor.events())
      .filter(({ type, data }) => type === 'presence.changed' && data.userId === salesman.userId)
      .map(({ data, rooms }) => [data.online, rooms.includes('menu:ele_person')])
  const before = (await presenceEvents()).length
  const since = async () => (await presenceEvents()).slice(before)
  const second = await floor.signIn('salesman')
  await second.call(logout, {})
  expect([await shown(), await since()]).toEqual([true, []])
  await salesman.call(logout, {})
  expect([await shown(), await since()]).toEqual([false, [[false, true]]])
  salesman = await floor.signIn('salesman')
  expect([await shown(), await since()]).toEqual([
    true,
    [
      [false, true],
      [true, true],
    ],
  ])
})
