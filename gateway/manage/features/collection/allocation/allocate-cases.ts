/**
 * Assigns cases by hand to a person, or places them with an agency or a department, whose
 * supervisor assigns them; and recalls them.
 */
import { sql } from 'kysely'
import type {
  allocateCases as allocateCall,
  recallCases as recallCall,
} from '#shared/collection/cases-api.ts'
import type { CollectorFacts } from '#shared/collection/case-lifecycle.ts'
import { COLLECTION_STOPPED_OPEN, NO_COLLECTOR } from '#shared/collection/collection-problems.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { Job, JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import { endTasksOfCase } from '#gateway/manage/features/ai-calls/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { casesInScope } from '../case-scope.ts'
import { logCase, notifyAboutCase, emitAllocated } from '../case-events.ts'
import {
  type CasePlace,
  type LockedCase,
  lockCase,
  moveCase,
  nextCaseState,
  placeOfCollector,
} from '../case-store.ts'
import { recallCase } from '../cases/recall-case.ts'
import { AGENCY_WORKS, IS_CERTIFIED, IS_ENABLED, isOnDuty } from '../setup/duty.ts'
import { agenciesInScope, departmentsInScope, peopleInScope } from '../setup/unit-scope.ts'
import { isBarred } from '../upheld-complaints.ts'

const MENU = 'pedding_list'
const ANY = sql<boolean>`true`

/**
 * @throws Problem G-SEL, G-MAX, G-FIELD without exactly one target or without a reason for a case that
 * has a holder, G404 for a target outside the caller's units; `failed` has C-STATE, C-NONE, C-HELD
 * and G-FIELD per row
 */
export async function allocateCases(
  tx: CommandTx,
  { caseIds, collectorId, agencyId, departmentId, reason }: InputOf<typeof allocateCall>,
): Promise<BulkResult> {
  const actor = staff(tx.actor)
  if ([collectorId, agencyId, departmentId].filter((target) => target !== undefined).length !== 1)
    throw new Problem(INVALID_FIELDS, {}, { fields: { collectorId: 'required' } })
  const unit =
    collectorId === undefined ? await unitToPlace(tx, actor, { agencyId, departmentId }) : null
  if (collectorId !== undefined) await requirePerson(tx, actor, collectorId)
  return inScope(tx, actor, caseIds, allocateJob, {
    collectorId: collectorId ?? null,
    agencyId: unit?.agencyId ?? null,
    departmentId: unit?.departmentId ?? null,
    reason: reason ?? null,
  })
}

/** @throws Problem G-SEL, G-MAX; `failed` has C-STATE per row */
export async function recallCases(
  tx: CommandTx,
  { caseIds, reason }: InputOf<typeof recallCall>,
): Promise<BulkResult> {
  return inScope(tx, staff(tx.actor), caseIds, recallJob, { reason })
}

export const allocateJob: JobType = {
  type: 'collection.allocate',
  async row(tx, caseId, params) {
    const locked = await lockCase(tx, caseId, ANY)
    if (params.collectorId === null)
      await placeWithUnit(tx, locked, {
        agencyId: String(params.agencyId),
        departmentId: params.departmentId == null ? null : String(params.departmentId),
      })
    else
      await giveTo(
        tx,
        locked,
        String(params.collectorId),
        params.reason === null ? null : String(params.reason),
      )
  },
  ended: notifyAtEnd,
}

export const recallJob: JobType = {
  type: 'collection.recall',
  async row(tx, caseId, params) {
    await recallCase(tx, await lockCase(tx, caseId, ANY), {
      cause: 'leader',
      reason: String(params.reason),
      menu: MENU,
    })
  },
  ended: notifyAtEnd,
}

/**
 * Transfers a case that has a holder inside its stage, or allocates one from the pool.
 * @throws Problem C-NONE, C-STATE, C-HELD, G-FIELD
 */
