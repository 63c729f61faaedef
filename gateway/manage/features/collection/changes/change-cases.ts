/** Cases moved between people and units on request: inside the own unit at once, across units when another person agrees. */
import { type RawBuilder, sql } from 'kysely'
import type {
  decideChange as decideCall,
  launchChange as launchCall,
} from '#shared/collection/allocation-api.ts'
import { caseLifecycle, type CaseEvent } from '#shared/collection/case-lifecycle.ts'
import { CASE_STATE, NO_COLLECTOR } from '#shared/collection/collection-problems.ts'
import { CHANGE_CHANGED } from '#shared/collection/collection-live.ts'
import type { CaseTransferType } from '#shared/collection/collection-sets.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, OWN_REQUEST, Problem } from '#shared/kernel/problem.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { casesInScope } from '#gateway/manage/kernel/scope.ts'
import { allocate } from '../allocation/allocate.ts'
import { type Candidate, candidates } from '../allocation/allocation-facts.ts'
import {
  grouped,
  lockMovable,
  type ManyMove,
  type MovableCase,
  moveCases,
  tellMoved,
} from '../case-moves.ts'
import { POOL } from '../case-store.ts'
import { barredPeople } from '../upheld-complaints.ts'
import { ENDS, endOf, lockTakers, movableFrom, type PickOrder, pickOrder } from './change-ends.ts'
import { changesInScope, findChange } from './change-queries.ts'

const MENU = 'change_case'

interface Change {
  id: string
  transfer_type: CaseTransferType
  from_user_id: string | null
  from_unit_id: string | null
  to_user_id: string | null
  to_unit_id: string | null
  unit_ids: string[]
  count: number
  filter: { order: PickOrder; caseIds?: string[] }
  reason: string
  state: string
  launched_by: string
  version: number
}

/** @throws Problem G404 for an end that is none, or a former one outside the caller's unit; G422; C-NONE when nobody there takes any of the cases */
export async function launchChange(
  cx: Cx,
  input: InputOf<typeof launchCall>,
): Promise<DataOf<typeof launchCall>> {
  const actor = staff(cx.actor)
  const { from, to } = ENDS[input.transferType]
  const toId = to === null ? null : (input.toId ?? null)
  if (to !== null && toId === null)
    throw new Problem(INVALID_FIELDS, {}, { fields: { toId: 'required' } })
  if (toId === input.fromId) throw new Problem(INVALID_FIELDS, {}, { fields: { toId: 'same' } })
  const giver = await endOf(cx.db, actor, from, input.fromId)
  const taker = to === null ? null : await endOf(cx.db, actor, to, toId ?? '')
  if (!giver?.inside || (to !== null && taker === null)) throw new Problem(NOT_FOUND)
  const filter = {
    order: input.order,
    ...(input.caseIds === undefined ? {} : { caseIds: input.caseIds }),
  }
  const { rows } = await sql<{ id: string }>`
    insert into case_change (transfer_type, from_user_id, from_unit_id, to_user_id, to_unit_id, unit_ids, count, filter, reason, launched_by, launched_by_name)
    values (${input.transferType}, ${from === 'user' ? input.fromId : null}, ${from === 'user' ? null : input.fromId}, ${to === 'user' ? toId : null}, ${to === 'user' ? null : toId}, ${[...new Set([...giver.units, ...(taker?.units ?? [])])]}, ${input.count},
      ${JSON.stringify(filter)}::jsonb, ${input.reason}, ${actor.userId}, ${actor.userName}) returning id`.execute(
    cx.db,
  )
  const changeId = (rows[0] as { id: string }).id
  const change = await lockChange(cx, changeId)
  cx.log({
    menu: MENU,
    action: 'launch',
    targetKind: 'change',
    targetId: changeId,
    after: {
      transferType: input.transferType,
      fromId: input.fromId,
      toId,
      count: input.count,
      reason: input.reason,
    },
  })
  if (taker === null || taker.inside)
    await carryOut(cx, change, await movesOf(cx, change, casesInScope(actor)))
  else {
    tell(cx, change, 0)
    await askDeciders(cx, change)
  }
  return findChange(cx.db, changeId)
}

/** @throws Problem G422 without a reason to reject; G404, G-SELF, C-STATE and C-NONE stand in `failed` per row */
export async function decideChange(
  cx: Cx,
  { changeIds, result, reason }: InputOf<typeof decideCall>,
): Promise<BulkResult> {
  if (result === 'rejected' && reason === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { reason: 'required' } })
  const known = sql`select g.id from case_change g where g.id = any(${changeIds}::text[]) and ${changesInScope(staff(cx.actor))}`
  return inBulk(cx, changeIds, {
    type: decideChangeJob,
    menu: MENU,
    params: { result, reason: reason ?? null },
    known,
  })
}

