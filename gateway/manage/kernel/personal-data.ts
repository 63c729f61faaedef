/**
 * What the features know of customers, and how it is erased after its term; each names its own in
 * its manifest. Amounts, days, codes and ids stay: the ledger and the figures remain exact.
 */
import { type RawBuilder, sql } from 'kysely'
import type { CommandTx } from './command.ts'

export interface PersonalData {
  /** Of the feature, in the trace. */
  name: string
  /** Whether something is open with the customer, so that nothing is erased; over `customer c`. */
  isHeld?: RawBuilder<boolean>
  /** When the customer was last dealt with; over `customer c`, null = never. */
  lastAt?: RawBuilder<string | null>
  /** @returns rows that were emptied or removed, by table */
  erase(tx: CommandTx, customerId: string): Promise<Record<string, number>>
}

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    personalData: PersonalData
  }
}

/** Stands where a text must stand and was erased. */
export const ERASED = '—'

/** Carries out statements that erase. @returns how many rows each changed, without zeros */
export async function eraseRows(
  { db }: CommandTx,
  statements: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<Record<string, number>> {
  const changed: Record<string, number> = {}
  for (const [table, statement] of Object.entries(statements)) {
    const { numAffectedRows = 0n } = await statement.execute(db)
    if (numAffectedRows > 0n) changed[table] = Number(numAffectedRows)
  }
  return changed
}

/**
 * Removes files with the rows that name them.
 * @param from table whose rows name them as `file_id`, @param where over that table as `x`
 */
export function withFiles(from: string, where: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    with gone as (delete from ${sql.table(from)} x where ${where} returning x.file_id)
    delete from file_object o using gone g where o.id = g.file_id`
}
