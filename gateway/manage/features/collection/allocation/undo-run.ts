/** Undoes a run: cases without a contact since return to where they were. */
import { sql } from 'kysely'
import type { undoRun as undoCall } from '#shared/collection/allocation-api.ts'
import { CASE_STATE, CASE_WORKED } from '#shared/collection/collection-problems.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { parameterIn } from '#gateway/manage/kernel/parameters.ts'
import { lockMovable, type ManyMove, moveCases, emitMoved } from '../case-moves.ts'
import type { CasePlace } from '../case-store.ts'
import { nextCaseState } from '../case-store.ts'
import { placeOfUnit } from './allocation-facts.ts'
import {
  findRun,
  IS_UNDOABLE,
  type LockedRun,
  lockRun,
  readRun,
  emitRun,
  unitOfRun,
} from './run-store.ts'

const JOB = 'collection.allocate.undo'
const MENU = 'pedding_list'
/** Cases that stay are listed up to this many. */
const MOST_NAMED = 500

/**
 * Up to `bulk.syncMax` cases in the call, more as a job; cases worked on since stay and are listed.
 * @throws Problem G404, C-STATE unless the run has ended and was not undone
 */
export async function undoRun(
  tx: CommandTx,
  { runId, reason }: InputOf<typeof undoCall>,
): Promise<BulkResult> {
  const run = await lockRun(tx, tx.actor, runId)
  if (run.state !== 'done' && run.state !== 'cancelled')
    throw new Problem(CASE_STATE, { state: run.state }, await findRun(tx.db, tx.actor, runId))
  await sql`
    update allocation_run set state = 'undone', undone_by = ${tx.actor.userId},
      undone_by_name = ${tx.actor.userName}, undone_at = clock_timestamp(), version = version + 1
      where id = ${runId}`.execute(tx.db)
  emitRun(tx, await readRun(tx.db, runId))
  tx.log({
    menu: MENU,
    action: 'undoAllocation',
    targetKind: 'run',
    targetId: runId,
    after: { reason },
  })
  const { rows: chunks } = await sql<{
    chunk: number
    n: number
  }>`
    select i.chunk, count(*)::int as n
    from allocation_item i
    where i.run_id = ${runId} and i.outcome = 'allocated'
    group by i.chunk
    order by i.chunk`.execute(tx.db)
  const { rows: kept } = await sql<{ id: string }>`
    select i.case_id as id from allocation_item i join collection_case c on c.id = i.case_id
      where i.run_id = ${runId} and i.outcome = 'allocated' and not ${IS_UNDOABLE} order by i.case_id
      limit ${MOST_NAMED}`.execute(tx.db)
  const failed = kept.map(({ id }) => ({
    id,
    code: CASE_WORKED.code,
    msg: CASE_WORKED.msg,
    problem: CASE_WORKED.id,
    params: {},
  }))
  const syncMax = Number(await parameterIn(tx.db, 'bulk.syncMax'))
  if (chunks.reduce((sum, { n }) => sum + n, 0) > syncMax)
    return {
      jobId: await startJob(tx, {
        type: JOB,
        menu: MENU,
        params: { runId, reason },
        targetIds: chunks.map(({ chunk }) => String(chunk)),
        settles: true,
      }),
      ok: [],
      failed,
    }
  const moves: ManyMove[] = []
  for (const { chunk } of chunks) moves.push(...(await takeBackChunk(tx, run, chunk, reason)))
  notifyTaken(tx, moves)
  return { ok: moves.map(({ locked }) => locked.id).toSorted(), failed }
}

export const undoRunJob: JobType = {
  type: JOB,
  // its rows are chunks, not cases
  doneTitle: 'collection:alloc.undoDone',
  async row(tx, chunk, params) {
    await takeBackChunk(
      tx,
      await lockRun(tx, systemActor(JOB), String(params.runId)),
      Number(chunk),
      String(params.reason),
    )
  },
  async ended(tx, job) {
    const { rows } = await sql<{ user_id: string; n: number }>`
      select m.from_user_id as user_id, count(*)::int as n from case_allocation m
        join allocation_run r on r.id = m.run_id where m.run_id = ${String(job.params.runId)}
        and m.cause = 'recall' and m.at >= r.undone_at group by m.from_user_id order by 1`.execute(
      tx.db,
    )
    for (const { user_id: userId, n } of rows) notifyAboutUndo(tx, userId, n)
  },
}

async function takeBackChunk(
  tx: CommandTx,
  run: LockedRun,
  chunk: number,
  reason: string,
): Promise<ManyMove[]> {
  const { rows } = await sql<{
    id: string
    from_collector_id: string | null
    from_agency_id: string | null
    from_department_id: string | null
    from_group_id: string | null
  }>`
    select i.case_id as id, i.from_collector_id, i.from_agency_id, i.from_department_id, i.from_group_id
      from allocation_item i where i.run_id = ${run.id} and i.chunk = ${chunk} and i.outcome = 'allocated'`.execute(
    tx.db,
  )
  const before = new Map(rows.map((row) => [row.id, row]))
  const unitPlace = await placeOfUnit(tx.db, unitOfRun(run))
  const placeBefore = (id: string): CasePlace => {
    const line = before.get(id)
    return line && line.from_collector_id === null
      ? {
          agency_id: line.from_agency_id,
          department_id: line.from_department_id,
          group_id: line.from_group_id,
          collector_id: null,
        }
      : unitPlace
  }
  const cases = await lockMovable(
    tx,
    sql<boolean>`
      c.id in (select i.case_id from allocation_item i where i.run_id = ${run.id} and i.chunk = ${chunk}
        and i.case_id = c.id and ${IS_UNDOABLE})`,
  )
  const moves = cases.map((locked) => ({
    locked,
    to: nextCaseState(locked, { type: 'AGENCY_RECALL', cause: 'leader', reason }),
    place: placeBefore(locked.id),
  }))
  await moveCases(tx, moves, { cause: 'recall', reason, runId: run.id })
  emitMoved(tx, `run:${run.id}`, moves, { reason: 'undone', runId: run.id })
  tx.log({
    menu: MENU,
    action: 'undoAllocation',
    targetKind: 'run',
    targetId: run.id,
    after: { chunk, cases: moves.map(({ locked }) => locked.id) },
  })
  return moves
}

function notifyTaken(tx: CommandTx, moves: readonly ManyMove[]): void {
  const taken = new Map<string, number>()
  for (const { locked } of moves)
    if (locked.collector_id !== null)
      taken.set(locked.collector_id, (taken.get(locked.collector_id) ?? 0) + 1)
  for (const [userId, n] of taken) notifyAboutUndo(tx, userId, n)
}

function notifyAboutUndo(tx: CommandTx, userId: string, n: number): void {
  if (userId !== tx.actor.userId)
    tx.notify({
      userId,
      kind: 'taken',
      titleKey: 'collection:notification.casesRecalled',
      params: { n },
      route: '/loaned_management/pedding_list',
    })
}
