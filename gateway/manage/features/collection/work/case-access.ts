/** Who may work on a case: its holder, and the leaders of the unit it stands in (roles.md 3). */
import { sql } from 'kysely'
import { CASE_MOVED, CASE_TAKEN_BACK } from '#shared/collection/collection-problems.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { casesInScope } from '#gateway/manage/kernel/scope.ts'
import { lockCase, type LockedCase } from '../case-store.ts'

/**
 * Locks a case for a person who works on it. Who held it until a moment ago is told so; a stranger learns nothing.
 * @param token the fencing token he holds, when the call carries one
 * @throws Problem G404 for a stranger, C-OWN with the new holder's name, C-POOL when nobody he may know of has it
 */
export async function lockWorkable(cx: Cx, caseId: string, token?: number): Promise<LockedCase> {
  const actor = staff(cx.actor)
  const locked = await lockCase(
    cx,
    caseId,
    sql<boolean>`(${casesInScope(actor)} or exists (select 1 from case_allocation m where m.case_id = c.id and m.from_user_id = ${actor.userId}))`,
  )
  if (!isInPlace(actor, locked) || (token !== undefined && token !== locked.token))
    throw movedAway(actor, locked)
  return locked
}

/** The same rule as `casesInScope`, for a row that is read already. */
function isInPlace({ userId, rights }: StaffActor, locked: LockedCase): boolean {
  switch (rights.scope) {
    case 'all':
      return true
    case 'agency':
      return rights.agencyId !== null && locked.agency_id === rights.agencyId
    case 'department':
      return rights.departmentId !== null && locked.department_id === rights.departmentId
    case 'group':
      return rights.groupId !== null && locked.group_id === rights.groupId
    case 'own':
      return locked.collector_id === userId
    case 'queue':
      return false
  }
}

/** Names of another agency's people stay with that agency. */
function movedAway({ rights }: StaffActor, locked: LockedCase): Problem {
  const mayKnow =
    rights.scope === 'all' || (rights.agencyId !== null && rights.agencyId === locked.agency_id)
  return locked.collector_name !== null && mayKnow
    ? new Problem(CASE_MOVED, { userName: locked.collector_name })
    : new Problem(CASE_TAKEN_BACK)
}
