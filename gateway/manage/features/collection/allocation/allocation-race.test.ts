/** Concurrent moves and runs on one pool: their locks need a server with several connections. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '#shared/collection/allocation-api.ts'
import { ALLOCATION_MENU } from '#shared/collection/allocation-menu.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { allocateJob, recallJob } from './allocate-cases.ts'
import { allocationRoutes } from './allocation-routes.ts'
import { allocationRunJob } from './allocation-run-job.ts'

let floor: Floor | null
let managers: Person[] = []

beforeAll(async () => {
  floor = await onLocalServer(() =>
    testManage({
      parts: () => ({
        menus: [...ORDERS_MENU, ...SETUP_MENU, ...WORK_MENU, ...ALLOCATION_MENU],
        routes: allocationRoutes,
        jobTypes: [allocationRunJob, allocateJob, recallJob],
      }),
    }),
  )
  if (floor === null) return
  managers = [await floor.signIn('manager'), await floor.signIn('manager2')]
})
afterAll(() => floor?.close())

test('moves of cases to one person at the same moment do not exceed the room left', async () => {
  if (floor === null) return
  const site = floor
  const unit = await makeUnit(site, { name: 'Own', weight: 100 })
  const person = (capacity: number) => makeCollector(site, unit, { stageIds: ['S1'], capacity })
  for (let round = 0; round < 3; round += 1) {
    const taker = await person(2)
    const givers = await Promise.all(Array.from({ length: 5 }, () => person(400)))
    for (const { userId } of givers)
      await makeCase(site, { overdueDays: 5, stageId: 'S1', collectorId: userId })
    await Promise.allSettled(
      givers.map(({ userId }, n) =>
        (managers[n % 2] as Person).call(
          api.launchChange,
          {
            transferType: 'collectorToCollector',
            fromId: userId,
            toId: taker.userId,
            count: 1,
            order: 'oldest',
            reason: 'Away for a week',
          },
          { 'idempotency-key': crypto.randomUUID() },
        ),
      ),
    )
    const { rows } = await sql<{ n: number; open: number }>`
      select count(*)::int as n, max(k.open_cases)::int as open from collection_case c
        join collector k on k.user_id = c.collector_id where c.collector_id = ${taker.userId}`.execute(
      site.database.kysely,
    )
    expect(rows).toEqual([{ n: 2, open: 2 }])
  }
  expect(await brokenInvariants(site.database)).toEqual([])
})
