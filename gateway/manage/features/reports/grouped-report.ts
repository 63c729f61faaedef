/** A report whose rows are groups of summed tables: days, weeks, months, or values of a column. */
import { type RawBuilder, sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import { type Figures, figuresOf, type MeasureName, type Sums } from '#shared/reports/measures.ts'
import { type Grain, grainStart } from '#shared/kernel/grain.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import {
  byDay,
  checkDays,
  daysBefore,
  daysOf,
  joined,
  type Key,
  type Period,
  type Range,
  type Source,
  type Freshness,
  freshnessOf,
  sumsOf,
} from './report-parts.ts'

export interface Grouping<Keys> {
  key: Key
  /** What names the group in its row. */
  keysOf(key: string): Keys
  /** All groups of a range, also those without figures; else those found, the largest first. */
  all?: (range: Range) => string[]
}

export interface Grouped<Name extends MeasureName, Keys> {
  measures: readonly Name[]
  /** @param today IST day of the figures */
  sources: (today: string) => readonly Source[]
  grouping: Grouping<Keys>
  /** Groups that are not known in advance are sorted by it, the greatest first. */
  rank: NoInfer<Name>
  /** What counts in a row that is more than a day, and in the sum. */
  complete?: (sums: Sums) => Sums
}

export interface GroupedAnswer<Row, Sum> extends Freshness {
  rows: Row[]
  previous: Row[]
  sum: Sum
}

/** @throws Problem G422 for a range that is reversed or too long */
export async function groupedReport<const Name extends MeasureName, Keys extends object>(
  db: Db,
  range: Range,
  { measures, sources, grouping, rank, complete = (sums) => sums }: Grouped<Name, Keys>,
): Promise<GroupedAnswer<Keys & Figures<Name>, Figures<Name>>> {
  checkDays(range)
  const freshness = await freshnessOf(db)
  const before = daysBefore(range)
  const read = async (days: Range): Promise<Period> =>
    joined(
      await Promise.all(
        sources(istDay(freshness.asOf)).map((source) => sumsOf(db, days, source, grouping.key)),
      ),
    )
  const [now, then] = await Promise.all([read(range), read(before)])
  const isDays = grouping.key === byDay
  const rowOf = (key: string, sums: Sums): Keys & Figures<Name> => ({
    ...grouping.keysOf(key),
    ...figuresOf(measures, isDays ? sums : complete(sums)),
  })
  const rowsOf = (period: Period, days: Range) =>
    grouping.all === undefined
      ? [...period.groups]
          .map(([key, sums]) => rowOf(key, sums))
          .toSorted((a, b) => (b[rank] ?? 0) - (a[rank] ?? 0))
      : grouping.all(days).map((key) => rowOf(key, period.groups.get(key) ?? {}))
  return {
    rows: rowsOf(now, range),
    previous: rowsOf(then, before),
    sum: figuresOf(measures, complete(now.all)),
    ...freshness,
  }
}

/** Rows by day, week or month, each named by its first day. */
export function byGrain<Keys>(grain: Grain, keysOf: (start: string) => Keys): Grouping<Keys> {
  return {
    key: grain === 'day' ? byDay : (day) => sql`date_trunc(${sql.lit(grain)}, ${day})::date::text`,
    keysOf,
    all: (range) => [...new Set(daysOf(range).map((day) => grainStart(day, grain)))],
  }
}

/** Rows by a column that all tables have. */
export function byColumn<Keys>(column: string, keysOf: (key: string) => Keys): Grouping<Keys> {
  const key: RawBuilder<unknown> = sql.ref(`t.${column}`)
  return { key: () => key, keysOf }
}
