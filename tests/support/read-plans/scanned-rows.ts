/** Rows that calls read by scanning whole tables, as the server counts them. */
import type pg from 'pg'
import type { Database } from '#gateway/manage/db/client.ts'

/** A table of fewer rows is scanned because it is short. */
const SHORT = 1_000

/** @returns the longer tables that were scanned during the calls, with the rows read; PostgreSQL only */
export async function scannedDuring(
  { pool }: Database,
  calls: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await scannedRows(pool)
  await calls()
  const after = await scannedRows(pool)
  return Object.fromEntries(
    [...after]
      .map(([table, rows]) => [table, rows - (before.get(table) ?? 0)] as const)
      .filter(([, rows]) => rows > 0),
  )
}

async function scannedRows(pool: pg.Pool): Promise<Map<string, number>> {
  // each connection hands over its counts when it is asked to
  const clients = await Promise.all(
    Array.from({ length: pool.options.max ?? 1 }, () => pool.connect()),
  )
  try {
    for (const client of clients) await client.query('select pg_stat_force_next_flush()')
    const { rows } = await (clients[0] as pg.PoolClient).query<{ table: string; rows: number }>(
      `select s.relname as table, s.seq_tup_read as rows
       from pg_stat_user_tables s join pg_class t on t.oid = s.relid where t.reltuples >= ${SHORT}`,
    )
    return new Map(rows.map((row) => [row.table, row.rows]))
  } finally {
    for (const client of clients) client.release()
  }
}
