/** The days of cases, and the units they are in as columns of rollups: an empty text stands for none. */
import { type RawBuilder, sql } from 'kysely'

/** From the first case to the day that was opened last. */
export const CASE_DAYS = sql<{ first: string | null; last: string | null }>`
  select ist_day(min(c.created_at))::text as first,
    greatest(max(ist_day(c.created_at)), (select max(d.day) from day_opening d))::text as last
  from collection_case c`

export const UNITS = ['agency_id', 'department_id', 'group_id'] as const

/** @param prefix of the columns of a row that names its units */
export function unitsOf(prefix: string): RawBuilder<unknown> {
  return sql.join(
    UNITS.map((column) => sql`coalesce(${sql.ref(prefix + column)}, '') as ${sql.ref(column)}`),
  )
}
