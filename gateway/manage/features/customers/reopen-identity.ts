import { sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitCustomer } from './emit-customer.ts'

/** The documents of a customer count as unchecked until an application of theirs passes. */
export async function reopenIdentity(tx: CommandTx, customerId: string): Promise<void> {
  await sql`
    insert into customer_kyc (customer_id) values (${customerId})
    on conflict (customer_id) do update set verify_state = 'pending', pan_state = 'pending',
      updated_at = clock_timestamp()`.execute(tx.db)
  emitCustomer(tx, customerId, null, ['kyc'])
}
