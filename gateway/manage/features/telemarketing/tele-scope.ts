import { type RawBuilder, sql } from 'kysely'
import { SEGMENTS, type Segment } from '#shared/telemarketing/tele-sets.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'

/** Segments whose list the caller has. */
export function segmentsOf({ rights }: StaffActor, action = 'view'): Segment[] {
  return SEGMENTS.filter((segment) => rights.permissions.has(`${segment}:${action}`))
}

/**
 * Tasks the caller may see, as a predicate over `tele_task t`: within their segments all of them, a
 * leader's those of the group and of nobody, else their own. People without a group are led by a
 * leader without one.
 */
export function tasksInScope(actor: StaffActor): RawBuilder<boolean> {
  const ofSegments = sql`t.segment = any(${segmentsOf(actor)}::text[])`
  const { scope, groupId } = actor.rights
  if (scope === 'all') return sql<boolean>`(${ofSegments})`
  if (scope === 'group')
    return sql<boolean>`
      (${ofSegments} and (t.assignee_id is null or exists (select 1 from sys_user a
        where a.id = t.assignee_id and a.group_id is not distinct from ${groupId}::text)))`
  return sql<boolean>`(${ofSegments} and t.assignee_id = ${actor.userId})`
}

/** Ids of the customers of open tasks in the caller's scope, as a subquery. */
export function customerIdsOfTasks(actor: StaffActor): RawBuilder<string> {
  return sql<string>`
    select t.customer_id from tele_task t where t.closed_at is null and ${tasksInScope(actor)}`
}

/**
 * People of the caller's team, as a predicate over `sys_user u`. A leader without a group leads
 * those without one.
 */
export function peopleOfTeam({ userId, rights }: StaffActor): RawBuilder<boolean> {
  if (rights.scope === 'all') return sql<boolean>`true`
  if (rights.scope === 'group')
    return sql<boolean>`u.group_id is not distinct from ${rights.groupId}::text`
  return sql<boolean>`u.id = ${userId}`
}
