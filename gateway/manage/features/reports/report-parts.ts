/** Common parts of all reports: the days, the filters, sums by group of this and the previous period. */
import { type RawBuilder, sql } from 'kysely'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { REPORT_DAYS } from '#shared/kernel/report.ts'
import { addDays, daysBetween } from '#shared/kernel/time.ts'
import type { Sums } from '#shared/reports/measures.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { IS_FILLING } from './rollup.ts'

export interface Range {
  dateFrom: string
  dateTo: string
}

/** @throws Problem G-FIELD when the days are reversed or more than REPORT_DAYS */
export function checkDays({ dateFrom, dateTo }: Range): void {
  const days = daysBetween(dateFrom, dateTo)
  if (days < 0) throw new Problem(INVALID_FIELDS, {}, { fields: { dateTo: 'beforeFrom' } })
  if (days >= REPORT_DAYS) throw new Problem(INVALID_FIELDS, {}, { fields: { dateTo: 'tooLong' } })
}

/** As many days, right before. */
export function daysBefore({ dateFrom, dateTo }: Range): Range {
  const days = daysBetween(dateFrom, dateTo) + 1
  return { dateFrom: addDays(dateFrom, -days), dateTo: addDays(dateTo, -days) }
}

/** Each IST day of the range. */
export function daysOf({ dateFrom, dateTo }: Range): string[] {
  return Array.from({ length: daysBetween(dateFrom, dateTo) + 1 }, (_, n) => addDays(dateFrom, n))
}

export interface Freshness {
  /** The figures are those of this moment. */
  asOf: string
  /** The book is older than its rollups, and they are not complete yet. */
  isFilling: boolean
}

export async function freshnessOf(db: Db): Promise<Freshness> {
  const { rows } = await sql<Freshness>`
    select coalesce((select s.as_of from report_state s), clock_timestamp()) as "asOf",
      ${IS_FILLING} as "isFilling"`.execute(db)
  return rows[0] as Freshness
}

/** A rollup's table, as a report sums it. */
export interface Source {
  table: string
  day: string
  /** Sums by their name, over the table as `t`. */
  sums: Readonly<Record<string, RawBuilder<unknown>>>
  /** Filters by column: those without a value do not filter. */
  filters: Readonly<Record<string, string | undefined>>
  /** Other rows are not read. */
  where?: RawBuilder<boolean>
  /**
   * Its columns are summed by the day and the columns of `by` first, because the sums and the group
   * look at no others: many sums of few rows instead of many rows.
   */
  summedFirst?: { by: readonly string[]; columns: readonly string[] }
}

/** Sums of a period: by group, and of all groups together. */
export interface Period {
  groups: ReadonlyMap<string, Sums>
  all: Sums
}

/** Group of a row of the table `t`; it is given the day of the row. */
export type Key = (day: RawBuilder<unknown>) => RawBuilder<unknown>

export const byDay: Key = (day) => sql`${day}::text`

export async function sumsOf(
  db: Db,
  range: Range,
  { table, day, sums, filters, where, summedFirst }: Source,
  keyOf: Key,
): Promise<Period> {
  const on = sql.ref(`t.${day}`)
  const filtered = Object.entries(filters).flatMap(([column, value]) =>
    value === undefined
      ? []
      : [sql`and ${sql.ref(`t.${column}`)} = any(${value.split(',')}::text[])`],
  )
  const rowsOf = sql`
    ${sql.table(table)} t
    where ${on} >= ${range.dateFrom}::date and ${on} <= ${range.dateTo}::date
      ${sql.join(where === undefined ? filtered : [...filtered, sql`and ${where}`], sql` `)}`
  const key = keyOf(on)
  const first = (one: NonNullable<Source['summedFirst']>): RawBuilder<unknown> => {
    const by = sql.join([day, ...one.by].map((column) => sql.ref(`t.${column}`)))
    const columns = one.columns.map(
      (column) => sql`sum(${sql.ref(`t.${column}`)}) as ${sql.ref(column)}`,
    )
    return sql`(select ${by}, ${sql.join(columns)} from ${rowsOf} group by ${by}) t`
  }
  const { rows } = await sql<{ key: string | null; all: boolean; sums: Record<string, number> }>`
    select g.key, g.is_all as all, to_jsonb(g) - 'key' - 'is_all' as sums
    from (
      select ${key} as key, grouping(${key}) = 1 as is_all,
        ${sql.join(Object.entries(sums).map(([name, sum]) => sql`${sum} as ${sql.ref(name)}`))}
      from ${summedFirst === undefined ? rowsOf : first(summedFirst)}
      group by grouping sets ((${key}), ())
    ) g`.execute(db)
  return {
    groups: new Map(rows.flatMap((row) => (row.all ? [] : [[String(row.key), row.sums] as const]))),
    all: rows.find((row) => row.all)?.sums ?? {},
  }
}

/** The sums of several tables side by side. */
export function joined(periods: readonly Period[]): Period {
  const groups = new Map<string, Record<string, number>>()
  for (const period of periods)
    for (const [key, sums] of period.groups) groups.set(key, { ...groups.get(key), ...sums })
  return { groups, all: Object.assign({}, ...periods.map(({ all }) => all)) as Sums }
}

/** Sum of columns of the table, as a whole number. */
export function total(
  columns: string | readonly string[],
  where?: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const added = (typeof columns === 'string' ? [columns] : columns).map((one) =>
    sql.ref(`t.${one}`),
  )
  const filter = where === undefined ? sql`` : sql` filter (where ${where})`
  return sql`coalesce(sum(${sql.join(added, sql` + `)})${filter}, 0)::bigint`
}
