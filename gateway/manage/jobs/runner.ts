/**
 * Does the rows of jobs, one transaction each: the row's effect and its result are written together, so a job that goes on
 * after a crash does the waiting rows only and none twice. Several processes may run; a job belongs to one at a time.
 */
import { randomUUID } from 'node:crypto'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { type Actor, systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import {
  endJob,
  type HeldJob,
  isHeld,
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
const TELL_MS = 1_000

export interface JobRunner {
  start(): void
  /** Looks for jobs; before `start` it waits for `settle`. */
  wake(): void
  /** Does every job there is. @throws when the database fails */
  settle(): Promise<void>
  /** Stops between two rows; the job is given back at once. */
  stop(): Promise<void>
}

/** The job was taken over by another runner, cancelled or ended: this one lets go of it. */
class LostJob extends Error {
  override readonly name = 'LostJob'
}

export function jobRunnerOf(house: House, types: readonly JobType[]): JobRunner {
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
        await runJob(house, job, byType.get(job.type) as JobType, runnerId, () => isStopped)
      }
    } while (again && !isStopped)
  }
  function take(): Promise<HeldJob | null> {
    return isStopped || names.length === 0
      ? Promise.resolve(null)
      : takeJob(house.database.kysely, runnerId, names)
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
      if (!isStopped) house.log.error({ err: error }, 'the job runner stumbled; it tries again')
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
  house: House,
  job: HeldJob,
  type: JobType,
  runnerId: string,
  isStopping: () => boolean,
): Promise<void> {
  const actor: Actor = { ...systemActor(job.user_name ?? job.type), userId: job.user_id }
  const teller = tellerOf(job)
  try {
    let progress = await progressOf(house.database.kysely, job.id)
    if (type.prepare && progress.total === 0 && !progress.cancel_asked) {
      const refusal = await type.prepare(house, jobOf(job), async () => {
        if (isStopping() || !(await renewJob(house.database.kysely, job.id, runnerId)))
          throw new LostJob()
      })
      if (refusal instanceof Problem)
        return await finish(house, job, type, runnerId, actor, 'failed', refusal)
      progress = await progressOf(house.database.kysely, job.id)
    }
    for (;;) {
      if (isStopping()) return await releaseJob(house.database.kysely, job.id, runnerId)
      if (progress.cancel_asked) return await finish(house, job, type, runnerId, actor, 'cancelled')
      const row = await nextRow(house.database.kysely, job.id)
      if (row === null) return await finish(house, job, type, runnerId, actor, 'done')
      const after = await doRow(house, job, type, runnerId, actor, row, teller)
      if (after === 'park') return
      progress = after
    }
  } catch (error) {
    if (!(error instanceof LostJob)) throw error
    // lost by stopping: another may go on at once
    if (isStopping()) await releaseJob(house.database.kysely, job.id, runnerId)
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

type Teller = (cx: Cx, progress: JobProgress) => void

async function doRow(
  house: House,
  job: HeldJob,
  type: JobType,
  runnerId: string,
  actor: Actor,
  row: { n: number; target_id: string },
  tell: Teller,
): Promise<JobProgress | 'park'> {
  const audit = { action: job.type, targetKind: 'jobTarget', targetId: row.target_id }
  async function inRow(
    cx: Cx,
    result: RowResult,
    effect: () => Promise<void | 'park'>,
  ): Promise<JobProgress | 'park'> {
    if (!(await isHeld(cx.db, job.id, runnerId))) throw new LostJob()
    if ((await effect()) === 'park') {
      await parkJob(cx.db, job.id)
      cx.log({ action: `${job.type}.parked`, targetKind: 'job', targetId: job.id })
      return 'park'
    }
    const progress = await storeRow(cx.db, job.id, row.n, result)
    if (progress === null) throw new LostJob()
    tell(cx, progress)
    return progress
  }
  try {
    return await command(house, actor, audit, (cx) =>
      inRow(cx, { ok: true }, () => type.row(cx, row.target_id, job.params)),
    )
  } catch (error) {
    if (error instanceof LostJob) throw error
    const refusal = refusalOf(error)
    if (refusal === null)
      house.log.error({ err: error, jobId: job.id, target: row.target_id }, 'a job row failed')
    // when the database itself is gone this fails too, the row stays waiting and the job is taken up again
    return command(house, actor, { ...audit, action: `${job.type}.refused` }, (cx) =>
      inRow(
        cx,
        { ok: false, ...(refusal ?? { code: 500, msg: 'Error', problem: 'G500' }) },
        async () => undefined,
      ),
    )
  }
}

function refusalOf(error: unknown): Omit<RowResult, 'ok'> | null {
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
  house: House,
  job: HeldJob,
  type: JobType,
  runnerId: string,
  actor: Actor,
  state: 'done' | 'cancelled' | 'failed',
  refusal?: Problem,
): Promise<void> {
  await command(
    house,
    actor,
    { action: `${job.type}.${state}`, targetKind: 'job', targetId: job.id },
    async (cx) => {
      if (!(await isHeld(cx.db, job.id, runnerId))) throw new LostJob()
      const ended = await endJob(cx.db, job.id, state, refusal?.id ?? null)
      await type.ended?.(cx, jobOf(job), state)
      // what its type made at the end
      const progress = state === 'done' && type.ended ? await progressOf(cx.db, job.id) : ended
      emitProgress(cx, job, progress)
      if (job.user_id !== null)
        cx.notify({
          userId: job.user_id,
          kind: 'job',
          titleKey:
            state === 'done' && type.doneTitle !== undefined
              ? type.doneTitle
              : `jobs:notice.${state}`,
          params: { jobId: job.id, type: job.type, ok: progress.ok, fail: progress.fail },
          route: `/home_page?job=${job.id}`,
        })
    },
  )
}

/** Progress is told at the first row, then at each 2 % and at least each second. */
function tellerOf(job: HeldJob): Teller {
  let toldDone = -Infinity
  let toldAt = -Infinity
  return (cx, progress) => {
    const isDue =
      (progress.done - toldDone) * 50 >= progress.total || performance.now() - toldAt >= TELL_MS
    if (!isDue || progress.done === progress.total) return
    toldDone = progress.done
    toldAt = performance.now()
    emitProgress(cx, job, progress)
  }
}

function emitProgress(
  cx: Cx,
  job: HeldJob,
  { state, done, total, ok, fail, version, file_id: fileId }: JobProgress,
): void {
  cx.emit(JOB_CHANGED, {
    subject: `job:${job.id}`,
    version,
    rooms: jobRooms(job.id, job.user_id),
    data: { jobId: job.id, type: job.type, state, done, total, ok, fail, fileId },
  })
}

async function command<T>(
  house: House,
  actor: Actor,
  audit: { action: string; targetKind: string; targetId: string },
  run: (cx: Cx) => Promise<T>,
): Promise<T> {
  const { result } = await runCommand(house, { actor, audit }, run)
  return result
}
