/** Every role with its unit and rows in every list, for a visit of all screens. */
import { sql } from 'kysely'
import { addStop } from '#shared/collection/stops-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { makeCollector, makeUnit, type Unit } from '#tests/factories/units.ts'
import type { Floor } from '#tests/support/manage.ts'

export interface StaffedFloor {
  unit: Unit
  /** Ids for the pages of one record. */
  orderId: string
  reviewId: string
  /** Held by `collector`. */
  caseId: string
}

/**
 * Collectors and leaders are in one department of an in-house agency, `external_supervisor` in an
 * outside one.
 */
export async function makeStaffedFloor(floor: Floor): Promise<StaffedFloor> {
  const unit = await makeUnit(floor, { weight: 60, inHouse: true })
  const outside = await makeUnit(floor, { weight: 40, inHouse: false })
  const { userId } = await makeCollector(floor, unit, { account: 'collector' })
  await makeCollector(floor, unit, {
    account: 'collection_specialist',
    role: 'collection_specialist',
  })
  await makeCollector(floor, outside)
  const place = (account: string, { agencyId, departmentId, groupId }: Unit) =>
    sql`
      update sys_user set agency_id = ${agencyId}, department_id = ${departmentId}, group_id = ${groupId}
        where account = ${account}`.execute(floor.database.kysely)
  await place('team_leader', unit)
  await place('internal_supervisor', unit)
  await place('external_supervisor', outside)
  const [reviewer, manager] = await Promise.all([floor.signIn('reviewer'), floor.signIn('manager')])
  await makeReview(floor, { state: 'unclaimed', waitedMinutes: 12 })
  const { reviewId, orderId } = await makeReview(floor, {
    state: 'manualCheck',
    firstReviewerId: reviewer.userId,
  })
  await makeOrder(floor, { status: 30 })
  await makeCase(floor, { overdueDays: 12 })
  await makeCase(floor, { overdueDays: 0 })
  await makeCase(floor, { collectorId: userId, state: 'closed', overdueDays: 5 })
  await makeCase(floor, { collectorId: userId, state: 'promised', overdueDays: 3 })
  const { customerId } = await makeCase(floor, { collectorId: userId, overdueDays: 4 })
  const { caseId } = await makeCase(floor, { collectorId: userId, overdueDays: 8 })
  await manager.call(addStop, {
    userId: customerId,
    reason: 'legal',
    remark: 'A court has the case',
  })
  return { unit, orderId, reviewId, caseId }
}
