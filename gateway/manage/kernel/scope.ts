/**
 * Data scope: each role sees all rows, those of one queue, or those of its agency, department, group
 * or its own. Every read and write adds the caller's predicate; a row outside it answers like a
 * missing one. The predicates over a feature's tables are in its `<thing>-scope.ts`.
 */
import { type RawBuilder, sql } from 'kysely'
import type { StaffActor } from './actor.ts'

type PlaceColumn = 'agency_id' | 'department_id' | 'group_id' | 'collector_id'

/**
 * The column that says where a row stands, and the caller's value in it. Null: the scope names no
 * place (`all`, `queue`), or a unit the caller is not in.
 */
export function placeOf(actor: StaffActor): { column: PlaceColumn; value: string } | null {
  const [column, value] = namedPlace(actor)
  return column === null || value === null ? null : { column, value }
}

/** Names what a scope opens: people with the same name see the same rows; `all` opens everything. */
export function scopeName(actor: StaffActor): string {
  const [column, value] = namedPlace(actor)
  return column === null ? actor.rights.scope : `${column}:${value ?? `none:${actor.userId}`}`
}

/** The same of `sys_user u` with the role `g`. */
export const SCOPE_NAME: RawBuilder<string> = sql<string>`
  case g.data_scope when 'agency' then 'agency_id:' || u.agency_id
    when 'department' then 'department_id:' || u.department_id
    when 'group' then 'group_id:' || u.group_id
    when 'own' then 'collector_id:' || u.id
    else g.data_scope end`

function namedPlace({ userId, rights }: StaffActor): [PlaceColumn | null, string | null] {
  switch (rights.scope) {
    case 'agency':
      return ['agency_id', rights.agencyId]
    case 'department':
      return ['department_id', rights.departmentId]
    case 'group':
      return ['group_id', rights.groupId]
    case 'own':
      return ['collector_id', userId]
    case 'all':
    case 'queue':
      return [null, null]
  }
}
