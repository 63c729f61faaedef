import { type RawBuilder, sql } from 'kysely'

/** An instant inside JSON, as every other answer writes it; null stays null. @param column a name of ours, never input */
export function isoText(column: string): RawBuilder<string | null> {
  return sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
}
