import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkRule, mendCounter } from '#gateway/manage/db/check-invariants.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeManyCases } from '#tests/factories/many-cases.ts'
import { makeThreeAgencies, type ThreeAgencies } from '#tests/factories/units.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { CASE_COUNTS, foldCaseCounts } from './case-counts.ts'

let floor: Floor
let three: ThreeAgencies
beforeAll(async () => {
  floor = await testManage()
  three = await makeThreeAgencies(floor)
})
afterAll(() => floor.close())

const rule = () => checkRule(floor.database.kysely, 'C10')
async function counted(): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select sum(k.going)::int as going, sum(k.open)::int as open, sum(k.unallocated)::int as unallocated,
      sum(k.undated)::int as undated, sum(k.not_contacted)::int as "notContacted",
      sum(k.held)::int as held, sum(k.ended)::int as ended, sum(k.contacted)::int as contacted
    from ${CASE_COUNTS} k`.execute(floor.database.kysely)
  return rows[0] as Record<string, number>
}

test('counts follow every way in which cases change, one or many at a time', async () => {
  const { kysely } = floor.database
  const collectorId = three.people[0]?.[0]?.userId ?? ''
  await makeCase(floor, { collectorId })
  const pooled = await makeCase(floor)
  await makeManyCases(floor, { count: 300, stageIds: ['M1', 'M2'] })
  expect(await counted()).toEqual({
    going: 302,
    open: 302,
    unallocated: 301,
    undated: 1,
    notContacted: 1,
    held: 0,
    ended: 0,
    contacted: 0,
  })
  const many = (set: ReturnType<typeof sql>, which = sql`true`) =>
    sql`update collection_case c set ${set} where c.id like 'XA%' and ${which}`.execute(kysely)
  await many(sql`outstanding = outstanding + 1, stage_id = 'S1'`)
  await many(
    sql`state = 'allocated', collector_id = ${collectorId}, allocated_at = clock_timestamp()`,
    sql`c.id < 'XA0000100'`,
  )
  await foldCaseCounts(kysely)
  await many(
    sql`last_follow_at = clock_timestamp(), next_follow_at = clock_timestamp() + interval '1 day'`,
    sql`c.id < 'XA0000060'`,
  )
  await many(
    sql`state = 'closed', end_reason = 'repaid', ended_at = clock_timestamp()`,
    sql`c.id < 'XA0000020'`,
  )
  await many(
    sql`state = 'held', end_reason = 'deceased', collector_id = null`,
    sql`c.id >= 'XA0000020' and c.id < 'XA0000030'`,
  )
  await sql`update collection_case set state = 'held' where id = ${pooled.caseId}`.execute(kysely)
  await sql`delete from case_allocation m where m.case_id like 'XA00002%'`.execute(kysely)
  await sql`delete from collection_case c where c.id like 'XA00002%'`.execute(kysely)
  await foldCaseCounts(kysely)
  // 20 closed, 10 ended by hand, 70 in hand, 100 waiting, 100 deleted, and the two of before
  expect(await counted()).toEqual({
    going: 182,
    open: 172,
    unallocated: 100,
    undated: 41,
    notContacted: 41,
    held: 1,
    ended: 20,
    contacted: 60,
  })
  expect(await rule()).toMatchObject({ violations: 0 })
})

test('what is rolled back is not counted, and adding up twice at once counts once', async () => {
  const before = await counted()
  await expect(
    inTransaction(floor.database, async (trx) => {
      await sql`update collection_case set outstanding = outstanding + 5 where state <> 'closed'`.execute(
        trx,
      )
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await sql`update collection_case set outstanding = outstanding + 5 where state <> 'closed'`.execute(
    floor.database.kysely,
  )
  await Promise.all([
    foldCaseCounts(floor.database.kysely),
    foldCaseCounts(floor.database.kysely),
    sql`update collection_case set outstanding = outstanding - 5 where state <> 'closed'`.execute(
      floor.database.kysely,
    ),
  ])
  expect(await counted()).toEqual(before)
  expect(await rule()).toMatchObject({ violations: 0 })
})

test('a count that drifted is found by its place and counted again', async () => {
  const { kysely } = floor.database
  await foldCaseCounts(kysely)
  await sql`
    update case_count set open = open + 3 where stage_id = 'S1' and collector_id = '' and open > 0`.execute(
    kysely,
  )
  expect(await rule()).toMatchObject({ violations: 1, sample: ['S1'] })
  expect(await mendCounter(kysely, 'C10')).toBe(1)
  expect(await rule()).toMatchObject({ violations: 0 })
})
