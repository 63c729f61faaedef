/** Collectors opened and closed for new cases, accounts switched on and off. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { FORBIDDEN, INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/collection/setup-api.ts'
import { rowByRow } from '#gateway/manage/kernel/row-by-row.ts'
import { endSessions } from '#gateway/manage/features/session/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { tellAllocated, tellPromise, tellRecalled } from '../case-events.ts'
import { type CasePlace, lockCases, moveCase, nextCaseState, placeOfCollector } from '../case-store.ts'
import { findPerson } from './person-queries.ts'
import { tellCollector } from './save-person.ts'

/** Closed means skipped: he keeps what he has and gets nothing new. */
export function openAllocation(cx: Cx, { userIds, open }: InputOf<typeof api.openAllocation>): Promise<BulkResult> {
  const actor = staff(cx.actor)
  return rowByRow(userIds, async (userId) => {
    const before = await findPerson(cx.db, actor, userId)
    if (before.allocationFlag === open) return
    await sql`update sys_user set allocation_flag = ${open}, version = version + 1, updated_at = clock_timestamp() where id = ${userId}`.execute(cx.db)
    await sql`update collector set version = version + 1, updated_at = clock_timestamp() where user_id = ${userId}`.execute(cx.db)
    await tellCollector(cx, userId)
    cx.log({ action: 'allocation', targetKind: 'collector', targetId: userId, before: { allocationFlag: before.allocationFlag }, after: { allocationFlag: open } })
  })
}

/**
 * Off: the sessions end at once, open cases go to the colleague named, or back to the pool with their promises cancelled.
 * @throws Problem G422 when the colleague is nobody the caller sees, or one of those switched off
 */
export async function setPersonStatus(cx: Cx, { userIds, status, moveCasesTo }: InputOf<typeof api.setPersonStatus>): Promise<BulkResult> {
  const actor = staff(cx.actor)
  let target: CasePlace | null = null
  if (moveCasesTo !== undefined) {
    if (userIds.includes(moveCasesTo)) throw new Problem(INVALID_FIELDS, {}, { fields: { moveCasesTo: 'same' } })
    await findPerson(cx.db, actor, moveCasesTo)
    target = await placeOfCollector(cx, moveCasesTo)
  }
  return rowByRow(userIds, async (userId) => {
    if (userId === actor.userId) throw new Problem(FORBIDDEN)
    const before = await findPerson(cx.db, actor, userId)
    if (before.status === status) return
    await sql`update sys_user set status = ${status}, frozen_until = null, version = version + 1, updated_at = clock_timestamp() where id = ${userId}`.execute(cx.db)
    await sql`update collector set version = version + 1, updated_at = clock_timestamp() where user_id = ${userId}`.execute(cx.db)
    if (status !== 'normal') {
      await endSessions(cx, userId, 'status')
      await giveUpCases(cx, userId, target)
    }
    await tellCollector(cx, userId)
    cx.log({ action: 'status', targetKind: 'collector', targetId: userId, before: { status: before.status }, after: { status, moveCasesTo: moveCasesTo ?? null } })
  })
}

/** The cases of a person who works no more. A case's stage is kept, so the colleague must serve it; those he does not serve go to the pool. */
export async function giveUpCases(cx: Cx, userId: string, target: CasePlace | null): Promise<void> {
  const { rows } = await sql<{ stage_ids: string[] }>`select k.stage_ids from collector k where k.user_id = ${target?.collector_id ?? ''}`.execute(cx.db)
  const served = rows[0]?.stage_ids ?? []
  for (const locked of await lockCases(cx, sql<boolean>`c.collector_id = ${userId} and c.state in ('allocated', 'promised')`)) {
    if (target !== null && served.includes(locked.stage_id)) {
      const to = nextCaseState(locked, { type: 'TRANSFER', sameStage: true, reason: 'ownerDisabled' })
      tellAllocated(cx, await moveCase(cx, locked, { to, place: target, cause: 'change', reason: 'ownerDisabled' }), 'change')
      continue
    }
    const hadPromise = locked.state === 'promised'
    const to = nextCaseState(locked, { type: 'AGENCY_RECALL', cause: 'ownerDisabled', reason: 'ownerDisabled' })
    const moved = await moveCase(cx, locked, { to, place: { ...locked, collector_id: null }, cause: 'recall', reason: 'ownerDisabled', set: hadPromise ? [sql`ptp_state = 'cancelled'`] : [] })
    tellRecalled(cx, moved, 'ownerDisabled')
    if (hadPromise) tellPromise(cx, moved)
  }
}
