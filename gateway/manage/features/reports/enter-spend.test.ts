/** Managers enter the cost of advertising, which is published as a change. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#shared/kernel/time.ts'
import { reportChanges } from '#shared/reports/changes-api.ts'
import { deliveryReport, enterSpend, listSpend } from '#shared/reports/delivery-api.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { RANGE, TODAY } from '#tests/support/report-counts.ts'

let floor: Floor
let director: Person
beforeAll(async () => {
  floor = await testManage()
  await sql`
    insert into channel (id, code, name, kind) values ('CH1', 'test', 'Test', 'organic')
    on conflict do nothing`.execute(floor.database.kysely)
  director = await floor.signIn('director')
})
afterAll(() => floor.close())

test('spend is entered once per day, channel and campaign, and corrected by its version', async () => {
  const manager = await floor.signIn('manager')
  const entry = { date: TODAY, channelId: 'CH1', campaign: 'Diwali', spend: 500_000 }
  const before = await director.call(deliveryReport, { ...RANGE, channelId: 'CH1' })
  const row = await manager.call(enterSpend, { ...entry, clicks: 12 })
  expect(row).toMatchObject({ ...entry, impressions: null, clicks: 12, version: 1 })
  const again = await manager.refused(enterSpend, entry)
  expect([again.problem?.id, again.data]).toMatchObject(['G409', { version: 1, spend: 500_000 }])
  const corrected = await manager.call(enterSpend, { ...entry, spend: 750_000, version: 1 })
  expect(corrected).toMatchObject({ spend: 750_000, clicks: null, version: 2 })
  expect((await manager.refused(enterSpend, { ...entry, version: 1 })).problem?.id).toBe('G409')
  const { problem } = await manager.refused(enterSpend, { ...entry, date: addDays(TODAY, 1) })
  expect(problem?.id).toBe('G-FIELD')
  expect((await manager.refused(enterSpend, { ...entry, channelId: 'CH9' })).problem?.id).toBe(
    'G-FIELD',
  )
  expect((await director.refused(enterSpend, entry)).problem?.id).toBe('G403')
  const after = await director.call(deliveryReport, { ...RANGE, channelId: 'CH1' })
  expect((after.sum.spend ?? 0) - (before.sum.spend ?? 0)).toBe(750_000)
  const list = await director.call(listSpend, { channelId: 'CH1' })
  expect(list.rows).toMatchObject([{ spend: 750_000, updatedBy: row.updatedBy, version: 2 }])
  const events = (await floor.events()).filter(({ subject }) => subject === 'rollup:spend')
  expect(events.map(({ rooms }) => rooms)).toEqual([['menu:delivery_data'], ['menu:delivery_data']])
})

test('the first spend of a campaign and a changed parameter are told as changes, with who', async () => {
  const { kysely: db } = floor.database
  await sql`
    insert into operate_log (user_name, menu, action, target_kind, target_id, after, result)
    values ('Someone', 'conf', 'edit', 'config', 'K1', '{"code": "review.maxClaimed", "value": "5"}', 'ok'),
      ('Someone', 'conf', 'edit', 'config', 'K1', '{"code": "review.maxClaimed"}', 'refused:G409'),
      ('vendorBreaker', 'three_config', 'breaker', 'configuration', 'TC1', '{"state": "open"}', 'ok')`.execute(
    db,
  )
  const { rows, isCut } = await director.call(reportChanges, { dateFrom: TODAY, dateTo: TODAY })
  expect(isCut).toBe(false)
  expect(rows.map(({ kind, what, by }) => ({ kind, what, by }))).toEqual(
    expect.arrayContaining([
      { kind: 'parameter', what: 'review.maxClaimed', by: 'Someone' },
      { kind: 'outage', what: 'TC1', by: 'vendorBreaker' },
    ]),
  )
  expect(rows.filter(({ kind }) => kind === 'parameter')).toHaveLength(1)
  expect(rows.some(({ kind }) => kind === 'spend')).toBe(true)
})