async function giveTo(
  tx: CommandTx,
  locked: LockedCase,
  collectorId: string,
  reason: string | null,
): Promise<void> {
  if (locked.collector_id === collectorId && locked.state !== 'held') return
  const { place, facts } = await targetOf(tx, collectorId, locked.stage_id)
  const isPool = locked.state === 'unallocated'
  // a new case needs a receiver on duty, a colleague's case does not
  if (
    !facts.enabled ||
    !facts.participates ||
    !facts.certified ||
    !facts.servesStage ||
    !facts.underCapacity ||
    (isPool && !facts.onDuty)
  )
    throw new Problem(NO_COLLECTOR, { stage: locked.stage_id }, { facts })
  // the reason is not given: the complaint may be about the caller
  if (await isBarred(tx.db, locked.id, collectorId))
    throw new Problem(NO_COLLECTOR, { stage: locked.stage_id }, { facts })
  const { rows } = await sql`
      select from stop_collection x where x.customer_id = ${locked.customer_id} and x.state = 'active'`.execute(
    tx.db,
  )
  if (rows.length > 0) throw new Problem(COLLECTION_STOPPED_OPEN)
  if (!isPool && (reason ?? '').trim() === '')
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const to = isPool
    ? nextCaseState(
        {
          id: locked.id,
          state: nextCaseState(locked, { type: 'RUN_ALLOCATION', stageEnabled: true }),
        },
        { type: 'ALLOCATED', ...facts },
      )
    : nextCaseState(locked, { type: 'TRANSFER', sameStage: true, reason: reason ?? '' })
  const moved = await moveCase(tx, locked, { to, place, cause: 'manual', reason })
  await endTasksOfCase(tx, moved.id)
  emitAllocated(tx, moved, 'manual')
  logCase(tx, MENU, 'allocate', moved, { reason })
}

interface UnitPlace {
  agencyId: string
  departmentId: string | null
}

/** Places a case with a unit, without a collector. @throws Problem C-STATE */
async function placeWithUnit(
  tx: CommandTx,
  locked: LockedCase,
  { agencyId, departmentId }: UnitPlace,
): Promise<void> {
  // only what could be allocated can be placed
  nextCaseState(locked, { type: 'RUN_ALLOCATION', stageEnabled: true })
  if (
    locked.agency_id === agencyId &&
    locked.department_id === departmentId &&
    locked.group_id === null
  )
    return
  const moved = await moveCase(tx, locked, {
    to: 'unallocated',
    place: { agency_id: agencyId, department_id: departmentId, group_id: null, collector_id: null },
    cause: 'manual',
  })
  emitAllocated(tx, moved, 'manual')
  logCase(tx, MENU, 'allocate', moved, { agencyId, departmentId })
}

async function targetOf(
  tx: CommandTx,
  collectorId: string,
  stageId: string,
): Promise<{ place: CasePlace; facts: CollectorFacts }> {
  // the collector's account, unit and agency are read by statements after the lock: a statement
  // that waited for the lock sees their old values
  const locking = sql`select from collector k where k.user_id = ${collectorId} for update`.execute(
    tx.db,
  )
  const placing = placeOfCollector(tx, collectorId)
  const reading = sql<CollectorFacts>`
    select ${IS_ENABLED} and coalesce(${AGENCY_WORKS}, false) as enabled, u.allocation_flag as participates,
      ${isOnDuty('u.id')} as "onDuty", ${IS_CERTIFIED} is true as certified,
      ${stageId} = any(k.stage_ids) as "servesStage", k.open_cases < k.capacity as "underCapacity"
    from collector k join sys_user u on u.id = k.user_id left join agency a on a.id = u.agency_id
      where k.user_id = ${collectorId}`.execute(tx.db)
  const [, place, { rows }] = await Promise.all([locking, placing, reading])
  if (place === null || rows[0] === undefined) throw new Problem(NOT_FOUND)
  return { place, facts: rows[0] }
}

