/**
 * Many rows in few statements: one array per column, taken apart by the database. Works the same on
 * both engines.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'

/**
 * Columns of a table and their types, in order. `text[]` and `jsonb` travel as text; bytes as
 * Buffers.
 */
export type Columns = Record<
  string,
  | 'text'
  | 'int'
  | 'bigint'
  | 'boolean'
  | 'timestamptz'
  | 'date'
  | 'jsonb'
  | 'text[]'
  | 'bytea'
  | 'xid8'
>
export type Row = Record<string, unknown>

const ROWS_PER_STATEMENT = 5_000

export async function bulkInsert(
  trx: Trx,
  table: string,
  columns: Columns,
  rows: readonly Row[],
  isTogether?: (a: Row, b: Row) => boolean,
): Promise<void> {
  for (let from = 0; from < rows.length;) {
    let to = Math.min(from + ROWS_PER_STATEMENT, rows.length)
    // rows that one statement must hold together (a ledger posting) are not parted
    while (isTogether && to < rows.length && isTogether(rows[to - 1] as Row, rows[to] as Row))
      to += 1
    await insertSome(trx, table, columns, rows.slice(from, to))
    from = to
  }
}

async function insertSome(
  trx: Trx,
  table: string,
  columns: Columns,
  rows: readonly Row[],
): Promise<void> {
  const names = Object.keys(columns)
  const arrays: RawBuilder<unknown>[] = []
  const values: RawBuilder<unknown>[] = []
  for (const name of names) {
    const type = columns[name] as Columns[string]
    const asText = type === 'text[]' || type === 'jsonb'
    const given = rows.map((row) => valueOf(row[name], type))
    arrays.push(sql`${given}::${sql.raw(asText ? 'text' : type)}[]`)
    values.push(asText ? sql`u.${sql.ref(name)}::${sql.raw(type)}` : sql`u.${sql.ref(name)}`)
  }
  const refs = sql.join(names.map((name) => sql.ref(name)))
  await sql`
    insert into ${sql.table(table)} (${refs}) select ${sql.join(values)}
      from unnest(${sql.join(arrays)}) as u (${refs})`.execute(trx)
}

function valueOf(value: unknown, type: Columns[string]): unknown {
  if (value === null || value === undefined) return null
  if (type === 'jsonb') return JSON.stringify(value)
  if (type === 'text[]') return `{${(value as string[]).join(',')}}`
  if (type === 'timestamptz') return new Date(value as number).toISOString()
  return value
}
