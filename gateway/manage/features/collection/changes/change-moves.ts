/** Which cases a change moves, and to whom. */
import { type RawBuilder, sql } from 'kysely'
import { caseLifecycle, type CaseEvent } from '#shared/collection/case-lifecycle.ts'
import { NO_COLLECTOR } from '#shared/collection/collection-problems.ts'
import type { CaseTransferType } from '#shared/collection/collection-sets.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { allocate } from '../allocation/allocate.ts'
import { type Candidate, candidates } from '../allocation/allocation-facts.ts'
import { grouped, lockMovable, type ManyMove, type MovableCase } from '../case-moves.ts'
import { POOL } from '../case-store.ts'
import { barredPeople } from '../upheld-complaints.ts'
import { ENDS, lockTakers, movableFrom, type PickOrder, pickOrder } from './change-ends.ts'

export interface Change {
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

/**
 * The cases that can move now, in the requested order, each with its receiver: as many as are left
 * and fit. A promise moves with its case; a promised case does not go to the pool.
 * @throws Problem C-NONE when there are cases and nobody takes any
 */
export async function movesOf(
  tx: CommandTx,
  change: Change,
  scope: RawBuilder<boolean>,
): Promise<ManyMove[]> {
  const cases = await pick(tx, change, scope)
  if (ENDS[change.transfer_type].to === null)
    return cases.flatMap((locked) =>
      move(locked, { type: 'AGENCY_RECALL', cause: 'leader', reason: change.reason }, null),
    )
  await lockTakers(tx.db, change.transfer_type, change.to_user_id ?? change.to_unit_id ?? '')
  const people = (await candidates(tx.db, { kind: 'all', id: null })).filter((person) =>
    isTaker(change, person),
  )
  const rooms = new Map(
    people.map((person) => [person.collectorId, Math.max(0, person.capacity - person.now)]),
  )
  const barred = await barredPeople(
    tx.db,
    sql<boolean>`c.id = any(${cases.map(({ id }) => id)}::text[])`,
  )
  const moves: ManyMove[] = []
  for (const [stageId, some] of grouped(cases, (one) => one.stage_id)) {
    const serving = people.filter((person) => person.stageIds.includes(stageId))
    const answer = allocate({
      cases: some.map((one) => ({
        id: one.id,
        amount: one.outstanding,
        holderId: one.collector_id,
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
      stage: [...new Set(cases.map((one) => one.stage_id))].toSorted().join(', '),
    })
  return moves
}

/** A receiver of a colleague's cases need not be on duty; every other bar applies. */
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

async function pick(
  tx: CommandTx,
  change: Change,
  scope: RawBuilder<boolean>,
): Promise<MovableCase[]> {
  const movable = movableFrom(
    change.transfer_type,
    change.from_user_id ?? change.from_unit_id ?? '',
  )
  const named = change.filter.caseIds
  const { rows } = await sql<{ id: string }>`
    select c.id from collection_case c where ${movable} and ${scope} and ${
      named === undefined
        ? sql`
      true`
        : sql`c.id = any(${named}::text[])`
    } order by ${pickOrder(change.filter.order)}
        limit ${change.count}`.execute(tx.db)
  return rows.length === 0
    ? []
    : lockMovable(tx, sql<boolean>`c.id = any(${rows.map((row) => row.id)}::text[]) and ${movable}`)
}
