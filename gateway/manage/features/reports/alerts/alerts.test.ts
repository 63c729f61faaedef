/** Limits of daily figures, and reports that are made each morning. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { deleteAlert, listAlerts, saveAlert } from '#shared/reports/alerts-api.ts'
import { homeFigures } from '#shared/reports/home-figures-api.ts'
import { lendingTrend } from '#shared/reports/trends-api.ts'
import {
  deleteSubscription,
  listSubscriptions,
  saveSubscription,
} from '#shared/reports/subscriptions-api.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { testClock } from '#tests/support/clock.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { morningReports } from '../subscriptions/morning-job.ts'
import { reportAlerts } from './alerts-job.ts'

let floor: Floor
let manager: Person
let director: Person
beforeAll(async () => {
  floor = await testManage()
  await (await testClock(floor.database)).to('10:00')
  manager = await floor.signIn('manager')
  director = await floor.signIn('director')
  await refreshed()
})
afterAll(() => floor.close())

async function refreshed(): Promise<void> {
  floor.context.wakeSchedule('reportRefresh')
  await floor.settle()
}

async function told(titleKey: string): Promise<{ user: string; params: Record<string, string> }[]> {
  const { rows } = await sql<{ user: string; params: Record<string, string> }>`
    select n.user_id as user, n.params from notification n where n.title_key = ${titleKey}
    order by n.id`.execute(floor.database.kysely)
  return rows
}

const judge = () => reportAlerts.run(floor.context)

test('a figure above its limit is told once a day to each person named', async () => {
  const people = [manager.userId, director.userId]
  const alert = await manager.call(saveAlert, {
    measure: 'disbursed',
    kind: 'above',
    threshold: 1,
    told: people,
  })
  await judge()
  expect(await told('reports:notification.above')).toEqual([])
  for (let n = 0; n < 2; n += 1) await makeOrder(floor, { status: 30 })
  await refreshed()
  await judge()
  await makeOrder(floor, { status: 30 })
  await refreshed()
  expect(await judge()).toBe('')
  const notes = await told('reports:notification.above')
  expect(notes.map(({ user }) => user).toSorted()).toEqual(people.toSorted())
  expect(notes[0]?.params).toMatchObject({ measure: 'disbursed', value: '2', limit: '1' })
  const [row] = (await director.call(listAlerts, {})).rows
  expect(row).toMatchObject({ alertId: alert.alertId, isCrossed: true, lastValue: 3 })
})

test('an ended day below its limit, or far from the same weekday, is told once per crossing', async () => {
  const { kysely: db } = floor.database
  const today = istDay(
    (await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)).rows[0]?.now ?? '',
  )
  const common = { measure: 'receivedAmount' as const, told: [director.userId] }
  await manager.call(saveAlert, { ...common, kind: 'below', threshold: 100_000 })
  await manager.call(saveAlert, { ...common, kind: 'change', threshold: 2_000 })
  const received = (day: string, amount: number) =>
    sql`
      insert into report_money_day (day, app_id, channel_id, product_id, tag, payments, received, collected,
        reductions, waived, write_offs, written_off)
      values (${day}::date, 'A1', 'CH1', 'P', 'firstLoan', 1, ${amount}, 0, 0, 0, 0, 0)`.execute(db)
  await received(addDays(today, -8), 200_000)
  await received(addDays(today, -1), 90_000)
  await judge()
  await judge()
  const below = await told('reports:notification.below')
  expect(below).toHaveLength(1)
  expect(below[0]?.params).toMatchObject({ day: addDays(today, -1), value: '₹900.00' })
  const changed = await told('reports:notification.change')
  expect(changed).toHaveLength(1)
  expect(changed[0]?.params).toMatchObject({ before: '₹2,000.00', limit: '20.0 %' })
  const { rows } = await director.call(homeFigures, {
    dateFrom: addDays(today, -1),
    dateTo: addDays(today, -1),
  })
  expect(rows[0]?.receivedAmount).toBe(90_000)
  // the next ended day is below as well: no new crossing
  await sql`update report_alert a set last_day = a.last_day - 1`.execute(db)
  await judge()
  expect(await told('reports:notification.below')).toHaveLength(1)
})

test('only who reads the daily figures can be told or set limits', async () => {
  const reviewer = await floor.signIn('reviewer')
  const asked = { measure: 'disbursed', kind: 'above', threshold: 1 } as const
  const refused = await manager.refused(saveAlert, { ...asked, told: [reviewer.userId] })
  expect(refused.problem?.id).toBe('G-FIELD')
  expect((await reviewer.refused(listAlerts, {})).problem?.id).toBe('G403')
  const [row] = (await manager.call(listAlerts, {})).rows
  const { alertId = '', version = 0 } = row ?? {}
  expect((await manager.refused(deleteAlert, { alertId, version: version + 1 })).problem?.id).toBe(
    'G409',
  )
  await manager.call(deleteAlert, { alertId, version })
})

const REPORT = {
  list: lendingTrend.path,
  filters: { grain: 'day' },
  columns: [{ field: ['disbursed'], title: 'Disbursed', kind: 'number' as const }],
  title: 'Lending',
  days: 30,
}

test('a report is made once each morning, with the rights its reader has then', async () => {
  const { kysely: db } = floor.database
  await manager.call(saveSubscription, REPORT)
  await director.call(saveSubscription, REPORT)
  await director.call(saveSubscription, { ...REPORT, days: 7 })
  const { rows } = await director.call(listSubscriptions, {})
  expect(rows).toMatchObject([{ title: 'Lending', days: 7 }])
  await sql`
    update sys_role_menu rm set buttons = '{}'
    from sys_role g, sys_menu m
    where g.id = rm.role_id and g.unique_mark = 'manager' and m.id = rm.menu_id
      and m.name = 'Lending_trends'`.execute(db)
  expect(await morningReports.run(floor.context)).toBe('1 reports made')
  expect(await morningReports.run(floor.context)).toBe('')
  await floor.settle()
  const { rows: files } = await sql<{ owner: string; name: string }>`
    select f.owner_id as owner, f.name from file_object f where f.purpose = 'export'`.execute(db)
  expect(files).toHaveLength(1)
  expect(files[0]?.owner).toBe(director.userId)
  expect(files[0]?.name).toMatch(/^Lending_trends-.*\.xlsx$/)
  const notes = await told('jobs:notification.exported')
  expect(notes.map(({ user }) => user)).toEqual([director.userId])
  await director.call(deleteSubscription, { subscriptionId: rows[0]?.subscriptionId ?? '' })
  expect((await director.call(listSubscriptions, {})).rows).toEqual([])
})

test('a list that is no report, or that may not be exported, cannot be had each morning', async () => {
  const reviewer = await floor.signIn('reviewer2').catch(() => floor.signIn('reviewer'))
  expect((await reviewer.refused(saveSubscription, REPORT)).problem?.id).toBe('G403')
  const orders = { ...REPORT, list: '/order/list', filters: {} }
  expect((await director.refused(saveSubscription, orders)).problem?.id).toBe('G403')
})
