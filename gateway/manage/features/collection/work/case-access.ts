/** Who may work on a case: its holder, and the leaders of its unit. */
import { sql } from 'kysely'
import { CASE_MOVED, CASE_TAKEN_BACK } from '#shared/collection/collection-problems.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import { lockContacts } from '#gateway/manage/features/customers/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { casesInScope } from '../case-scope.ts'
import { lockCase, type LockedCase } from '../case-store.ts'

/**
 * Locks a case for a person who works on it. A former holder learns that they lost it; others get
 * the answer of a missing case.
 * @param token the fencing token of the caller, when the call carries one
 * @throws Problem G404 for others, C-OWN with the new holder's name, C-POOL when there is no holder
 * the caller may know of
 */
export async function lockWorkable(
  tx: CommandTx,
  caseId: string,
  token?: number,
): Promise<LockedCase> {
  const actor = staff(tx.actor)
  const locked = await lockCase(
    tx,
    caseId,
    sql<boolean>`
      (${casesInScope(actor)} or exists (select 1 from case_allocation m where m.case_id = c.id
        and m.from_user_id = ${actor.userId}))`,
  )
  if (!isInPlace(actor, locked) || (token !== undefined && token !== locked.token))
    throw movedAway(actor, locked)
  return locked
}

/**
 * The same for a contact of the borrower: their contacts are locked first, so that no other person and
 * not the robot makes one meanwhile.
 * @throws Problem G404, C-OWN, C-POOL
 */
export async function lockForContact(
  tx: CommandTx,
  caseId: string,
  token?: number,
): Promise<LockedCase> {
  const { rows } = await sql<{ customer_id: string }>`
    select c.customer_id from collection_case c where c.id = ${caseId}`.execute(tx.db)
  const customerId = rows[0]?.customer_id
  if (customerId !== undefined) await lockContacts(tx, customerId)
  return lockWorkable(tx, caseId, token)
}

/** The same rule as `casesInScope`, for a row already read. */
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

/** Names of another agency's staff are not shown. */
function movedAway({ rights }: StaffActor, locked: LockedCase): Problem {
  const mayKnow =
    rights.scope === 'all' || (rights.agencyId !== null && rights.agencyId === locked.agency_id)
  return locked.collector_name !== null && mayKnow
    ? new Problem(CASE_MOVED, { userName: locked.collector_name })
    : new Problem(CASE_TAKEN_BACK)
}
