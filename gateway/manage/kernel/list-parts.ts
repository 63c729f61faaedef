/** Parts of list queries that know no table. */
import { type RawBuilder, sql } from 'kysely'
import { DEFAULT_PAGE_SIZE, TOTAL_CAP } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { JsonText } from './answer.ts'

/** A text as the beginning of a lower-cased column, taken to the letter. */
export function likeStart(text: string): string {
  return `${text.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}

/**
 * An instant as JSON writes it, UTC with milliseconds; null stays null.
 * @param column a name of ours, never input
 */
export function isoTime(column: string): RawBuilder<string | null> {
  return sql.raw(isoText(column))
}

/** The same as text, for statements that are put together once. */
export function isoText(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Collects a list's filters: `add` makes a clause of each value that was asked for. */
export function filterClauses(): {
  all: RawBuilder<boolean>[]
  add: <T>(value: T | undefined, clause: (value: T) => RawBuilder<unknown>) => void
} {
  const all: RawBuilder<boolean>[] = []
  return {
    all,
    add(value, clause) {
      if (value !== undefined) all.push(sql<boolean>`${clause(value)}`)
    },
  }
}

/**
 * One of the values of a filter, comma-separated as it came. A single one is an equation: only then
 * an index that continues with the list's order gives its first page without reading the rest (a
 * status of 3,000 among a million orders: 800 ms, then 1).
 * @param column a name of ours, never input
 */
export function isOneOf(column: string, values: string, type: 'int' | 'text'): RawBuilder<boolean> {
  const given = values.split(',').map((value) => (type === 'int' ? Number(value) : value))
  return sql`${sql.ref(column)} = ${anyOf(given, type)}`
}

/** True where there is none. */
export function allOf(clauses: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return clauses.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(clauses, sql` and `)}`
}

/** A sort key whose column is never null. */
export interface NotNull {
  notNull: string
}

/** @param column a trusted name of a column that is declared `not null` */
export function notNull(column: string): NotNull {
  return { notNull: column }
}

/** Field of the contract → column or expression. */
export type Sorts = Readonly<Record<string, string | NotNull>>

/**
 * The `order by` of a list. Rows without a value come last in both directions; a plain index cannot
 * answer `desc nulls last`, so a column that is never null is declared with `notNull` and read from
 * its index backwards.
 * @throws Problem G-FIELD for a field that is not a sort key
 */
export function sortOf(
  sort: string | undefined,
  sorts: Sorts,
  byDefault: string,
  last: string,
): RawBuilder<unknown> {
  const keys = (sort ?? byDefault).split(',').map((part) => {
    const [field = '', direction] = part.split(':')
    if (!Object.hasOwn(sorts, field))
      throw new Problem(INVALID_FIELDS, {}, { fields: { sort: 'unknown' } })
    const key = sorts[field] as string | NotNull
    const column = typeof key === 'string' ? key : key.notNull
    if (direction !== 'desc') return sql`${sql.raw(column)} asc`
    return sql`${sql.raw(column)} desc ${sql.raw(typeof key === 'string' ? 'nulls last' : '')}`
  })
  return sql.join([...keys, sql.raw(last)])
}

interface PageInput {
  /** Table and the alias that all the parts use, e.g. `write_off w`; its key is `id`. */
  from: string
  where: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /** A row as JSON, and what it joins. */
  row: RawBuilder<unknown>
  joins?: RawBuilder<unknown>
  input: { pageNum?: number; pageSize?: number }
}

/**
 * How far a list is counted: to the cap of totals for people, as far as a file may go for a file.
 */
export function countedTo({ pageSize = 0 }: { pageSize?: number }): number {
  return Math.max(TOTAL_CAP, pageSize)
}

/**
 * A page in one statement: its ids are found first, so that only the rows shown are joined and
 * written; the total is counted up to the cap.
 */
export async function onePage(
  db: Db,
  { from, where, order, row, joins = sql``, input }: PageInput,
): Promise<JsonText> {
  const cap = countedTo(input)
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const table = sql.raw(from)
  const id = sql.raw(`${from.split(' ')[1]}.id`)
  const { rows } = await sql<{ answer: string }>`
    with page as materialized (
      select ${id} from ${table} where ${where} order by ${order}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    ), counted as (
      select count(*)::int as n from (select 1 from ${table} where ${where} limit ${cap + 1}) x
    )
    select json_build_object(
      'rows', coalesce((select json_agg(${row} order by ${order}) from page shown
        join ${table} on ${id} = shown.id ${joins}), '[]'),
      'total', least(n.n, ${cap}::int), 'totalCapped', n.n > ${cap}, 'asOf',
        ${isoTime('clock_timestamp()')})::text as answer
    from counted n`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}
