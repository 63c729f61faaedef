import { sql } from 'kysely'
import type { autoAllocate as autoCall } from '#shared/collection/allocation-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { ALREADY_RUNNING, INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { AGENCY_WORKS, IS_CERTIFIED, IS_ENABLED, isOnDuty } from '../setup/duty.ts'
import { isInUnit, unitOf } from './allocation-facts.ts'
import type { PlanTerms } from './make-plan.ts'
import { checkTerms, newSeed, noTaker, takePlan } from './preview.ts'
import { lockStages, readRun, emitRun, RUN_JOB, RUN_MENU } from './run-store.ts'

/**
 * @throws Problem G404, G409 with the difference, A-100, C-NONE, G-RUN with the running job, G-FIELD
 * without a plan or stages
 */
export async function autoAllocate(
  tx: CommandTx,
  input: InputOf<typeof autoCall>,
): Promise<DataOf<typeof autoCall>> {
  const terms: PlanTerms =
    input.planId !== undefined
      ? await takePlan(tx, input.planId, input.version)
      : {
          stageIds: input.stageIds ?? [],
          scope: input.scope ?? 'unallocated',
          mode: null,
          filters: {},
          weights: null,
          manual: [],
          seed: newSeed(),
        }
  if (terms.stageIds.length === 0)
    throw new Problem(INVALID_FIELDS, {}, { fields: { stageIds: 'required' } })
  return startRun(tx, terms, { planId: input.planId ?? null })
}

/**
 * Creates a run, locks its stages and queues its job; nothing moves yet.
 * @param slot of a scheduled run, which is made once
 * @throws Problem as autoAllocate
 */
export async function startRun(
  tx: CommandTx,
  terms: PlanTerms,
  { planId = null, slot = null }: { planId?: string | null; slot?: string | null },
): Promise<DataOf<typeof autoCall>> {
  // stages are locked in one order, so that two runs never deadlock or share one
  await sql`
    select s.stage_id from stage s where s.stage_id = any(${terms.stageIds}::text[]) order by s.stage_id
      for update`.execute(tx.db)
  const { rows: open } = await sql<{
    id: string
    job_id: string | null
  }>`
    select r.id, r.job_id
    from allocation_run r
    where r.state in ('running', 'paused') and r.stage_ids && ${terms.stageIds}::text[]
    order by r.id
    limit 1`.execute(tx.db)
  if (open[0]) throw new Problem(ALREADY_RUNNING, {}, { jobId: open[0].job_id, runId: open[0].id })
  const unit = unitOf(tx.actor)
  await checkTerms(tx.db, tx.actor, terms)
  await requireTakers(tx, terms)
  const { rows } = await sql<{ id: string }>`
    insert into allocation_run (plan_id, unit_kind, unit_id, stage_ids, scope, mode, seed, terms, slot,
      started_by, started_by_name)
    values (${planId}, ${unit.kind}, ${unit.id}, ${terms.stageIds}, ${terms.scope},
      ${terms.mode ?? 'stage'}, ${terms.seed}, ${JSON.stringify(terms)}::jsonb, ${slot}, ${tx.actor.userId},
      ${tx.actor.userName}) returning id`.execute(tx.db)
  const runId = (rows[0] as { id: string }).id
  const jobId = await queueRun(tx, runId, [])
  await lockStages(tx, terms.stageIds, 'allocating')
  emitRun(tx, await readRun(tx.db, runId))
  tx.log({
    menu: RUN_MENU,
    action: 'autoAllocate',
    targetKind: 'run',
    targetId: runId,
    after: {
      stageIds: terms.stageIds,
      scope: terms.scope,
      mode: terms.mode,
      seed: terms.seed,
      planId,
    },
  })
  return { jobId, runId }
}

/**
 * Checks before the start that each stage with cases has someone who may take them.
 * @throws Problem C-NONE with the stages in `data`
 */
async function requireTakers(tx: CommandTx, { stageIds, scope }: PlanTerms): Promise<void> {
  const unit = unitOf(tx.actor)
  const { rows } = await sql<{ stage_id: string; served: boolean }>`
    select s.stage_id, exists (
      select 1 from collector k join sys_user u on u.id = k.user_id join agency a on a.id = u.agency_id
      where s.stage_id = any(k.stage_ids) and ${isInUnit(unit, 'u')} and ${IS_ENABLED} and u.allocation_flag
        and ${IS_CERTIFIED} and ${isOnDuty('u.id')} and ${AGENCY_WORKS}
        and (${scope === 'all'} or k.open_cases < k.capacity)) as served
    from stage s where s.stage_id = any(${stageIds}::text[])
      and exists (select 1 from collection_case c where c.stage_id = s.stage_id and ${isInUnit(unit, 'c')}
        and (c.state = 'unallocated' or (${scope === 'all'} and c.state = 'allocated'))) order by s.min_days`.execute(
    tx.db,
  )
  if (rows.length > 0 && !rows.some(({ served }) => served))
    throw noTaker(
      rows.map((row) => row.stage_id),
      undefined,
    )
}

export async function queueRun(
  tx: CommandTx,
  runId: string,
  targetIds: readonly string[],
): Promise<string> {
  const jobId = await startJob(tx, {
    type: RUN_JOB,
    menu: RUN_MENU,
    params: { runId },
    targetIds,
    settles: true,
  })
  await sql`update allocation_run set job_id = ${jobId} where id = ${runId}`.execute(tx.db)
  return jobId
}