export const decideChangeJob: JobType = {
  type: 'change.decide',
  async row(cx, changeId, params) {
    const result = params.result === 'approved' ? 'approved' : 'rejected'
    const change = await lockChange(cx, changeId)
    if (change.state !== 'pending')
      throw new Problem(CASE_STATE, { state: change.state }, await findChange(cx.db, changeId))
    if (change.launched_by === cx.actor.userId) throw new Problem(OWN_REQUEST)
    // refused before anything is written
    const moves = result === 'approved' ? await movesOf(cx, change, sql<boolean>`true`) : []
    await sql`update case_change set state = ${result}, decided_by = ${cx.actor.userId}, decided_by_name = ${cx.actor.userName}, decided_at = clock_timestamp(), decide_reason = ${params.reason}, version = version + 1 where id = ${changeId}`.execute(
      cx.db,
    )
    const decided = await lockChange(cx, changeId)
    cx.log({
      menu: MENU,
      action: 'decide',
      targetKind: 'change',
      targetId: changeId,
      after: { result, reason: params.reason },
    })
    if (result === 'approved') await carryOut(cx, decided, moves)
    else tell(cx, decided, 0)
    cx.notify({
      userId: change.launched_by,
      kind: 'decision',
      titleKey: `collection:notice.change.${result}`,
      params: { changeId, userName: cx.actor.userName },
      route: '/order_management/change_case',
    })
  },
}

async function lockChange(cx: Cx, changeId: string): Promise<Change> {
  const { rows } = await sql<Change>`
    select g.id, g.transfer_type, g.from_user_id, g.from_unit_id, g.to_user_id, g.to_unit_id, g.unit_ids, g.count, g.filter, g.reason, g.state, g.launched_by, g.version from case_change g where g.id = ${changeId} for update`.execute(
    cx.db,
  )
  return rows[0] as Change
}

/**
 * The cases that are there now, in the order asked for, each with whom it goes to. As many as are left and fit; a promise moves
 * with its case, one into the pool stays.
 * @throws Problem C-NONE when there are cases and nobody takes any
 */
async function movesOf(cx: Cx, change: Change, scope: RawBuilder<boolean>): Promise<ManyMove[]> {
  const cases = await pick(cx, change, scope)
  if (ENDS[change.transfer_type].to === null)
    return cases.flatMap((locked) =>
      move(locked, { type: 'AGENCY_RECALL', cause: 'leader', reason: change.reason }, null),
    )
  await lockTakers(cx.db, change.transfer_type, change.to_user_id ?? change.to_unit_id ?? '')
  const people = (await candidates(cx.db, { kind: 'all', id: null })).filter((person) =>
    isTaker(change, person),
  )
  const rooms = new Map(
    people.map((person) => [person.collectorId, Math.max(0, person.capacity - person.now)]),
  )
  const barred = await barredPeople(
    cx.db,
    sql<boolean>`c.id = any(${cases.map(({ id }) => id)}::text[])`,
  )
  const moves: ManyMove[] = []
  for (const [stageId, some] of grouped(cases, (one) => one.stage_id)) {
    const serving = people.filter((person) => person.stageIds.includes(stageId))
    const answer = allocate({
      cases: some.map((one) => ({
        id: one.id,
        amount: one.outstanding,
        keeperId: one.collector_id,
        barred: barred.get(one.id) ?? [],
      })),
      weights: new Map(serving.map(({ agencyId }) => [agencyId, 1])),
      mode: 'average',
      seed: 1,
      takers: serving.map((person) => ({
        id: person.collectorId,
        agencyId: person.agencyId,
        room: rooms.get(person.collectorId) ?? 0,
        weight: person.weight,
        recovery: 1,
        load: person.now,
      })),
    })
    for (const [n, id] of answer.entries()) {
      const locked = some[n] as MovableCase
      const person = serving.find((one) => one.collectorId === id)
      if (!person || person.collectorId === locked.collector_id) continue
      rooms.set(person.collectorId, (rooms.get(person.collectorId) ?? 0) - 1)
      moves.push(
        ...move(locked, { type: 'TRANSFER', sameStage: true, reason: change.reason }, person),
      )
    }
  }
  if (cases.length > 0 && moves.length === 0)
    throw new Problem(NO_COLLECTOR, {
      stage: [...new Set(cases.map((one) => one.stage_id))].sort().join(', '),
    })
  return moves
}

