/**
 * Does the rows of jobs, one transaction each: the row's effect and its result are written
 * together, so a job that continues after a crash does the waiting rows only and none twice. Several
 * processes may run; a job belongs to one at a time.
 */
import { randomUUID } from 'node:crypto'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import { BUSY, Problem } from '#shared/kernel/problem.ts'
import { isBusy } from '#gateway/manage/kernel/errors.ts'
import { type Actor, systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import {
  endJob,
  type HeldJob,
  lockJobLease,
  type JobProgress,
  nextRow,
  parkJob,
  progressOf,
  releaseJob,
  renewJob,
  type RowResult,
  storeRow,
  takeJob,
} from './job-store.ts'
import type { Job, JobType } from './job-type.ts'
import { jobRooms } from './start-job.ts'

const POLL_MS = 5_000
const REPORT_MS = 1_000

export interface JobRunner {
  start(): void
  /** Looks for jobs; before `start` it waits for `settle`. */
  wake(): void
  /** Does every job there is. @throws when the database fails */
  settle(): Promise<void>
  /** Stops between two rows; the job is given back at once. */
  stop(): Promise<void>
}

/** The job was taken over by another runner, cancelled or ended: this one releases it. */
class LostJob extends Error {
  override readonly name = 'LostJob'
}

export function jobRunnerOf(context: AppContext, types: readonly JobType[]): JobRunner {
  const byType = new Map(types.map((t) => [t.type, t]))
  const names = [...byType.keys()]
  const runnerId = randomUUID()
  let working: Promise<void> | null = null
  let again = false
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  async function work(): Promise<void> {
    do {
      again = false
      for (let job = await take(); job !== null; job = await take()) {
        // the query asked for known types only
        await runJob(context, job, byType.get(job.type) as JobType, runnerId, () => isStopped)
      }
    } while (again && !isStopped)
  }
  function take(): Promise<HeldJob | null> {
    return isStopped || names.length === 0
      ? Promise.resolve(null)
      : takeJob(context.database.kysely, runnerId, names)
  }
  function run(): Promise<void> {
    if (working) {
      again = true
      return working
    }
    working = work().finally(() => {
      working = null
    })
    return working
  }
  function wake(): void {
    if (timer === null || isStopped) return
    run().catch((error: unknown) => {
      if (!isStopped) context.log.error({ err: error }, 'the job runner stumbled; it tries again')
    })
  }
  return {
    start() {
      timer = setInterval(wake, POLL_MS)
      wake()
    },
    wake,
    settle: run,
    async stop() {
      isStopped = true
      if (timer) clearInterval(timer)
      await working?.catch(() => undefined)
    },
  }
}

async function runJob(
  context: AppContext,
  job: HeldJob,
  type: JobType,
  runnerId: string,
  isStopping: () => boolean,
): Promise<void> {
  const actor: Actor = { ...systemActor(job.user_name ?? job.type), userId: job.user_id }
  const emit = progressEmitterOf(job)
  try {
    let progress = await progressOf(context.database.kysely, job.id)
    if (type.prepare && progress.total === 0 && !progress.cancel_asked) {
      const refusal = await type.prepare(context, jobOf(job), async () => {
        if (isStopping() || !(await renewJob(context.database.kysely, job.id, runnerId)))
          throw new LostJob()
      })
      if (refusal instanceof Problem)
        return await finish(context, job, type, runnerId, actor, 'failed', refusal)
      progress = await progressOf(context.database.kysely, job.id)
    }
    for (;;) {
      if (isStopping()) return await releaseJob(context.database.kysely, job.id, runnerId)
      if (progress.cancel_asked)
        return await finish(context, job, type, runnerId, actor, 'cancelled')
      const row = await nextRow(context.database.kysely, job.id)
      if (row === null) return await finish(context, job, type, runnerId, actor, 'done')
      const after = await doRow(context, job, type, runnerId, actor, row, emit)
      if (after === 'park') return
      progress = after
    }
  } catch (error) {
    if (!(error instanceof LostJob)) throw error
    // lost by stopping: another may continue at once
    if (isStopping()) await releaseJob(context.database.kysely, job.id, runnerId)
  }
}

function jobOf(job: HeldJob): Job {
  return {
    id: job.id,
    params: job.params,
    userId: job.user_id,
    userName: job.user_name ?? job.type,
  }
}

type EmitProgress = (tx: CommandTx, progress: JobProgress) => void

async function doRow(
  context: AppContext,
  job: HeldJob,
  type: JobType,
  runnerId: string,
  actor: Actor,
  row: { n: number; target_id: string },
  emit: EmitProgress,
): Promise<JobProgress | 'park'> {
  const audit = { action: job.type, targetKind: 'jobTarget', targetId: row.target_id }
  async function inRow(
    tx: CommandTx,
    result: RowResult,
    effect: () => Promise<void | 'park'>,
  ): Promise<JobProgress | 'park'> {
    if (!(await lockJobLease(tx.db, job.id, runnerId))) throw new LostJob()
    if ((await effect()) === 'park') {
      await parkJob(tx.db, job.id)
      tx.log({ action: `${job.type}.parked`, targetKind: 'job', targetId: job.id })
      return 'park'
    }
    const progress = await storeRow(tx.db, job.id, row.n, result)
    if (progress === null) throw new LostJob()
    emit(tx, progress)
    return progress
  }
  try {
    return await command(context, actor, audit, (tx) =>
      inRow(tx, { ok: true }, () => type.row(tx, row.target_id, job.params)),
    )
  } catch (error) {
    if (error instanceof LostJob) throw error
    const refusal = refusalOf(error)
    if (refusal === null)
      context.log.error({ err: error, jobId: job.id, target: row.target_id }, 'a job row failed')
    // when the database itself is gone this fails too, the row stays waiting and the job is taken
    // up again
    return command(context, actor, { ...audit, action: `${job.type}.refused` }, (tx) =>
      inRow(
        tx,
        { ok: false, ...(refusal ?? { code: 500, msg: 'Error', problem: 'G500' }) },
        async () => undefined,
      ),
    )
  }
}

function refusalOf(error: unknown): Omit<RowResult, 'ok'> | null {
  if (isBusy(error)) return refusalOf(new Problem(BUSY))
  if (error instanceof Problem)
    return { code: error.code, msg: error.message, problem: error.id, params: error.params }
  if (error instanceof IllegalTransition)
    return {
      code: 400,
      msg: error.message,
      problem: 'G-FLOW',
      params: { state: error.state, event: error.event },
    }
  return null
}

async function finish(
  context: AppContext,
  job: HeldJob,
  type: JobType,
  runnerId: string,
  actor: Actor,
  state: 'done' | 'cancelled' | 'failed',
  refusal?: Problem,
): Promise<void> {
  await command(
    context,
    actor,
    { action: `${job.type}.${state}`, targetKind: 'job', targetId: job.id },
    async (tx) => {
      if (!(await lockJobLease(tx.db, job.id, runnerId))) throw new LostJob()
      const ended = await endJob(tx.db, job.id, state, refusal?.id ?? null)
      await type.ended?.(tx, jobOf(job), state)
      // what its type made at the end
      const progress = state === 'done' && type.ended ? await progressOf(tx.db, job.id) : ended
      emitProgress(tx, job, progress)
      if (job.user_id !== null)
        tx.notify({
          userId: job.user_id,
          kind: 'job',
          titleKey:
            state === 'done' && progress.fail === 0 && type.doneTitle !== undefined
              ? type.doneTitle
              : `jobs:notification.${state}`,
          params: { jobId: job.id, type: job.type, ok: progress.ok, fail: progress.fail },
          route: `/home_page?job=${job.id}`,
        })
    },
  )
}

/** Progress is emitted at the first row, then at each 2 % and at least each second. */
function progressEmitterOf(job: HeldJob): EmitProgress {
  let reportedDone = -Infinity
  let reportedAt = -Infinity
  return (tx, progress) => {
    const isDue =
      (progress.done - reportedDone) * 50 >= progress.total ||
      performance.now() - reportedAt >= REPORT_MS
    if (!isDue || progress.done === progress.total) return
    reportedDone = progress.done
    reportedAt = performance.now()
    emitProgress(tx, job, progress)
  }
}

function emitProgress(
  tx: CommandTx,
  job: HeldJob,
  { state, done, total, ok, fail, version, file_id: fileId }: JobProgress,
): void {
  tx.emit(JOB_CHANGED, {
    subject: `job:${job.id}`,
    version,
    rooms: jobRooms(job.id, job.user_id),
    data: { jobId: job.id, type: job.type, state, done, total, ok, fail, fileId },
  })
}

async function command<T>(
  context: AppContext,
  actor: Actor,
  audit: { action: string; targetKind: string; targetId: string },
  run: (tx: CommandTx) => Promise<T>,
): Promise<T> {
  const { result } = await runCommand(context, { actor, audit }, run)
  return result
}
