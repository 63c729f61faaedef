import { type RawBuilder, sql } from 'kysely'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitCustomer } from './emit-customer.ts'

/** Records that the customer repaid a loan in full; the next application is a returning one. */
export async function countSettlement(tx: CommandTx, customerId: string): Promise<void> {
  await write(tx, customerId, sql`settlement_count + 1`)
}

/** Undoes the count after a reversed payment: the loan is not repaid after all. */
export async function uncountSettlement(tx: CommandTx, customerId: string): Promise<void> {
  await write(tx, customerId, sql`greatest(0, settlement_count - 1)`)
}

async function write(tx: CommandTx, customerId: string, count: RawBuilder<number>): Promise<void> {
  const { rows } = await sql<{
    version: number
  }>`
    update customer
    set settlement_count = ${count}, updated_at = clock_timestamp(), version = version + 1
    where id = ${customerId}
    returning version`.execute(tx.db)
  for (const { version } of rows) emitCustomer(tx, customerId, version, ['settlementCount'])
}
