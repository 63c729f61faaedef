/**
 * What a feature brings to a person's home page. Each part names rows by the predicates of its own
 * lists, so that home and list agree; home adds the day and reads everything in one statement.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Arrival, DayFigureKey, LaneKind, NextKey } from '#shared/home/day-sets.ts'
import { TOTAL_CAP } from '#shared/kernel/page.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    home: HomePart
  }
}

/** Rows, as `table alias … where predicate`. */
type Rows = RawBuilder<unknown>

/** An address, or that of a row by its id. */
export type Target = string | ((id: string) => string)

export interface NextWork {
  key: NextKey
  /** Which of several lists it is in. */
  part?: string
  count: RawBuilder<number>
  /** The earliest: when it is due, or since when it waits. */
  time: RawBuilder<string | null>
  /** What opens: a list, or the first one by its id. */
  target: Target
  id?: RawBuilder<string | null>
}

export interface LaneRows {
  kind: LaneKind
  rows: Rows
  /** Columns or expressions of these rows. */
  at: string
  id: string
  name: string
  /** Of one row, and of several. */
  target: Target
  list: string
}

export interface DayFigure {
  key: DayFigureKey
  rows: Rows
  at: string
  /** What is added up or averaged; without it rows are counted. */
  amount?: RawBuilder<number>
  goal?: RawBuilder<number | null>
  /** `{today}` is replaced by the IST day. */
  target: string
}

export interface ArrivalRows {
  key: Arrival
  rows: Rows
  at: string
  /** Paise. */
  amount?: RawBuilder<number>
  target: string
}

export interface HomePart {
  /**
   * An administrator holds all codes and does none of the floor's work: only the parts that say so
   * are theirs.
   */
  forAdministrator?: true
  next?(actor: StaffActor): NextWork[]
  lane?(actor: StaffActor): LaneRows[]
  /** Today's shift of the caller, as the duty table names it; null without one. */
  shift?(actor: StaffActor): RawBuilder<string | null>
  figures?(actor: StaffActor): DayFigure[]
  /**
   * Goals of figures, of another feature too, that no statement can compute; null leaves the figure's
   * own.
   */
  goals?(actor: StaffActor): Promise<Partial<Record<DayFigureKey, number | null>>>
  arrivals?(actor: StaffActor): ArrivalRows[]
}

/** How many rows there are, up to the cap of lists. */
export function countRows(rows: Rows): RawBuilder<number> {
  return sql<number>`(select count(*)::int from (select from ${rows} limit ${TOTAL_CAP}) n)`
}

/**
 * What a day should bring: a parameter for one person, times the people; a parameter of 0 sets no
 * goal.
 */
export function goalOf(
  code: string,
  people: RawBuilder<number> = sql<number>`1`,
): RawBuilder<number> {
  return sql<number>`(${intParameter(code)}::bigint * ${people})`
}
