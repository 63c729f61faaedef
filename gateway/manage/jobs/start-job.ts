import { sql } from 'kysely'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import { ALREADY_RUNNING, NOTHING_SELECTED, Problem } from '#shared/kernel/problem.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

export interface StartJob {
  /** `JobType.type` of a type the runner knows. */
  type: string
  /** Menu the job was started from. */
  menu: string | null
  params: Record<string, unknown>
  /** Repeated ids are done once. */
  targetIds: readonly string[]
  /** Two open jobs of a type never share a key. */
  singletonKey?: string
  /** Whose job it is, when somebody else lets it begin. */
  owner?: { userId: string; userName: string }
  /**
   * The type has `ended`, so that only a runner ends the job, and `prepare` may find the targets.
   */
  settles?: boolean
}

/**
 * Queues a job in the command's transaction; the runner is woken by the commit.
 * @returns the job's id
 * @throws Problem G-SEL without targets, G-RUN with `data.jobId` of the open job with the same key
 */
export async function startJob(
  tx: CommandTx,
  { type, menu, params, targetIds, singletonKey, owner, settles = false }: StartJob,
): Promise<string> {
  const targets = [...new Set(targetIds)]
  const { userId, userName } = owner ?? tx.actor
  if (targets.length === 0 && !settles) throw new Problem(NOTHING_SELECTED)
  const { rows } = await sql<{ id: string }>`
    with started as (
      insert into job (type, menu, params, singleton_key, settles, total, user_id, user_name)
      values (${type}, ${menu}, ${JSON.stringify(params)}::jsonb, ${singletonKey ?? null}, ${settles},
        ${targets.length}, ${userId}, ${userName})
      on conflict (type, singleton_key) where state in ('queued', 'running')
        and singleton_key is not null do nothing
      returning id
    ), targets as (
      insert into job_row (job_id, n, target_id)
      select s.id, t.n, t.target_id from started s cross
        join unnest(${targets}::text[]) with ordinality as t (target_id, n)
    )
    select s.id from started s`.execute(tx.db)
  const jobId = rows[0]?.id
  if (jobId === undefined)
    throw new Problem(ALREADY_RUNNING, {}, { jobId: await openJobId(tx, type, singletonKey ?? '') })
  tx.emit(JOB_CHANGED, {
    subject: `job:${jobId}`,
    version: 1,
    rooms: jobRooms(jobId, userId),
    data: {
      jobId,
      type,
      state: 'queued',
      done: 0,
      total: targets.length,
      ok: 0,
      fail: 0,
      fileId: null,
    },
  })
  tx.afterCommit(() => tx.context.wakeJobs())
  return jobId
}

/** Rooms of a job: its starter and everyone who watches it. */
export function jobRooms(jobId: string, userId: string | null): string[] {
  return userId === null ? [`job:${jobId}`] : [`job:${jobId}`, `user:${userId}`]
}

async function openJobId(
  tx: CommandTx,
  type: string,
  singletonKey: string,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select j.id from job j where j.type = ${type} and j.singleton_key = ${singletonKey}
      and j.state in ('queued', 'running')`.execute(tx.db)
  return rows[0]?.id ?? null
}
