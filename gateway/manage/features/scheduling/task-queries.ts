/** Queries of scheduled tasks and their runs. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import type * as api from '#shared/scheduling/scheduling-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { nextRun, periodSeconds } from '#gateway/manage/jobs/cycle.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  notNull,
  onePage,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import { sinceDay, untilDay } from '#gateway/manage/kernel/ist-days.ts'

export type Task = DataOf<typeof api.setTaskStatus>
type TaskRecord = Omit<Task, 'nextRuns'> & { nextRun: string }

const NEXT_RUNS = 3
/** What runs more often is read from its cycle: a time would be past when it is read. */
const SHOWN_FROM_SECONDS = 60
export const LATE_MINUTES = 5
export const FAILS_IN_ROW = 3

/**
 * Of `scheduled_task t`, as `TASK_ALERTS`. Late: due and not begun, or begun late at a time of day; a
 * cycle by seconds continues as before once it runs again.
 */
export const ALERT = sql<string | null>`
  case
    when t.status <> 'enabled' then null
    when t.fails_in_row >= ${sql.lit(FAILS_IN_ROW)} then 'failing'
    when t.next_run_at < clock_timestamp() - make_interval(mins => ${sql.lit(LATE_MINUTES)})
      or (t.cycle not like 'every:%'
        and t.claimed_at - t.due_at > make_interval(mins => ${sql.lit(LATE_MINUTES)})) then 'late'
  end`

const COLUMNS = sql`
  t.id as "taskId", t.class, t.cycle, t.status, coalesce(t.held_until > clock_timestamp(), false)
    or t.asked_by is not null as "isRunning", ${ALERT} as alert, t.success_count as "successCount",
  t.fail_count as "failCount", t.fails_in_row as "failsInRow", t.last_run_at as "lastRunTime",
  t.last_ms as "lastDurationMs", t.last_counts as "lastCounts", t.last_message as "lastMessage",
  t.next_run_at as "nextRun", t.version`

const SORTS = {
  status: 'a.rank',
  failCount: 't.fail_count',
  successCount: 't.success_count',
  lastRunTime: 't.last_run_at',
  lastDurationMs: 't.last_ms',
  nextRuns: 't.next_run_at',
}

/** @param classes those that this core knows; rows of others are left from an older release */
export async function listTasks(
  db: Db,
  classes: readonly string[],
  input: InputOf<typeof api.listTasks>,
): Promise<Page<Task>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const { all, add } = filterClauses()
  add([...classes], (known) => sql`t.class = any(${known})`)
  add(input.class, (name) => sql`t.class = ${name}`)
  add(input.status, (status) => sql`t.status = ${status}`)
  add(input.alert, (alert) => sql`${ALERT} = ${alert}`)
  const where = allOf(all)
  const { rows } = await sql<TaskRecord & { total: number; now: string }>`
    select ${COLUMNS}, count(*) over ()::int as total, clock_timestamp() as now
    from scheduled_task t cross join lateral (select case ${ALERT} when 'failing' then 1
      when 'late' then 2 else case t.status when 'disabled' then 3 else 4 end end as rank) a
    where ${where}
    order by ${sortOf(input.sort, SORTS, 'status:asc', 't.class')}
      limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  return {
    rows: rows.map(({ total: _total, now: _now, ...row }) => withNextRuns(row)),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}

export async function findTask(db: Db, taskId: string): Promise<Task | null> {
  const { rows } = await sql<TaskRecord>`
    select ${COLUMNS} from scheduled_task t where t.id = ${taskId}`.execute(db)
  return rows[0] ? withNextRuns(rows[0]) : null
}

function withNextRuns({ nextRun: next, ...task }: TaskRecord): Task {
  return { ...task, nextRuns: task.status === 'enabled' ? runsFrom(task.cycle, next) : [] }
}

function runsFrom(cycle: string, next: string): string[] {
  try {
    if (periodSeconds(cycle, next) < SHOWN_FROM_SECONDS) return []
    const runs = [next]
    while (runs.length < NEXT_RUNS) runs.push(nextRun(cycle, runs.at(-1) ?? next))
    return runs
  } catch {
    // a cycle that cannot be read is looked at again at this time
    return [next]
  }
}

/** Runs, the newest first. */
export function listTaskRecords(
  db: Db,
  input: InputOf<typeof api.listTaskRecords>,
): Promise<JsonText> {
  const { all, add } = filterClauses()
  add(input.taskId, (taskId) => sql`r.task_id = ${taskId}`)
  add(input.result, (result) => sql`r.result = ${result}`)
  add(input.timeFrom, (day) => sinceDay('r.started_at', day))
  add(input.timeTo, (day) => untilDay('r.started_at', day))
  return onePage(db, {
    from: 'scheduled_run r',
    where: allOf(all),
    order: sortOf(
      input.sort,
      { startTime: notNull('r.started_at'), durationMs: 'r.duration_ms' },
      'startTime:desc',
      'r.id desc',
    ),
    row: RECORD,
    joins: sql`
      join scheduled_task t on t.id = r.task_id left join sys_user u on u.id = r.asked_by`,
    input,
  })
}

const RECORD: RawBuilder<unknown> = sql`
  json_build_object('recordId', r.id::text, 'taskId', r.task_id, 'class', t.class,
    'startTime', ${isoTime('r.started_at')}, 'durationMs', r.duration_ms, 'result', r.result,
    'counts', r.counts, 'message', coalesce(r.message, ''), 'askedBy', u.user_name)`
