/**
 * Rows of scheduled_task and scheduled_run. A due task is claimed by moving its next time, so that
 * of several processes one runs it.
 */
import { sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { nextRun } from './cycle.ts'
import type { ScheduledClass } from './scheduled-class.ts'

const KEEP_RUNS_DAYS = 30

/**
 * Adds missing classes: one with a period is due at once, one with a time of day at that time. A
 * row whose cycle or status an owner changed stays as it is.
 */
export async function addTasks(
  database: Database,
  classes: readonly ScheduledClass[],
): Promise<void> {
  const now = new Date().toISOString()
  const rows = classes.map((c) => ({
    name: c.name,
    cycle: c.cycle,
    next_at: c.cycle.startsWith('every:') ? now : nextRun(c.cycle, now),
  }))
  await sql`
    insert into scheduled_task (id, name, class, cycle, next_run_at)
    select 'K-' || t.name, t.name, t.name, t.cycle, t.next_at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (name text, cycle text,
      next_at timestamptz)
    on conflict (id) do nothing`.execute(database.kysely)
}

/**
 * Claims the due tasks among `classes` and moves their next time.
 * @returns those to run, and those whose cycle cannot be read
 */
export async function claimDue(
  database: Database,
  classes: readonly string[],
): Promise<{ due: string[]; broken: string[] }> {
  return inTransaction(database, async (trx) => {
    const { rows } = await sql<{ id: string; class: string; cycle: string; now: string }>`
      select t.id, t.class, t.cycle, clock_timestamp() as now from scheduled_task t
      where t.status = 'enabled' and t.next_run_at <= clock_timestamp() and t.class = any(${[...classes]})
        order by t.next_run_at for update skip locked`.execute(trx)
    const next: { id: string; at: string }[] = []
    const broken: string[] = []
    for (const task of rows) {
      try {
        next.push({ id: task.id, at: nextRun(task.cycle, task.now) })
      } catch {
        // a cycle somebody mistyped: looked at again in an hour, and said each time
        broken.push(task.class)
        next.push({ id: task.id, at: nextRun('every:3600', task.now) })
      }
    }
    if (next.length > 0) {
      await sql`
        update scheduled_task t set next_run_at = n.at
          from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as n (id text, at timestamptz)
          where t.id = n.id`.execute(trx)
    }
    return { due: rows.map((task) => task.class).filter((name) => !broken.includes(name)), broken }
  })
}

/** Whether the class may run at all; one without a row (a process that was never started) may. */
export async function isEnabled(db: Db, taskClass: string): Promise<boolean> {
  const { rows } = await sql<{ off: boolean }>`
    select exists (select 1 from scheduled_task t where t.class = ${taskClass}
      and t.status = 'disabled') as off`.execute(db)
  return rows[0]?.off !== true
}

export interface Run {
  ok: boolean
  message: string
  durationMs: number
  /** Whether the run leaves a row of its own. */
  kept: boolean
}

/** Counts the run, keeps its row when it is worth reading, and drops rows older than a month. */
export async function recordRun(
  db: Db,
  taskClass: string,
  { ok, message, durationMs, kept }: Run,
): Promise<void> {
  await sql`
    with task as (
      update scheduled_task t set last_run_at = clock_timestamp(),
        success_count = t.success_count + ${ok ? 1 : 0}, fail_count = t.fail_count + ${ok ? 0 : 1}
        where t.class = ${taskClass} returning t.id
    ), old as (
      delete from scheduled_run r using task t where ${kept} and r.task_id = t.id
        and r.started_at < clock_timestamp() - make_interval(days => ${KEEP_RUNS_DAYS})
    )
    insert into scheduled_run (task_id, started_at, duration_ms, result, message)
    select t.id, clock_timestamp() - make_interval(secs => ${durationMs}::double precision / 1000),
      ${durationMs}::int, ${ok ? 'success' : 'fail'}::text, ${message.slice(0, 1_000)}::text from task t
      where ${kept}`.execute(db)
}
