import { sql } from 'kysely'
import type { Cx } from '#gateway/manage/kernel/command.ts'

/** The customer paid a loan back in full; with his next application he is an old one. */
export async function countSettlement(cx: Cx, customerId: string): Promise<void> {
  await sql`update customer set settlement_count = settlement_count + 1, updated_at = clock_timestamp(), version = version + 1 where id = ${customerId}`.execute(cx.db)
}

/** A payment was taken back: the loan is not paid back after all. */
export async function uncountSettlement(cx: Cx, customerId: string): Promise<void> {
  await sql`update customer set settlement_count = greatest(0, settlement_count - 1), updated_at = clock_timestamp(), version = version + 1 where id = ${customerId}`.execute(cx.db)
}
