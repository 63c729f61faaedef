/** Collectors opened and closed for new cases, accounts switched on and off. */
import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { FORBIDDEN, INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/collection/setup-api.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { endSessions } from '#gateway/manage/features/session/public.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { tellAllocated, tellPromise, tellRecalled } from '../case-events.ts'
import {
  type CasePlace,
  lockCases,
  moveCase,
  nextCaseState,
  placeOfCollector,
} from '../case-store.ts'
import { barredPeople } from '../upheld-complaints.ts'
import { findPerson } from './person-queries.ts'
import { tellCollector } from './save-person.ts'
import { peopleInScope } from './unit-scope.ts'

const MENU = 'urge_person'

/** Closed means skipped: he keeps what he has and gets nothing new. */
export function openAllocation(
  cx: Cx,
  { userIds, open }: InputOf<typeof api.openAllocation>,
): Promise<BulkResult> {
  return inBulk(cx, userIds, {
    type: openAllocationJob,
    menu: MENU,
    params: { open },
    known: personsOf(staff(cx.actor), userIds),
  })
}

export const openAllocationJob: JobType = {
  type: 'collector.allocation',
  async row(cx, userId, { open }) {
    const before = await personNow(cx, userId)
    if (before.allocation_flag === open) return
    await sql`update sys_user set allocation_flag = ${open}, version = version + 1, updated_at = clock_timestamp() where id = ${userId}`.execute(
      cx.db,
    )
    await sql`update collector set version = version + 1, updated_at = clock_timestamp() where user_id = ${userId}`.execute(
      cx.db,
    )
    await tellCollector(cx, userId)
    cx.log({
      menu: MENU,
      action: 'allocation',
      targetKind: 'collector',
      targetId: userId,
      before: { allocationFlag: before.allocation_flag },
      after: { allocationFlag: open },
    })
  },
}

/**
 * Off: the sessions end at once, open cases go to the colleague named, or back to the pool with their promises cancelled.
 * @throws Problem G422 when the colleague is nobody the caller sees, or one of those switched off
 */
export async function setPersonStatus(
  cx: Cx,
  { userIds, status, moveCasesTo }: InputOf<typeof api.setPersonStatus>,
): Promise<BulkResult> {
  const actor = staff(cx.actor)
  if (moveCasesTo !== undefined) {
    if (userIds.includes(moveCasesTo))
      throw new Problem(INVALID_FIELDS, {}, { fields: { moveCasesTo: 'same' } })
    await findPerson(cx.db, actor, moveCasesTo)
  }
  return inBulk(cx, userIds, {
    type: personStatusJob,
    menu: MENU,
    params: { status, moveCasesTo: moveCasesTo ?? null },
    known: personsOf(actor, userIds),
  })
}

export const personStatusJob: JobType = {
  type: 'collector.status',
  async row(cx, userId, { status, moveCasesTo }) {
    if (userId === cx.actor.userId) throw new Problem(FORBIDDEN)
    const before = await personNow(cx, userId)
    if (before.status === status) return
    await sql`update sys_user set status = ${status}, frozen_until = null, version = version + 1, updated_at = clock_timestamp() where id = ${userId}`.execute(
      cx.db,
    )
    await sql`update collector set version = version + 1, updated_at = clock_timestamp() where user_id = ${userId}`.execute(
      cx.db,
    )
    if (status !== 'normal') {
      await endSessions(cx, userId, 'status')
      await giveUpCases(
        cx,
        userId,
        moveCasesTo === null ? null : await placeOfCollector(cx, String(moveCasesTo)),
      )
    }
    await tellCollector(cx, userId)
    cx.log({
      menu: MENU,
      action: 'status',
      targetKind: 'collector',
      targetId: userId,
      before: { status: before.status },
      after: { status, moveCasesTo },
    })
  },
}

/** Of `userIds` those the caller may switch. */
function personsOf(actor: StaffActor, userIds: readonly string[]): RawBuilder<unknown> {
  return sql`select u.id from collector k join sys_user u on u.id = k.user_id where u.id = any(${[...userIds]}::text[]) and ${peopleInScope(actor)}`
}

/** @throws Problem G404 when he is no collector (any more) */
async function personNow(
  cx: Cx,
  userId: string,
): Promise<{ allocation_flag: boolean; status: string }> {
  const { rows } = await sql<{ allocation_flag: boolean; status: string }>`
    select u.allocation_flag, case when u.status = 'enabled' then 'normal' else u.status end as status from collector k join sys_user u on u.id = k.user_id where u.id = ${userId} for update of u`.execute(
    cx.db,
  )
  const [row] = rows
  if (!row) throw new Problem(NOT_FOUND)
  return row
}

/** The cases of a person who works no more. A case's stage is kept, so the colleague must serve it; those he does not serve, or must not be given, go to the pool. */
export async function giveUpCases(cx: Cx, userId: string, target: CasePlace | null): Promise<void> {
  const { rows } = await sql<{
    stage_ids: string[]
  }>`select k.stage_ids from collector k where k.user_id = ${target?.collector_id ?? ''}`.execute(
    cx.db,
  )
  const served = rows[0]?.stage_ids ?? []
  const given = await lockCases(
    cx,
    sql<boolean>`c.collector_id = ${userId} and c.state in ('allocated', 'promised')`,
  )
  const barred = await barredPeople(
    cx.db,
    sql<boolean>`c.id = any(${given.map(({ id }) => id)}::text[])`,
  )
  for (const locked of given) {
    if (
      target?.collector_id != null &&
      served.includes(locked.stage_id) &&
      !barred.get(locked.id)?.includes(target.collector_id)
    ) {
      const to = nextCaseState(locked, {
        type: 'TRANSFER',
        sameStage: true,
        reason: 'ownerDisabled',
      })
      tellAllocated(
        cx,
        await moveCase(cx, locked, { to, place: target, cause: 'change', reason: 'ownerDisabled' }),
        'change',
      )
      continue
    }
    const hadPromise = locked.state === 'promised'
    const to = nextCaseState(locked, {
      type: 'AGENCY_RECALL',
      cause: 'ownerDisabled',
      reason: 'ownerDisabled',
    })
    const moved = await moveCase(cx, locked, {
      to,
      place: { ...locked, collector_id: null },
      cause: 'recall',
      reason: 'ownerDisabled',
      set: hadPromise ? [sql`ptp_state = 'cancelled'`] : [],
    })
    tellRecalled(cx, moved, 'ownerDisabled')
    if (hadPromise) tellPromise(cx, moved)
  }
}