/** Who takes over a colleague's cases need not be on duty; everything else that keeps somebody from getting cases counts. */
function isTaker(
  { transfer_type: type, to_user_id: userId, to_unit_id: unitId }: Change,
  person: Candidate,
): boolean {
  const { to } = ENDS[type]
  const isThere =
    to === 'user'
      ? person.collectorId === userId
      : to === 'group'
        ? person.groupId === unitId
        : person.agencyId === unitId
  return isThere && person.flags.every((flag) => flag === 'offDuty')
}

function move(locked: MovableCase, event: CaseEvent, person: Candidate | null): ManyMove[] {
  if (locked.stopped || !caseLifecycle.can(locked.state, event)) return []
  const place =
    person === null
      ? POOL
      : {
          agency_id: person.agencyId,
          department_id: person.departmentId,
          group_id: person.groupId,
          collector_id: person.collectorId,
        }
  return [{ locked, to: caseLifecycle.next(locked.state, event), place }]
}

async function pick(cx: Cx, change: Change, scope: RawBuilder<boolean>): Promise<MovableCase[]> {
  const movable = movableFrom(
    change.transfer_type,
    change.from_user_id ?? change.from_unit_id ?? '',
  )
  const named = change.filter.caseIds
  const { rows } = await sql<{ id: string }>`
    select c.id from collection_case c where ${movable} and ${scope} and ${named === undefined ? sql`true` : sql`c.id = any(${named}::text[])`} order by ${pickOrder(change.filter.order)} limit ${change.count}`.execute(
    cx.db,
  )
  return rows.length === 0
    ? []
    : lockMovable(cx, sql<boolean>`c.id = any(${rows.map((row) => row.id)}::text[]) and ${movable}`)
}

async function carryOut(cx: Cx, change: Change, moves: readonly ManyMove[]): Promise<void> {
  await moveCases(cx, moves, {
    cause: ENDS[change.transfer_type].to === null ? 'recall' : 'change',
    reason: change.reason,
  })
  await sql`update case_change set state = 'done', moved_count = ${moves.length}, version = version + 1, decided_at = coalesce(decided_at, clock_timestamp()) where id = ${change.id}`.execute(
    cx.db,
  )
  tellMoved(cx, `change:${change.id}`, moves, { reason: 'leader' })
  tell(cx, { ...change, state: 'done', version: change.version + 1 }, moves.length)
  cx.log({
    menu: MENU,
    action: 'change',
    targetKind: 'change',
    targetId: change.id,
    after: {
      cases: moves.map(({ locked, place }) => [locked.id, locked.collector_id, place.collector_id]),
    },
  })
  for (const [userId, some] of grouped(moves, ({ place }) => place.collector_id ?? ''))
    notify(cx, userId, 'assigned', some.length)
  for (const [userId, some] of grouped(moves, ({ locked }) => locked.collector_id ?? ''))
    notify(cx, userId, 'taken', some.length)
}

function notify(cx: Cx, userId: string, kind: 'assigned' | 'taken', n: number): void {
  if (userId === '' || userId === cx.actor.userId) return
  cx.notify({
    userId,
    kind,
    titleKey: `collection:notice.${kind === 'assigned' ? 'casesAllocated' : 'casesRecalled'}`,
    params: { n },
    route:
      kind === 'assigned'
        ? '/loaned_management/pedding_list?view=newToday'
        : '/loaned_management/pedding_list',
  })
}

/** Managers, and supervisors of a unit it touches. */
async function askDeciders(cx: Cx, change: Change): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select u.id from sys_user u join sys_role g on g.id = u.role_id
    where u.status in ('enabled', 'normal') and (g.unique_mark = 'manager' or (g.unique_mark = 'internal_supervisor' and u.department_id = any(${change.unit_ids}::text[]))) and u.id <> ${change.launched_by} order by u.id`.execute(
    cx.db,
  )
  for (const { id: userId } of rows)
    cx.notify({
      userId,
      kind: 'approval',
      titleKey: 'collection:notice.change.asked',
      params: { changeId: change.id, n: change.count, userName: cx.actor.userName },
      route: '/order_management/change_case',
    })
}

function tell(cx: Cx, change: Change, movedCount: number): void {
  const units = change.unit_ids.flatMap((id) => [
    `scope:agency:${id}`,
    `scope:dept:${id}`,
    `scope:group:${id}`,
  ])
  cx.emit(CHANGE_CHANGED, {
    subject: `change:${change.id}`,
    version: change.version,
    rooms: ['scope:all', 'menu:change_case', `user:${change.launched_by}`, ...units],
    data: { changeId: change.id, state: change.state, movedCount },
  })
}
