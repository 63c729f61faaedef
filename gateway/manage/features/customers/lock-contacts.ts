import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

const CONTACTS_LOCK = 7106

/**
 * Held until the commit while a borrower's contacts are counted for one more, by a person or a robot: two
 * of them cannot both be the last one of the day, whichever loan they are about. Taken before any case.
 */
export async function lockContacts(tx: CommandTx, customerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CONTACTS_LOCK}, hashtext(${customerId}))`.execute(tx.db)
}
