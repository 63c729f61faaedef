/** What the payment channel of the bench needs, and what its payments write. */
import { sql } from 'kysely'
import { createMachineKey } from '#gateway/manage/kernel/machine.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import type { RowsOfPayment } from './payments-lines.ts'

/** Running loans that are not overdue, each with enough left to be paid a rupee thousands of times. */
export async function paymentChannel(house: House): Promise<{ keyId: string; secret: string; orderIds: string[] }> {
  const { rows } = await sql<{ id: string }>`select o.id from loan_order o where o.status = 30 and o.outstanding > 500000 order by o.id limit 500`.execute(house.database.kysely)
  const { keyId, secret } = await createMachineKey(house, { name: 'bench', scopes: ['payment'] })
  return { keyId, secret, orderIds: rows.map(({ id }) => id) }
}

/** All there are: among thousands of payments what the clock writes beside them rounds away. */
export async function rowsOfPayments({ database }: House): Promise<RowsOfPayment> {
  const { rows } = await sql<RowsOfPayment>`select (select count(*)::int from ledger_entry) as ledger, (select count(*)::int from outbox_event) as events, (select count(*)::int from operate_log) as log`.execute(database.kysely)
  return rows[0] as RowsOfPayment
}