async function requirePerson(tx: CommandTx, actor: StaffActor, collectorId: string): Promise<void> {
  const { rows } = await sql`
      select from collector k join sys_user u on u.id = k.user_id where u.id = ${collectorId}
        and ${peopleInScope(actor)}`.execute(tx.db)
  if (rows.length === 0) throw new Problem(NOT_FOUND)
}

/** An agency that may have cases, or a department of one, inside the caller's units. */
async function unitToPlace(
  tx: CommandTx,
  actor: StaffActor,
  { agencyId, departmentId }: { agencyId: string | undefined; departmentId: string | undefined },
): Promise<UnitPlace> {
  const { rows } =
    departmentId === undefined
      ? await sql<UnitPlace>`
        select a.id as "agencyId", null::text as "departmentId" from agency a where a.id = ${agencyId ?? ''}
          and ${AGENCY_WORKS} and ${agenciesInScope(actor)}`.execute(tx.db)
      : await sql<UnitPlace>`
        select a.id as "agencyId", d.id as "departmentId" from department d
          join agency a on a.id = d.agency_id where d.id = ${departmentId} and ${AGENCY_WORKS}
          and ${departmentsInScope(actor)}`.execute(tx.db)
  const unit = rows[0]
  if (!unit) throw new Problem(NOT_FOUND)
  return unit
}

/** A synchronous call notifies each person here, a job at its end. */
async function inScope(
  tx: CommandTx,
  actor: StaffActor,
  caseIds: readonly string[],
  type: JobType,
  params: Record<string, unknown>,
): Promise<BulkResult> {
  const { rows } = await sql<{
    id: string
    holder: string | null
  }>`
    select c.id, c.collector_id as holder
    from collection_case c
    where c.id = any(${[...caseIds]}::text[]) and ${casesInScope(actor)}`.execute(tx.db)
  const holders = new Map(rows.map(({ id, holder }) => [id, holder]))
  const result = await inBulk(tx, caseIds, {
    type,
    menu: MENU,
    params,
    known: sql`select unnest(${[...holders.keys()]}::text[])`,
  })
  const to = typeof params.collectorId === 'string' ? params.collectorId : null
  notifyPeople(
    tx,
    result.ok.flatMap((id) =>
      (holders.get(id) ?? null) === to ? [] : [{ id, from: holders.get(id) ?? null, to }],
    ),
  )
  return result
}

/** One notification for each person, not one for each case. */
async function notifyAtEnd(tx: CommandTx, job: Job): Promise<void> {
  const { rows } = await sql<{ id: string; from: string | null; to: string | null }>`
    select m.case_id as id, m.from_user_id as "from", m.to_user_id as "to" from job_row r
      join job j on j.id = r.job_id join case_allocation m on m.case_id = r.target_id
    where r.job_id = ${job.id} and r.state = 'ok' and m.at >= j.created_at and m.by_user_id is not distinct
      from ${job.userId}::text and m.from_user_id is distinct from m.to_user_id order by m.id`.execute(
    tx.db,
  )
  notifyPeople(tx, rows)
}

function notifyPeople(
  tx: CommandTx,
  moves: readonly { id: string; from: string | null; to: string | null }[],
): void {
  for (const [side, kind, title] of [
    ['to', 'assigned', 'Allocated'],
    ['from', 'taken', 'Recalled'],
  ] as const) {
    const byPerson = new Map<string, string[]>()
    for (const move of moves)
      if (move[side] !== null)
        byPerson.set(move[side], [...(byPerson.get(move[side]) ?? []), move.id])
    for (const [userId, ids] of byPerson) {
      if (ids.length === 1)
        notifyAboutCase(
          tx,
          userId,
          kind,
          side === 'to' ? 'caseAllocated' : 'caseTaken',
          ids[0] as string,
        )
      else if (userId !== tx.actor.userId)
        tx.notify({
          userId,
          kind,
          titleKey: `collection:notification.cases${title}`,
          params: { n: ids.length },
          route:
            side === 'to'
              ? '/loaned_management/pedding_list?view=newToday'
              : '/loaned_management/pedding_list',
        })
    }
  }
}
