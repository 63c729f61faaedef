/**
 * Rows of job and job_row. A runner holds a job for a short time and renews it with every row, so a
 * crashed runner's job is taken over.
 */
import { sql } from 'kysely'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'

export const HELD_SECONDS = 60

export interface HeldJob {
  id: string
  type: string
  params: Record<string, unknown>
  total: number
  user_id: string | null
  user_name: string | null
}

export interface JobProgress {
  state: string
  total: number
  done: number
  ok: number
  fail: number
  cancel_asked: boolean
  /** What it made, for a day. */
  file_id: string | null
  version: number
}

/**
 * Takes the oldest job that is queued, or whose runner has stopped renewing it; null when there is
 * none.
 */
export async function takeJob(
  db: Db,
  runnerId: string,
  types: readonly string[],
): Promise<HeldJob | null> {
  const { rows } = await sql<HeldJob>`
    update job set state = 'running', held_by = ${runnerId},
      held_until = clock_timestamp() + make_interval(secs => ${HELD_SECONDS}),
      updated_at = clock_timestamp(), version = version + 1
    where id = (
      select j.id from job j
      where j.state in ('queued', 'running') and (j.held_until is null or j.held_until <= clock_timestamp())
        and j.type = any(${[...types]})
      order by j.created_at, j.id limit 1 for update skip locked
    )
    returning id, type, params, total, user_id, user_name`.execute(db)
  return rows[0] ?? null
}

/** Releases an unfinished job, so that another runner continues with it at once. */
export async function releaseJob(db: Db, jobId: string, runnerId: string): Promise<void> {
  await sql`
    update job set held_by = null, held_until = null, updated_at = clock_timestamp(), version = version + 1
      where id = ${jobId} and held_by = ${runnerId} and state = 'running'`.execute(db)
}

export async function nextRow(
  db: Db,
  jobId: string,
): Promise<{ n: number; target_id: string } | null> {
  const { rows } = await sql<{ n: number; target_id: string }>`
    select r.n, r.target_id
    from job_row r
    where r.job_id = ${jobId} and r.state = 'waiting'
    order by r.n
    limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * Whether the job is still this runner's; locks it, so that its end and a request to cancel come
 * one after the other.
 */
export async function lockJobLease(trx: Trx, jobId: string, runnerId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select j.id
    from job j
    where j.id = ${jobId} and j.held_by = ${runnerId} and j.state = 'running'
    for update`.execute(trx)
  return rows.length === 1
}

export interface RowResult {
  ok: boolean
  code?: number
  msg?: string
  problem?: string
  params?: Record<string, string | number>
}

/**
 * Stores a row's result and counts it.
 * @returns the job's progress after it; null when the row had a result already
 */
export async function storeRow(
  trx: Trx,
  jobId: string,
  n: number,
  result: RowResult,
): Promise<JobProgress | null> {
  const { rows } = await sql<JobProgress>`
    with stored as (
      update job_row set state = ${result.ok ? 'ok' : 'failed'}, code = ${result.code ?? null}::int,
        msg = ${result.msg ?? null}::text, problem = ${result.problem ?? null}::text,
        params = ${result.params ? JSON.stringify(result.params) : null}::jsonb
      where job_id = ${jobId} and n = ${n} and state = 'waiting' returning state
    )
    update job j set done = j.done + 1, ok = j.ok + ${result.ok ? 1 : 0},
      fail = j.fail + ${result.ok ? 0 : 1},
      held_until = clock_timestamp() + make_interval(secs => ${HELD_SECONDS}),
      updated_at = clock_timestamp(), version = j.version + 1
    from stored s where j.id = ${jobId}
    returning j.state, j.total, j.done, j.ok, j.fail, j.cancel_asked, j.file_id, j.version`.execute(
    trx,
  )
  return rows[0] ?? null
}

export async function endJob(
  trx: Trx,
  jobId: string,
  state: 'done' | 'failed' | 'cancelled',
  message: string | null,
): Promise<JobProgress> {
  const { rows } = await sql<JobProgress>`
    update job set state = ${state}, message = ${message}, finished_at = clock_timestamp(), held_by = null,
      held_until = null, updated_at = clock_timestamp(), version = version + 1
    where id = ${jobId} returning state, total, done, ok, fail, cancel_asked, file_id, version`.execute(
    trx,
  )
  return rows[0] as JobProgress
}

export async function progressOf(db: Db, jobId: string): Promise<JobProgress> {
  const { rows } = await sql<JobProgress>`
      select j.state, j.total, j.done, j.ok, j.fail, j.cancel_asked, j.file_id, j.version from job j
        where j.id = ${jobId}`.execute(db)
  return rows[0] as JobProgress
}

/**
 * Targets found after the start, in the order given; repeated ones are done once. A job without
 * targets may take them.
 */
export async function addRows(
  trx: Trx,
  jobId: string,
  targetIds: readonly string[],
): Promise<void> {
  await sql`
    with added as (
      insert into job_row (job_id, n, target_id) select ${jobId}, t.n, t.target_id
        from unnest(${[...new Set(targetIds)]}::text[]) with ordinality as t (target_id, n) returning n
    )
    update job set total = (select count(*)
      from added), updated_at = clock_timestamp(), version = version + 1 where id = ${jobId}`.execute(
    trx,
  )
}

/** @returns false when another runner has it, or it has ended */
export async function renewJob(db: Db, jobId: string, runnerId: string): Promise<boolean> {
  const { rows } = await sql`
      update job set held_until = clock_timestamp() + make_interval(secs => ${HELD_SECONDS})
        where id = ${jobId} and held_by = ${runnerId} and state = 'running' returning id`.execute(
    db,
  )
  return rows.length === 1
}

/** Nobody works on it until `unparkJob`. */
export async function parkJob(trx: Trx, jobId: string): Promise<void> {
  await sql`
    update job set held_by = null, held_until = 'infinity', updated_at = clock_timestamp(),
      version = version + 1 where id = ${jobId} and state = 'running'`.execute(trx)
}

/** A parked job may be taken again; any other stays as it is. */
export async function unparkJob(trx: Trx, jobId: string): Promise<void> {
  await sql`
    update job set held_until = null, updated_at = clock_timestamp(), version = version + 1
      where id = ${jobId} and held_by is null and state = 'running'`.execute(trx)
}
