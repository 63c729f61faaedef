/** Cases given by hand: to a person, or placed with an agency or a department, whose supervisor gives them out; and taken back. */
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
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { casesInScope } from '#gateway/manage/kernel/scope.ts'
import { logCase, notifyOfCase, tellAllocated } from '../case-events.ts'
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

/** @throws Problem G-SEL, G-MAX, G422 without one target or without a reason for a case that somebody holds, G404 for a target outside the caller's units; C-STATE, C-NONE, C-HELD and G422 stand in `failed` per row */
export async function allocateCases(
  cx: Cx,
  { caseIds, collectorId, agencyId, departmentId, reason }: InputOf<typeof allocateCall>,
): Promise<BulkResult> {
  const actor = staff(cx.actor)
  if ([collectorId, agencyId, departmentId].filter((target) => target !== undefined).length !== 1)
    throw new Problem(INVALID_FIELDS, {}, { fields: { collectorId: 'required' } })
  const unit =
    collectorId === undefined ? await unitToPlace(cx, actor, { agencyId, departmentId }) : null
  if (collectorId !== undefined) await requirePerson(cx, actor, collectorId)
  return inScope(cx, actor, caseIds, allocateJob, {
    collectorId: collectorId ?? null,
    agencyId: unit?.agencyId ?? null,
    departmentId: unit?.departmentId ?? null,
    reason: reason ?? null,
  })
}

/** @throws Problem G-SEL, G-MAX; C-STATE stands in `failed` per row */
export async function recallCases(
  cx: Cx,
  { caseIds, reason }: InputOf<typeof recallCall>,
): Promise<BulkResult> {
  return inScope(cx, staff(cx.actor), caseIds, recallJob, { reason })
}

export const allocateJob: JobType = {
  type: 'collection.allocate',
  async row(cx, caseId, params) {
    const locked = await lockCase(cx, caseId, ANY)
    if (params.collectorId === null)
      await placeWithUnit(cx, locked, {
        agencyId: String(params.agencyId),
        departmentId: params.departmentId == null ? null : String(params.departmentId),
      })
    else
      await giveTo(
        cx,
        locked,
        String(params.collectorId),
        params.reason === null ? null : String(params.reason),
      )
  },
  ended: notifyAtEnd,
}

export const recallJob: JobType = {
  type: 'collection.recall',
  async row(cx, caseId, params) {
    await recallCase(cx, await lockCase(cx, caseId, ANY), {
      cause: 'leader',
      reason: String(params.reason),
      menu: MENU,
    })
  },
  ended: notifyAtEnd,
}

