import type { RawBuilder } from 'kysely'
import type { Days } from '#gateway/manage/kernel/ist-days.ts'

export interface RollupTable {
  name: string
  /** The first is the day. */
  keys: readonly [string, ...string[]]
  measures: readonly string[]
  /** The sums of these days from the book, with exactly the columns named. */
  rows(days: Days): RawBuilder<unknown>
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
