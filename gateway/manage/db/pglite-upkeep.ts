// What a server's background processes do and PGlite, which is a single process, never does:
// without it the log grows until the disk is full, dead rows are never removed, and the planner
// never learns how large a table is.

/** Runs SQL in PGlite's session and gives the rows. */
export type Query = (sql: string) => Promise<readonly Record<string, unknown>[]>

/**
 * Log written since the last checkpoint that makes a new one due; also what a start after a crash
 * has to replay at most. Everybody waits for a checkpoint: many short ones, no long one.
 */
const LOG_LIMIT = 16 * 1024 * 1024

/**
 * PostgreSQL's own defaults of autovacuum, with a larger floor: small tables cost nothing to read
 * whole.
 */
const FLOOR_ROWS = 500
const DEAD_SHARE = 0.2
const CHANGED_SHARE = 0.1

/**
 * The one statement that is most needed now, or null. One at a time, so that clients get their turn
 * in between. To be asked while no transaction is open.
 */
export async function nextUpkeep(query: Query): Promise<string | null> {
  await query('select pg_stat_force_next_flush()')
  const [log] = await query(`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > ${LOG_LIMIT} as is_due
    from pg_control_checkpoint()`)
  if (log?.is_due === true) return 'checkpoint'
  const [table] = await query(`
    select
      format('%I.%I', schemaname, relname) as name,
      n_dead_tup > ${FLOOR_ROWS} + ${DEAD_SHARE} * n_live_tup as has_dead_rows
    from pg_stat_user_tables
    where n_dead_tup > ${FLOOR_ROWS} + ${DEAD_SHARE} * n_live_tup
      or n_mod_since_analyze > ${FLOOR_ROWS} + ${CHANGED_SHARE} * n_live_tup
    order by n_dead_tup + n_mod_since_analyze desc
    limit 1`)
  if (!table) return null
  return `${table.has_dead_rows === true ? 'vacuum (analyze)' : 'analyze'} ${String(table.name)}`
}
