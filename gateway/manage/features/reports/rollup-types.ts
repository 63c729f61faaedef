import { type RawBuilder, sql } from 'kysely'
import { type Grain, grainEnd, grainStart } from '#shared/kernel/grain.ts'
import type { Days } from '#gateway/manage/kernel/ist-days.ts'

/** Rows of the book that several tables sum: filled together, they read them once. */
export interface SharedRows {
  /** By this name tables read them. */
  name: string
  /** From the book, or from shared rows that are before them. */
  rows(days: Days): RawBuilder<unknown>
}

export interface RollupTable {
  name: string
  /** The first is the day. */
  keys: readonly [string, ...string[]]
  measures: readonly string[]
  /** What a row stands for, by its first day; default a day. It sums the rows of the table before it. */
  grain?: Exclude<Grain, 'day'>
  /** What it reads besides the book. */
  shared?: readonly SharedRows[]
  /** The sums of these days from the book, with exactly the columns named. */
  rows(days: Days): RawBuilder<unknown>
}

/** The days of the table's rows that these days are a part of. */
export function wholeDays({ grain }: RollupTable, { from, to }: Days): Days {
  if (grain === undefined) return { from, to }
  return { from: grainStart(from, grain), to: grainEnd(grainStart(to, grain), grain) }
}

/** Each as a part of a `with`. */
export function sharedOf(shared: readonly SharedRows[], days: Days): RawBuilder<unknown>[] {
  return shared.map(({ name, rows }) => sql`${sql.ref(name)} as (${rows(days)})`)
}

/** The sums of a table in a statement of its own. */
export function bookRows({ shared, rows }: RollupTable, days: Days): RawBuilder<unknown> {
  return shared === undefined
    ? rows(days)
    : sql`with ${sql.join(sharedOf(shared, days))} ${rows(days)}`
}

export interface Rollup {
  /** As triggers write it into `report_mark`. */
  name: string
  tables: readonly RollupTable[]
  /** The first and the last day of the book, as `first` and `last`; null when it is empty. */
  extent: RawBuilder<{ first: string | null; last: string | null }>
  /** Menus whose reports read it. */
  menus: readonly string[]
  /** Sums what instalments owe: each posting changes it, and one mark stands for all of these. */
  followsPostings?: true
}
