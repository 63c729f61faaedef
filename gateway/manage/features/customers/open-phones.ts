import { sql } from 'kysely'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { isOfAgency } from './customer-scope.ts'

/**
 * @throws Problem G403 without `<menu>:reveal`, and for staff of an outside agency, who call
 * through the dialler
 */
export function mayOpenPhones(actor: StaffActor, menu: string): void {
  if (!actor.rights.permissions.has(`${menu}:reveal`) || isOfAgency(actor))
    throw new Problem(FORBIDDEN)
}

/**
 * Adds the phone to rows with `userId` and a masked `phone`. The caller has checked the permission
 * and logs the access before the values leave.
 */
export async function withOpenPhones(
  db: Db,
  secrets: Secrets,
  rows: readonly unknown[],
): Promise<unknown[]> {
  const ids = [...new Set(rows.map((row) => String((row as { userId?: unknown }).userId)))]
  const found = await sql<{
    id: string
    sealed: Buffer
  }>`select c.id, c.phone_enc as sealed from customer c where c.id = any(${ids}::text[])`.execute(
    db,
  )
  const phones = new Map(
    found.rows.map(({ id, sealed }) => [id, secrets.open('customer.phone_enc', id, sealed)]),
  )
  return rows.map((row) => ({
    ...(row as object),
    phone:
      phones.get(String((row as { userId?: unknown }).userId)) ??
      (row as { phone?: unknown }).phone,
  }))
}
