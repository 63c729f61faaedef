/** Limits of daily figures, and reports that are made each morning. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { alertReaders, deleteAlert, listAlerts, saveAlert } from '#shared/reports/alerts-api.ts'
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
import type { OutgoingMessage } from '#gateway/manage/vendors/message-vendor.ts'
import { morningReports } from '../subscriptions/morning-job.ts'
import { morningMail } from '../subscriptions/morning-mail-job.ts'
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

async function notificationsOf(
  titleKey: string,
): Promise<{ user: string; params: Record<string, string> }[]> {
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
  expect(await notificationsOf('reports:notification.above')).toEqual([])
  for (let n = 0; n < 2; n += 1) await makeOrder(floor, { status: 30 })
  await refreshed()
  await judge()
  await makeOrder(floor, { status: 30 })
  await refreshed()
  expect(await judge()).toEqual({ limitsCrossed: 0 })
  const notes = await notificationsOf('reports:notification.above')
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
  const below = await notificationsOf('reports:notification.below')
  expect(below).toHaveLength(1)
  expect(below[0]?.params).toMatchObject({ day: addDays(today, -1), value: '₹900.00' })
  const changed = await notificationsOf('reports:notification.change')
  expect(changed).toHaveLength(1)
  expect(changed[0]?.params).toMatchObject({ before: '₹2,000.00', limit: '20.00 %' })
  const { rows } = await director.call(homeFigures, {
    dateFrom: addDays(today, -1),
    dateTo: addDays(today, -1),
  })
  expect(rows[0]?.receivedAmount).toBe(90_000)
  // the next ended day is below as well: no new crossing
  await sql`update report_alert a set last_day = a.last_day - 1`.execute(db)
  await judge()
  expect(await notificationsOf('reports:notification.below')).toHaveLength(1)
})

test('a row of any report may get a limit, and a share is judged when its cohort is complete', async () => {
  const { kysely: db } = floor.database
  const { rows: days } = await sql<{ today: string }>`
    select ist_day(clock_timestamp())::text as today`.execute(db)
  const due = addDays(days[0]?.today ?? '', -8)
  const reader = [director.userId]
  await manager.call(saveAlert, {
    report: 'bucket',
    measure: 'overdueRate',
    part: 'T7',
    kind: 'above',
    threshold: 2_000,
    filters: { appId: 'A1' },
    told: reader,
  })
  const cohort = (day: string, paid: number) =>
    sql`
      with due as (
        insert into report_cohort (due_day, app_id, product_id, tag, department_id, plans, due_amount,
          extended, reduced, written_off, open_plans, open_amount)
        values (${day}::date, 'A1', 'P', 'firstLoan', '', 1, 1000, 0, 0, 0, 1, ${1000 - paid})
      )
      insert into report_curve (due_day, app_id, product_id, tag, department_id, at_day, settled, paid)
      values (${day}::date, 'A1', 'P', 'firstLoan', '', 2, 0, ${paid})`.execute(db)
  // the younger one may still be paid within its seven days
  await cohort(addDays(due, 1), 0)
  await cohort(due, 700)
  await judge()
  const notes = await notificationsOf('reports:notification.aboveRow')
  expect(notes).toMatchObject([
    {
      user: director.userId,
      params: { report: 'bucket', part: 'T7', day: due, value: '30.00 %', limit: '20.00 %' },
    },
  ])
  const [row] = (await director.call(listAlerts, {})).rows
  expect(row).toMatchObject({ report: 'bucket', filterNames: { appId: expect.any(String) } })
})

test('a limit names a figure, a row and filters that its report has', async () => {
  const asked = { kind: 'above', threshold: 1, told: [director.userId] } as const
  for (const wrong of [
    { report: 'lending', measure: 'registrations' },
    { report: 'lending', measure: 'disbursed', part: 'T7' },
    { report: 'lending', measure: 'disbursed', filters: { channelId: 'CH1' } },
    { report: 'process', measure: 'reached' },
    { report: 'process', measure: 'reached', part: 'paid' },
    { report: 'risk', measure: 'hits', part: 'auto' },
    { report: 'bucket', measure: 'overdueRate', part: '11-30', kind: 'change' },
  ] as const)
    expect((await manager.refused(saveAlert, { ...asked, ...wrong })).problem?.id).toBe('G-FIELD')
  // a supervisor sees the own unit only, so is not told of all
  const { people } = await manager.call(alertReaders, { report: 'recall' })
  expect(people.map(({ userId }) => userId)).toContain(director.userId)
  const supervisor = await floor.signIn('internal_supervisor')
  expect(people.map(({ userId }) => userId)).not.toContain(supervisor.userId)
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
  expect(await morningReports.run(floor.context)).toEqual({ created: 1 })
  expect(await morningReports.run(floor.context)).toEqual({ created: 0 })
  await floor.settle()
  const { rows: files } = await sql<{ owner: string; name: string }>`
    select f.owner_id as owner, f.name from file_object f where f.purpose = 'export'`.execute(db)
  expect(files).toHaveLength(1)
  expect(files[0]?.owner).toBe(director.userId)
  expect(files[0]?.name).toMatch(/^Lending_trends-.*\.xlsx$/)
  const notes = await notificationsOf('jobs:notification.exported')
  expect(notes.map(({ user }) => user)).toEqual([director.userId])
  await director.call(deleteSubscription, { subscriptionId: rows[0]?.subscriptionId ?? '' })
  expect((await director.call(listSubscriptions, {})).rows).toEqual([])
})

test('a reader is told by e-mail once, by a link without a figure', async () => {
  const { kysely: db } = floor.database
  const sent: OutgoingMessage[] = []
  let isDown = true
  const job = morningMail({
    code: 'V',
    send: (message) => {
      if (isDown) return Promise.reject(new Error('down'))
      sent.push(message)
      return Promise.resolve({ accepted: true, vendorRef: 'R1' })
    },
  })
  const asked = { ...REPORT, byEmail: true }
  await director.call(saveSubscription, asked)
  expect((await director.call(listSubscriptions, {})).noEmail).toBe('noConsole')
  await sql`
    update sys_config set value = 'https://console.example' where code = 'report.consoleAddress'`.execute(
    db,
  )
  floor.context.parameters.forget()
  await sql`update sys_user set email = 'd@lender.example' where id = ${director.userId}`.execute(
    db,
  )
  expect((await director.call(listSubscriptions, {})).noEmail).toBeNull()
  await morningReports.run(floor.context)
  expect(await job.run(floor.context)).toEqual({ sent: 0, notReached: 0 })
  await floor.settle()
  expect(await job.run(floor.context)).toEqual({ sent: 0, notReached: 1 })
  isDown = false
  expect(await job.run(floor.context)).toEqual({ sent: 0, notReached: 0 })
  await sql`update report_subscription set mail_tried_at = mail_tried_at - interval '1 hour'`.execute(
    db,
  )
  expect(await job.run(floor.context)).toEqual({ sent: 1, notReached: 0 })
  expect(await job.run(floor.context)).toEqual({ sent: 0, notReached: 0 })
  expect(sent).toMatchObject([{ way: 'email', to: 'd@lender.example', template: 'reportReady' }])
  expect(Object.keys(sent[0]?.params ?? {})).toEqual(['link'])
  expect(sent[0]?.params.link).toMatch(/^https:\/\/console\.example\/home_page\?job=J\d+$/)
})

test('a list that is no report, or that may not be exported, cannot be had each morning', async () => {
  const reviewer = await floor.signIn('reviewer2').catch(() => floor.signIn('reviewer'))
  expect((await reviewer.refused(saveSubscription, REPORT)).problem?.id).toBe('G403')
  const orders = { ...REPORT, list: '/order/list', filters: {} }
  expect((await director.refused(saveSubscription, orders)).problem?.id).toBe('G403')
})

test('a limit is written as the screens write figures', async () => {
  const base = { told: [director.userId], kind: 'below' as const }
  await manager.call(saveAlert, { ...base, measure: 'newTickets', threshold: 150_000 })
  await judge()
  const notes = await notificationsOf('reports:notification.below')
  expect(notes.find(({ params }) => params.measure === 'newTickets')?.params).toMatchObject({
    value: '0',
    limit: '1,50,000',
  })
})
