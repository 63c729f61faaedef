/** The two ends of a move of cases: giver, receiver, and the giver's cases. */
import { type RawBuilder, sql } from 'kysely'
import type {
  changeEnds as endsCall,
  weighChange as weighCall,
} from '#shared/collection/allocation-api.ts'
import type { CaseTransferType } from '#shared/collection/collection-sets.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { casesInScope } from '../case-scope.ts'
import { agenciesInScope, groupsInScope, peopleInScope } from '../setup/unit-scope.ts'

type EndKind = 'user' | 'group' | 'agency'

/** Which ends are persons, groups, agencies; null = the pool. */
export const ENDS: Record<CaseTransferType, { from: EndKind; to: EndKind | null }> = {
  collectorToCollector: { from: 'user', to: 'user' },
  collectorToGroup: { from: 'user', to: 'group' },
  groupToGroup: { from: 'group', to: 'group' },
  agencyToAgency: { from: 'agency', to: 'agency' },
  toPool: { from: 'user', to: null },
}

const ORDERS = {
  oldest: 'c.allocated_at, c.id',
  highestAmount: 'c.outstanding desc, c.id',
  lowestOverdue: 'c.overdue_days, c.id',
} as const
export type PickOrder = keyof typeof ORDERS

/** Over `collection_case c`. */
export function pickOrder(order: PickOrder): RawBuilder<unknown> {
  return sql.raw(ORDERS[order])
}

/**
 * Cases of the giver that can move, as a predicate over `collection_case c`: a promised case can go
 * to a person, not to the pool.
 */
export function movableFrom(type: CaseTransferType, fromId: string): RawBuilder<boolean> {
  const { from, to } = ENDS[type]
  const holder =
    from === 'user'
      ? sql`c.collector_id = ${fromId}`
      : from === 'group'
        ? sql`c.group_id = ${fromId}`
        : sql`c.agency_id = ${fromId}`
  const movable =
    to === null ? sql`c.state = 'allocated'` : sql`c.state in ('allocated', 'promised')`
  return sql<boolean>`${holder} and ${movable}`
}

/** Locks every possible receiver, so that two moves to one person do not both find room. */
export async function lockTakers(trx: Trx, type: CaseTransferType, toId: string): Promise<void> {
  const { to } = ENDS[type]
  const place =
    to === 'user'
      ? sql`u.id = ${toId}`
      : to === 'group'
        ? sql`u.group_id = ${toId}`
        : sql`u.agency_id = ${toId}`
  await sql`
    select from collector k join sys_user u on u.id = k.user_id where ${place} order by k.user_id
      for update of k`.execute(trx)
}

interface End {
  inside: boolean
  /** Agency, department and group, as far as the end has them. */
  units: string[]
}

/** @returns null when there is none */
export async function endOf(
  db: Db,
  actor: StaffActor,
  kind: EndKind,
  id: string,
): Promise<End | null> {
  const { scope, agencyId } = actor.rights
  const row =
    kind === 'user'
      ? sql<End>`
        select ${peopleInScope(actor)} as inside, array_remove(array[u.agency_id, u.department_id,
          u.group_id], null) as units from collector k join sys_user u on u.id = k.user_id
          where u.id = ${id}`
      : kind === 'group'
        ? sql<End>`
          select ${groupsInScope(actor)} as inside, array[g.agency_id, g.department_id, g.id] as units
            from team_group g where g.id = ${id}`
        : sql<End>`
          select ${scope === 'all' ? sql`true` : sql`${scope === 'agency'} and a.id = ${agencyId}`} as inside,
            array[a.id] as units
          from agency a
          where a.id = ${id}`
  return (await row.execute(db)).rows[0] ?? null
}

/**
 * Units that can be asked to take cases, by name: every agency; groups of the caller's own agency,
 * of all agencies for the lender's own staff. People are those of the caller's scope.
 */
export async function changeEnds(db: Db, actor: StaffActor): Promise<DataOf<typeof endsCall>> {
  const ofOwn = sql<boolean>`g.agency_id = ${actor.rights.agencyId}`
  const groups =
    actor.rights.scope === 'all'
      ? sql<boolean>`true`
      : sql<boolean>`
        (${ofOwn} or exists (select 1 from agency h where h.id = ${actor.rights.agencyId} and h.in_house))`
  const { rows } = await sql<{ ends: DataOf<typeof endsCall> }>`
    select json_build_object(
      'agencies', (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'inside',
        ${agenciesInScope(actor)}) order by a.name, a.id), '[]') from agency a where a.status = 'enabled'),
      'groups', (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'agencyName',
        a.name, 'inside', ${groupsInScope(actor)}) order by a.name, g.name, g.id), '[]')
        from team_group g join agency a on a.id = g.agency_id where a.status = 'enabled'
          and ${groups})) as ends`.execute(db)
  return (rows[0] as { ends: DataOf<typeof endsCall> }).ends
}

/**
 * Preview of a request: how many cases the giver can give, and the ones that would be picked with
 * their outstanding.
 * @throws Problem G404 for a giver outside the caller's unit
 */
export async function weighChange(
  db: Db,
  actor: StaffActor,
  { transferType, fromId, count, order }: InputOf<typeof weighCall>,
): Promise<DataOf<typeof weighCall>> {
  if (!(await endOf(db, actor, ENDS[transferType].from, fromId))?.inside)
    throw new Problem(NOT_FOUND)
  const held = sql`
    from collection_case c where ${movableFrom(transferType, fromId)} and ${casesInScope(actor)}`
  const { rows } = await sql<DataOf<typeof weighCall>>`
    select (select count(*)::int ${held}) as held, count(*)::int as cases, coalesce(sum(p.outstanding),
      0)::bigint as amount from (select c.outstanding ${held} order by ${pickOrder(order)} limit ${count}) p`.execute(
    db,
  )
  return rows[0] as DataOf<typeof weighCall>
}
