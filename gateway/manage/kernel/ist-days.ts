/** Instants of IST days in a `where`: half open, so that every instant is in exactly one day. */
import { type RawBuilder, sql } from 'kysely'
import { addDays, istMidnight } from '#shared/kernel/time.ts'

/** IST days, both included. */
export interface Days {
  from: string
  to: string
}

export function onDays(column: string, { from, to }: Days): RawBuilder<boolean> {
  return sql<boolean>`${sinceDay(column, from)} and ${untilDay(column, to)}`
}

export function sinceDay(column: string, day: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} >= ${istMidnight(day).toISOString()}::timestamptz`
}

/** The whole day is included, to its last microsecond. */
export function untilDay(column: string, day: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} < ${istMidnight(addDays(day, 1)).toISOString()}::timestamptz`
}
