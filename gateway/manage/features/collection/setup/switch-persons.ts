/** Opens and closes collectors for new cases, switches accounts on and off. */
import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { FORBIDDEN, INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/collection/setup-api.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { endSessions } from '#gateway/manage/features/session/public.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitAllocated, emitPromise, emitRecalled } from '../case-events.ts'
import {
  type CasePlace,
  lockCases,
  moveCase,
  nextCaseState,
  placeOfCollector,
} from '../case-store.ts'
import { barredPeople } from '../upheld-complaints.ts'
import { findPerson } from './person-queries.ts'
import { emitCollector } from './save-person.ts'
import { peopleInScope } from './unit-scope.ts'

const MENU = 'urge_person'

/** Closed means skipped: the collector keeps their cases and gets no new ones. */
export function openAllocation(
  tx: CommandTx,
  { userIds, open }: InputOf<typeof api.openAllocation>,
): Promise<BulkResult> {
  return inBulk(tx, userIds, {
    type: openAllocationJob,
    menu: MENU,
    params: { open },
    known: personsOf(staff(tx.actor), userIds),
  })
}

export const openAllocationJob: JobType = {
  type: 'collector.allocation',
  async row(tx, userId, { open }) {
    const before = await personNow(tx, userId)
    if (before.allocation_flag === open) return
    await sql`
      update sys_user set allocation_flag = ${open}, version = version + 1, updated_at = clock_timestamp()
        where id = ${userId}`.execute(tx.db)
    await sql`
      update collector set version = version + 1, updated_at = clock_timestamp() where user_id = ${userId}`.execute(
      tx.db,
    )
    await emitCollector(tx, userId)
    tx.log({
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
 * Off: the sessions end at once; open cases go to the named colleague, or back to the pool with
 * their promises cancelled.
 * @throws Problem G-FIELD when the colleague is out of scope or one of those switched off
 */
export async function setPersonStatus(
  tx: CommandTx,
  { userIds, status, moveCasesTo }: InputOf<typeof api.setPersonStatus>,
): Promise<BulkResult> {
  const actor = staff(tx.actor)
  if (moveCasesTo !== undefined) {
    if (userIds.includes(moveCasesTo))
      throw new Problem(INVALID_FIELDS, {}, { fields: { moveCasesTo: 'same' } })
    await findPerson(tx.db, actor, moveCasesTo)
  }
  return inBulk(tx, userIds, {
    type: personStatusJob,
    menu: MENU,
    params: { status, moveCasesTo: moveCasesTo ?? null },
    known: personsOf(actor, userIds),
  })
}

export const personStatusJob: JobType = {
  type: 'collector.status',
  async row(tx, userId, { status, moveCasesTo }) {
    if (userId === tx.actor.userId) throw new Problem(FORBIDDEN)
    const before = await personNow(tx, userId)
    if (before.status === status) return
    await sql`
      update sys_user set status = ${status}, frozen_until = null, version = version + 1,
        updated_at = clock_timestamp() where id = ${userId}`.execute(tx.db)
    await sql`
      update collector set version = version + 1, updated_at = clock_timestamp() where user_id = ${userId}`.execute(
      tx.db,
    )
    if (status !== 'normal') {
      await endSessions(tx, userId, 'status')
      await giveUpCases(
        tx,
        userId,
        moveCasesTo === null ? null : await placeOfCollector(tx, String(moveCasesTo)),
      )
    }
    await emitCollector(tx, userId)
    tx.log({
      menu: MENU,
      action: 'status',
      targetKind: 'collector',
      targetId: userId,
      before: { status: before.status },
      after: { status, moveCasesTo },
    })
  },
}

/** Those of `userIds` the caller may switch. */
function personsOf(actor: StaffActor, userIds: readonly string[]): RawBuilder<unknown> {
  return sql`
    select u.id from collector k join sys_user u on u.id = k.user_id
      where u.id = any(${[...userIds]}::text[]) and ${peopleInScope(actor)}`
}

/** @throws Problem G404 for a user who is not (or no longer) a collector */
async function personNow(
  tx: CommandTx,
  userId: string,
): Promise<{ allocation_flag: boolean; status: string }> {
  const { rows } = await sql<{ allocation_flag: boolean; status: string }>`
    select u.allocation_flag, case when u.status = 'enabled' then 'normal' else u.status end as status
      from collector k join sys_user u on u.id = k.user_id where u.id = ${userId} for update of u`.execute(
    tx.db,
  )
  const [row] = rows
  if (!row) throw new Problem(NOT_FOUND)
  return row
}

/**
 * Moves the cases of a switched-off person. A case keeps its stage, so cases of stages the
 * colleague does not serve, or that are barred from them, go to the pool.
 */
export async function giveUpCases(
  tx: CommandTx,
  userId: string,
  target: CasePlace | null,
): Promise<void> {
  const { rows } = await sql<{
    stage_ids: string[]
  }>`select k.stage_ids from collector k where k.user_id = ${target?.collector_id ?? ''}`.execute(
    tx.db,
  )
  const served = rows[0]?.stage_ids ?? []
  const given = await lockCases(
    tx,
    sql<boolean>`c.collector_id = ${userId} and c.state in ('allocated', 'promised')`,
  )
  const barred = await barredPeople(
    tx.db,
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
      emitAllocated(
        tx,
        await moveCase(tx, locked, { to, place: target, cause: 'change', reason: 'ownerDisabled' }),
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
    const moved = await moveCase(tx, locked, {
      to,
      place: { ...locked, collector_id: null },
      cause: 'recall',
      reason: 'ownerDisabled',
      set: hadPromise ? [sql`ptp_state = 'cancelled'`] : [],
    })
    emitRecalled(tx, moved, 'ownerDisabled')
    if (hadPromise) emitPromise(tx, moved)
  }
}
