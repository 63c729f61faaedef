/**
 * The run of a node. `prepare` writes down everybody who is taken, in one transaction: from then on
 * the run works off exactly these, whatever happens. Each slice of them is one transaction with its
 * result, so that a run that continues after a crash contacts nobody twice and forgets nobody.
 */
import { sql } from 'kysely'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { runAsSystem } from '#gateway/manage/kernel/system-command.ts'
import { addRows } from '#gateway/manage/jobs/job-store.ts'
import type { Job, JobType } from '#gateway/manage/jobs/job-type.ts'
import { audienceOf, lockNode } from './node-store.ts'
import { candidates, heldOutOf } from './audience.ts'
import { readNodeCatalogue } from './node-columns.ts'
import { emitRun, readRun, RUN_SLICE } from './run-store.ts'
import { workOffSlice } from './work-off-slice.ts'

export const NODE_JOB = 'marketingNode'
const WORK = { name: NODE_JOB, menu: 'marketing_stage' }

export const nodeJob: JobType = {
  type: NODE_JOB,
  doneTitle: 'telemarketing:node.runDone',
  prepare: (context, job) => prepareRun(context, job),
  row: (tx, slice, params) => workOffSlice(tx, runIdOf(params), Number(slice)),
  async ended(tx, job, state) {
    const runId = runIdOf(job.params)
    await sql`
      update marketing_run set state = ${state}, finished_at = clock_timestamp(), version = version + 1
      where id = ${runId}`.execute(tx.db)
    await sql`delete from marketing_slice where run_id = ${runId}`.execute(tx.db)
    emitRun(tx, await readRun(tx.db, runId))
  },
}

function runIdOf(params: Record<string, unknown>): string {
  return String(params.runId)
}

function prepareRun(context: AppContext, job: Job): Promise<void> {
  return runAsSystem(context, WORK, (tx) => takeAudience(tx, job.id, runIdOf(job.params)))
}

async function takeAudience(tx: CommandTx, jobId: string, runId: string): Promise<void> {
  const { nodeId } = await readRun(tx.db, runId)
  const node = await lockNode(tx.db, nodeId)
  const catalogue = await readNodeCatalogue(tx.db)
  const found = candidates(audienceOf(node), catalogue)
  const { rows } = await sql<{ matched: number; taken: number; excluded: unknown }>`
    with found as materialized (${found}), sliced as (
      insert into marketing_slice (run_id, slice, task_ids)
      select ${runId}, x.place / ${RUN_SLICE}::int, array_agg(x.task_id order by x.place)
      from (
        -- the places are shuffled again for each run: who is held out is by chance
        select f.task_id, row_number() over (order by md5(${runId} || f.customer_id)) - 1 as place
        from found f where f.why is null
      ) x group by 2
    ), counted as (
      select f.why, count(*)::int as n from found f group by f.why
    )
    select coalesce(sum(k.n), 0)::int as matched,
      coalesce(sum(k.n) filter (where k.why is null), 0)::int as taken,
      jsonb_object_agg(k.why, k.n) filter (where k.why is not null) as excluded
    from counted k`.execute(tx.db)
  // an aggregate without groups has one row
  const [{ matched, taken, excluded }] = rows as [(typeof rows)[0]]
  await sql`
    update marketing_run set matched = ${matched}, taken = ${taken},
      held_out = ${heldOutOf(taken, node.holdout)},
      excluded = coalesce(${excluded === null ? null : JSON.stringify(excluded)}::jsonb, '{}'),
      version = version + 1
    where id = ${runId}`.execute(tx.db)
  await sql`
    update marketing_node set matched_last = ${matched}, last_run_at = clock_timestamp()
    where id = ${nodeId}`.execute(tx.db)
  const slices = Array.from({ length: Math.ceil(taken / RUN_SLICE) }, (_, slice) => String(slice))
  await addRows(tx.db, jobId, slices)
  tx.log({
    action: 'takeAudience',
    targetKind: 'marketingNode',
    targetId: nodeId,
    after: { runId, matched, taken },
  })
  emitRun(tx, await readRun(tx.db, runId))
}
