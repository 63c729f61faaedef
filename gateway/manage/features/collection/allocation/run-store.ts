/** Rows of `allocation_run`, and the lock a run has on its stages. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { RunRow as RunRowSchema } from '#shared/collection/allocation-api.ts'
import { ALLOCATION_RUN_CHANGED, STAGE_CHANGED } from '#shared/collection/collection-live.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { type Actor, systemActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type AllocationUnit, isOfUnit } from './allocation-facts.ts'
import type { PlanTerms } from './make-plan.ts'

export type RunRow = Static<typeof RunRowSchema>

/**
 * Whether a case (`c`) of a line (`i`) can still be taken back: it is where the run put it, without
 * a contact since (a call counts).
 */
export const IS_UNDOABLE = sql.raw<boolean>(
  `(c.given_run_id is not distinct from i.run_id and c.state = 'allocated')`,
)

export const RUN_JOB = 'collection.allocate.run'
export const RUN_MENU = 'pedding_list'

/**
 * The system on behalf of the user who started the job: their rights were checked then, and the run
 * stores its unit.
 */
export const SYSTEM: Actor = systemActor(RUN_JOB)

export const RUN_COLUMNS = sql.raw(`
  r.id as "runId", r.plan_id as "planId", r.job_id as "jobId", r.stage_ids as "stageIds", r.scope, r.mode,
  r.seed, r.total, r.done, r.failed, r.max_deviation as "maxDeviation", r.state,
  r.started_by_name as "startBy", r.started_at as "startTime", r.finished_at as "finishTime",
  r.undone_by_name as "undoBy", r.undone_at as "undoTime", r.version,
  case
    when r.state in ('done', 'cancelled') then (
      select count(*)::int from collection_case c where c.given_run_id = r.id and c.state = 'allocated'
    )
    else 0
  end as undoable`)

/** @throws Problem G404 for a run outside the caller's units */
export async function findRun(db: Db, actor: Actor, runId: string): Promise<RunRow> {
  const { rows } = await sql<RunRow>`
      select ${RUN_COLUMNS} from allocation_run r where r.id = ${runId} and ${isOfUnit(actor, 'r')}`.execute(
    db,
  )
  if (!rows[0]) throw new Problem(NOT_FOUND)
  return rows[0]
}

export interface LockedRun {
  id: string
  job_id: string | null
  unit_kind: AllocationUnit['kind']
  unit_id: string | null
  stage_ids: string[]
  scope: 'unallocated' | 'all'
  terms: PlanTerms
  state: 'running' | 'paused' | 'done' | 'cancelled' | 'undone'
  planned_at: string | null
  total: number
  done: number
  failed: number
  started_by: string | null
  started_by_name: string
  version: number
}

const LOCKED = sql.raw(`
  r.id, r.job_id, r.unit_kind, r.unit_id, r.stage_ids, r.scope, r.terms, r.state, r.planned_at, r.total,
  r.done, r.failed, r.started_by, r.started_by_name, r.version`)

export function unitOfRun({ unit_kind: kind, unit_id: id }: LockedRun): AllocationUnit {
  return { kind, id }
}

/**
 * Locks a run, its job first, as the runner does.
 * @param actor whose units it must belong to; a job acts as the system, without rights
 * @throws Problem G404
 */
export async function lockRun(tx: CommandTx, actor: Actor, runId: string): Promise<LockedRun> {
  await sql`
    select j.id from job j where j.id = (select r.job_id from allocation_run r where r.id = ${runId}
      and ${isOfUnit(actor, 'r')}) for update`.execute(tx.db)
  const { rows } = await sql<LockedRun>`
      select ${LOCKED} from allocation_run r where r.id = ${runId} and ${isOfUnit(actor, 'r')} for update`.execute(
    tx.db,
  )
  if (!rows[0]) throw new Problem(NOT_FOUND)
  return rows[0]
}

export async function readRun(db: Db, runId: string): Promise<LockedRun> {
  const { rows } =
    await sql<LockedRun>`select ${LOCKED} from allocation_run r where r.id = ${runId}`.execute(db)
  return rows[0] as LockedRun
}

/** Adds the counts of a chunk. */
export async function countRun(
  tx: CommandTx,
  runId: string,
  done: number,
  failed: number,
): Promise<LockedRun> {
  const { rows } = await sql<LockedRun>`
      update allocation_run r set done = r.done + ${done}, failed = r.failed + ${failed},
        version = r.version + 1 where r.id = ${runId} returning ${LOCKED}`.execute(tx.db)
  return rows[0] as LockedRun
}

export async function setRunState(
  tx: CommandTx,
  runId: string,
  state: LockedRun['state'],
): Promise<LockedRun> {
  const { rows } = await sql<LockedRun>`
    update allocation_run r set state = ${state}, version = r.version + 1, finished_at = case
      when ${state} in ('done', 'cancelled') then clock_timestamp() else r.finished_at end
      where r.id = ${runId} returning ${LOCKED}`.execute(tx.db)
  return rows[0] as LockedRun
}

/** One event for what a chunk or a change of state did. */
export function emitRun(tx: CommandTx, run: LockedRun, agencyIds: Iterable<string> = []): void {
  const unit =
    run.unit_id === null
      ? []
      : [`scope:${run.unit_kind === 'department' ? 'dept' : run.unit_kind}:${run.unit_id}`]
  tx.emit(ALLOCATION_RUN_CHANGED, {
    subject: `run:${run.id}`,
    version: run.version,
    rooms: ['scope:all', ...unit, ...[...agencyIds].map((id) => `scope:agency:${id}`)],
    data: {
      runId: run.id,
      stageIds: run.stage_ids,
      state: run.state,
      done: run.done,
      total: run.total,
      failed: run.failed,
      startByName: run.started_by_name,
    },
  })
}

export async function lockStages(
  tx: CommandTx,
  stageIds: readonly string[],
  state: 'allocated' | 'allocating',
): Promise<void> {
  await sql`
    update stage set allocation_state = ${state}, updated_at = clock_timestamp()
      where stage_id = any(${[...stageIds]}::text[])`.execute(tx.db)
  for (const stageId of stageIds)
    tx.emit(STAGE_CHANGED, {
      subject: `stage:${stageId}`,
      rooms: ['scope:all', 'menu:overdue_stage', 'menu:pedding_list'],
      data: { stageId, allocationState: state },
    })
}
