/**
 * Rows of scheduled_task and scheduled_run. A due task is claimed by moving its next time and
 * holding it, so that of several processes one runs it, and another takes over when that process ends.
 */
import { sql } from 'kysely'
import { TASK_RUN_CHANGED } from '#shared/scheduling/scheduling-live.ts'
import type { RunCounts } from '#shared/scheduling/scheduling-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { inTransaction } from '#gateway/manage/db/transaction.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { nextRun } from './cycle.ts'
import type { ScheduledClass } from './scheduled-class.ts'

const KEEP_RUNS_DAYS = 30
/** A run whose process has not renewed its hold for so long is done again by another. */
export const HOLD_SECONDS = 30
const INTERRUPTED: RunCounts = { interrupted: 1 }

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

export interface Claim {
  taskId: string
  class: string
  /** Who asked for this run; null = the clock. */
  askedBy: string | null
}

interface DueTask {
  id: string
  class: string
  cycle: string
  held_by: string | null
  asked_by: string | null
  is_due: boolean
  now: string
}

/**
 * Claims the due tasks among `classes`, and those whose process died in the middle of a run, and
 * moves their next time.
 * @param holder the process
 * @returns those to run, and those whose cycle cannot be read
 */
export async function claimDue(
  database: Database,
  classes: readonly string[],
  holder: string,
): Promise<{ due: Claim[]; broken: string[] }> {
  return inTransaction(database, async (trx) => {
    const { rows } = await sql<DueTask>`
      select t.id, t.class, t.cycle, t.held_by, t.asked_by, t.next_run_at <= clock_timestamp() as is_due,
        clock_timestamp() as now
      from scheduled_task t
      where t.status = 'enabled' and (t.next_run_at <= clock_timestamp() or t.held_by is not null)
        and (t.held_until is null or t.held_until <= clock_timestamp()) and t.class = any(${[...classes]})
      order by t.next_run_at for update skip locked`.execute(trx)
    const next: { id: string; at: string; is_broken: boolean; is_interrupted: boolean }[] = []
    const broken: string[] = []
    for (const task of rows) {
      const claimed = { id: task.id, is_interrupted: task.held_by !== null }
      try {
        next.push({ ...claimed, at: nextRun(task.cycle, task.now), is_broken: false })
      } catch {
        // a mistyped cycle: checked again in an hour, and logged each time
        broken.push(task.class)
        next.push({ ...claimed, at: nextRun('every:3600', task.now), is_broken: true })
      }
    }
    if (next.length > 0) await holdTasks(trx, next, holder)
    const due = rows
      .filter((task) => !broken.includes(task.class))
      .map((task) => ({ taskId: task.id, class: task.class, askedBy: task.asked_by }))
    return { due, broken }
  })
}

/** An interrupted run counts as failed and leaves its row. */
async function holdTasks(
  trx: Db,
  next: readonly { id: string; at: string; is_broken: boolean; is_interrupted: boolean }[],
  holder: string,
): Promise<void> {
  await sql`
    with claimed as (
      select n.id, n.at, n.is_broken, n.is_interrupted, t.claimed_at, t.asked_by
      from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as n (id text, at timestamptz,
        is_broken boolean, is_interrupted boolean)
      join scheduled_task t on t.id = n.id
    ), interrupted as (
      insert into scheduled_run (task_id, started_at, result, counts, asked_by)
      select c.id, coalesce(c.claimed_at, clock_timestamp()), 'fail', ${JSON.stringify(INTERRUPTED)}::jsonb,
        c.asked_by
        from claimed c where c.is_interrupted
    )
    update scheduled_task t set
      due_at = case when c.is_interrupted then t.due_at else t.next_run_at end,
      next_run_at = case when c.is_interrupted and t.next_run_at > clock_timestamp() then t.next_run_at
        else c.at end,
      claimed_at = clock_timestamp(),
      held_by = case when c.is_broken then null else ${holder} end,
      held_until = case when c.is_broken then null
        else clock_timestamp() + make_interval(secs => ${HOLD_SECONDS}) end,
      fail_count = t.fail_count + c.is_interrupted::int,
      fails_in_row = t.fails_in_row + c.is_interrupted::int
    from claimed c where t.id = c.id`.execute(trx)
}

/** Keeps the tasks that this process is running. */
export async function renewHolds(
  db: Db,
  classes: readonly string[],
  holder: string,
): Promise<void> {
  await sql`
    update scheduled_task t set held_until = clock_timestamp() + make_interval(secs => ${HOLD_SECONDS})
      where t.held_by = ${holder} and t.class = any(${[...classes]})`.execute(db)
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
  /** Without zeros; null when it failed or did nothing. */
  counts: RunCounts | null
  /** Why it failed; empty when it did not. */
  message: string
  durationMs: number
  /** Whether the run leaves a row of its own. */
  kept: boolean
}

/**
 * Counts the run, releases the task, keeps the run's row and emits it when it is worth reading,
 * and drops rows older than a month.
 * @param claim of a run that this process claimed as `holder`; null when it was woken
 */
export async function recordRun(
  db: Db,
  taskClass: string,
  { ok, counts, message, durationMs, kept }: Run,
  claim: { holder: string; askedBy: string | null } | null = null,
): Promise<void> {
  const done = counts === null ? null : JSON.stringify(counts)
  const shortMessage = message.slice(0, 1_000)
  const result = ok ? 'success' : 'fail'
  const holder = claim?.holder ?? null
  await sql`
    with task as (
      update scheduled_task t set last_run_at = clock_timestamp(), last_ms = ${durationMs}::int,
        last_counts = ${done}::jsonb, last_message = ${shortMessage}::text,
        success_count = t.success_count + ${ok ? 1 : 0},
        fail_count = t.fail_count + ${ok ? 0 : 1},
        fails_in_row = case when ${ok} then 0 else t.fails_in_row + 1 end,
        asked_by = case when t.held_by = ${holder}::text then null else t.asked_by end,
        held_until = case when t.held_by = ${holder}::text then null else t.held_until end,
        held_by = nullif(t.held_by, ${holder}::text)
      where t.class = ${taskClass} returning t.id
    ), old as (
      delete from scheduled_run r using task t where ${kept} and r.task_id = t.id
        and r.started_at < clock_timestamp() - make_interval(days => ${KEEP_RUNS_DAYS})
    ), record as (
      insert into scheduled_run (task_id, started_at, duration_ms, result, counts, message, asked_by)
      select t.id, clock_timestamp() - make_interval(secs => ${durationMs}::double precision / 1000),
        ${durationMs}::int, ${result}::text, ${done}::jsonb, ${shortMessage}::text,
        ${claim?.askedBy ?? null}::text from task t where ${kept}
      returning id::text as id
    )
    insert into outbox_event (type, subject, rooms, data, actor_name)
    select ${TASK_RUN_CHANGED.type}, 'task:' || t.id, array['menu:timed_task'::text],
      jsonb_build_object('taskId', t.id, 'recordId', r.id, 'result', ${result}::text,
        'durationMs', ${durationMs}::int), ${taskClass}
      from task t cross join record r`.execute(db)
}
