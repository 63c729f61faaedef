/** Units and people of collection in the caller's scope. */
import { type RawBuilder, sql } from 'kysely'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'

/** As a predicate over `sys_user u`. */
export function peopleInScope({ userId, rights }: StaffActor): RawBuilder<boolean> {
  switch (rights.scope) {
    case 'all':
      return sql<boolean>`true`
    case 'agency':
      return sql<boolean>`u.agency_id = ${rights.agencyId}`
    case 'department':
      return sql<boolean>`u.department_id = ${rights.departmentId}`
    case 'group':
      return sql<boolean>`u.group_id = ${rights.groupId}`
    case 'own':
      return sql<boolean>`u.id = ${userId}`
    case 'queue':
      return sql<boolean>`false`
  }
}

/** As a predicate over `agency a`: the own one, for every scope below `all`. */
export function agenciesInScope({ rights }: StaffActor): RawBuilder<boolean> {
  return rights.scope === 'all' ? sql<boolean>`true` : sql<boolean>`a.id = ${rights.agencyId}`
}

/** As a predicate over `department d`. */
export function departmentsInScope({ rights }: StaffActor): RawBuilder<boolean> {
  if (rights.scope === 'all') return sql<boolean>`true`
  return rights.scope === 'agency'
    ? sql<boolean>`d.agency_id = ${rights.agencyId}`
    : sql<boolean>`d.id = ${rights.departmentId}`
}

/** As a predicate over `team_group g`. */
export function groupsInScope({ rights }: StaffActor): RawBuilder<boolean> {
  if (rights.scope === 'all') return sql<boolean>`true`
  if (rights.scope === 'agency') return sql<boolean>`g.agency_id = ${rights.agencyId}`
  return rights.scope === 'department'
    ? sql<boolean>`g.department_id = ${rights.departmentId}`
    : sql<boolean>`g.id = ${rights.groupId}`
}
