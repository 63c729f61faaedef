/** A unit with two collectors and their leader at eleven in the morning, for the browser files. */
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import type { Stack } from '#tests/support/stack.ts'

export const CASE_LIST = '/loaned_management/pedding_list'

interface Member {
  userId: string
  account: string
}

export interface CollectionFloor {
  clock: TestClock
  unit: Unit
  asha: Member
  bina: Member
  leader: Member
}

export async function openCollectionFloor(stack: Stack): Promise<CollectionFloor> {
  const clock = await testClock(stack.database)
  await clock.to('11:00')
  // The test allocates, not the schedule.
  await sql`update sys_config set value = '' where code = 'collection.allocationTimes'`.execute(
    stack.database.kysely,
  )
  const unit = await makeUnit(stack, { weight: 100, inHouse: true })
  return {
    clock,
    unit,
    asha: await makeCollector(stack, unit),
    bina: await makeCollector(stack, unit),
    leader: await makeLeader(stack, unit, 'internal_supervisor'),
  }
}

export function panel(page: Page): Locator {
  return page.getByRole('region', { name: /^Case of / })
}