/** A case somebody holds is transferred inside its stage; one of the pool is allocated. @throws Problem C-NONE, C-STATE, C-HELD, G422 */
async function giveTo(
  cx: Cx,
  locked: LockedCase,
  collectorId: string,
  reason: string | null,
): Promise<void> {
  if (locked.collector_id === collectorId && locked.state !== 'held') return
  const { place, facts } = await targetOf(cx, collectorId, locked.stage_id)
  const isPool = locked.state === 'unallocated'
  // on duty is asked of who gets something new, not of who takes a colleague's case over
  if (
    !facts.enabled ||
    !facts.participates ||
    !facts.certified ||
    !facts.servesStage ||
    !facts.underCapacity ||
    (isPool && !facts.onDuty)
  )
    throw new Problem(NO_COLLECTOR, { stage: locked.stage_id }, { facts })
  // why is not said: the giver may be whom it is about
  if (await isBarred(cx.db, locked.id, collectorId))
    throw new Problem(NO_COLLECTOR, { stage: locked.stage_id }, { facts })
  const { rows } =
    await sql`select from stop_collection x where x.customer_id = ${locked.customer_id} and x.state = 'active'`.execute(
      cx.db,
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
  const moved = await moveCase(cx, locked, { to, place, cause: 'manual', reason })
  tellAllocated(cx, moved, 'manual')
  logCase(cx, MENU, 'allocate', moved, { reason })
}

interface UnitPlace {
  agencyId: string
  departmentId: string | null
}

/** Placed there, still without a collector. @throws Problem C-STATE */
async function placeWithUnit(
  cx: Cx,
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
  const moved = await moveCase(cx, locked, {
    to: 'unallocated',
    place: { agency_id: agencyId, department_id: departmentId, group_id: null, collector_id: null },
    cause: 'manual',
  })
  tellAllocated(cx, moved, 'manual')
  logCase(cx, MENU, 'allocate', moved, { agencyId, departmentId })
}

async function targetOf(
  cx: Cx,
  collectorId: string,
  stageId: string,
): Promise<{ place: CasePlace; facts: CollectorFacts }> {
  // what hangs on him - account, unit, agency - is read by statements after the lock: one that waits sees them as they were before
  const locking = sql`select from collector k where k.user_id = ${collectorId} for update`.execute(
    cx.db,
  )
  const placing = placeOfCollector(cx, collectorId)
  const looking = sql<CollectorFacts>`
    select ${IS_ENABLED} and coalesce(${AGENCY_WORKS}, false) as enabled, u.allocation_flag as participates, ${isOnDuty('u.id')} as "onDuty", ${IS_CERTIFIED} is true as certified, ${stageId} = any(k.stage_ids) as "servesStage", k.open_cases < k.capacity as "underCapacity"
    from collector k join sys_user u on u.id = k.user_id left join agency a on a.id = u.agency_id where k.user_id = ${collectorId}`.execute(
    cx.db,
  )
  const [, place, { rows }] = await Promise.all([locking, placing, looking])
  if (place === null || rows[0] === undefined) throw new Problem(NOT_FOUND)
  return { place, facts: rows[0] }
}

async function requirePerson(cx: Cx, actor: StaffActor, collectorId: string): Promise<void> {
  const { rows } =
    await sql`select from collector k join sys_user u on u.id = k.user_id where u.id = ${collectorId} and ${peopleInScope(actor)}`.execute(
      cx.db,
    )
  if (rows.length === 0) throw new Problem(NOT_FOUND)
}

/** An agency that may hold cases, or a department of one, inside the caller's units. */
async function unitToPlace(
  cx: Cx,
  actor: StaffActor,
  { agencyId, departmentId }: { agencyId: string | undefined; departmentId: string | undefined },
): Promise<UnitPlace> {
  const { rows } =
    departmentId === undefined
      ? await sql<UnitPlace>`select a.id as "agencyId", null::text as "departmentId" from agency a where a.id = ${agencyId ?? ''} and ${AGENCY_WORKS} and ${agenciesInScope(actor)}`.execute(
          cx.db,
        )
      : await sql<UnitPlace>`select a.id as "agencyId", d.id as "departmentId" from department d join agency a on a.id = d.agency_id where d.id = ${departmentId} and ${AGENCY_WORKS} and ${departmentsInScope(actor)}`.execute(
          cx.db,
        )
  const unit = rows[0]
  if (!unit) throw new Problem(NOT_FOUND)
  return unit
}

/** In the call each person is told once here, in a job at its end. */
async function inScope(
  cx: Cx,
  actor: StaffActor,
  caseIds: readonly string[],
  type: JobType,
  params: Record<string, unknown>,
): Promise<BulkResult> {
  const { rows } = await sql<{
    id: string
    holder: string | null
  }>`select c.id, c.collector_id as holder from collection_case c where c.id = any(${[...caseIds]}::text[]) and ${casesInScope(actor)}`.execute(
    cx.db,
  )
  const holders = new Map(rows.map(({ id, holder }) => [id, holder]))
  const result = await inBulk(cx, caseIds, {
    type,
    menu: MENU,
    params,
    known: sql`select unnest(${[...holders.keys()]}::text[])`,
  })
  const to = typeof params.collectorId === 'string' ? params.collectorId : null
  notifyPeople(
    cx,
    result.ok.flatMap((id) =>
      (holders.get(id) ?? null) === to ? [] : [{ id, from: holders.get(id) ?? null, to }],
    ),
  )
  return result
}

/** One notification for each person, not one for each case. */
async function notifyAtEnd(cx: Cx, job: Job): Promise<void> {
  const { rows } = await sql<{ id: string; from: string | null; to: string | null }>`
    select m.case_id as id, m.from_user_id as "from", m.to_user_id as "to" from job_row r join job j on j.id = r.job_id join case_allocation m on m.case_id = r.target_id
    where r.job_id = ${job.id} and r.state = 'ok' and m.at >= j.created_at and m.by_user_id is not distinct from ${job.userId}::text and m.from_user_id is distinct from m.to_user_id order by m.id`.execute(
    cx.db,
  )
  notifyPeople(cx, rows)
}

function notifyPeople(
  cx: Cx,
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
        notifyOfCase(
          cx,
          userId,
          kind,
          side === 'to' ? 'caseAllocated' : 'caseTaken',
          ids[0] as string,
        )
      else if (userId !== cx.actor.userId)
        cx.notify({
          userId,
          kind,
          titleKey: `collection:notice.cases${title}`,
          params: { n: ids.length },
          route:
            side === 'to'
              ? '/loaned_management/pedding_list?view=newToday'
              : '/loaned_management/pedding_list',
        })
    }
  }
}
