import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { tellCustomer } from './tell-customer.ts'

/** The customer paid a loan back in full; with his next application he is an old one. */
export async function countSettlement(cx: Cx, customerId: string): Promise<void> {
  await write(cx, customerId, sql`settlement_count + 1`)
}

/** A payment was taken back: the loan is not paid back after all. */
export async function uncountSettlement(cx: Cx, customerId: string): Promise<void> {
  await write(cx, customerId, sql`greatest(0, settlement_count - 1)`)
}

async function write(cx: Cx, customerId: string, count: RawBuilder<number>): Promise<void> {
  const { rows } = await sql<{
    version: number
  }>`update customer set settlement_count = ${count}, updated_at = clock_timestamp(), version = version + 1 where id = ${customerId} returning version`.execute(
    cx.db,
  )
  for (const { version } of rows) tellCustomer(cx, customerId, version, ['settlementCount'])
}
