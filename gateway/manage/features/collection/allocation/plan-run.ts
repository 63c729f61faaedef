import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { addRows } from '#gateway/manage/jobs/job-store.ts'
import type { Job } from '#gateway/manage/jobs/job-type.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { grouped } from '../case-moves.ts'
import { makePlan, type Plan, type PlannedCase } from './make-plan.ts'
import { lockRun, readRun, emitRun, unitOfRun, RUN_MENU, SYSTEM } from './run-store.ts'

/**
 * Cases of one transaction, all of one group, so that a review claim never waits long. PGlite
 * answers no other query while a statement runs.
 */
const CHUNK = { postgresql: 1_000, pglite: 800 } as const
/** Lines written by one statement. */
const LINES = 2_000

/** Writes the plan in short statements; none of it counts before the last one. */
export async function planRun(
  context: AppContext,
  { params, userId, userName, id: jobId }: Job,
  renew: () => Promise<void>,
): Promise<void> {
  const db = context.database.kysely
  const runId = String(params.runId)
  const run = await readRun(db, runId)
  if (run.planned_at !== null) return
  // lines of a plan that a crash interrupted
  await sql`delete from allocation_item where run_id = ${runId}`.execute(db)
  const plan = await makePlan(db, unitOfRun(run), run.terms)
  await renew()
  const { lines, targets } = await linesOf(plan, CHUNK[context.database.engine])
  for (let from = 0; from < lines.length; from += LINES) {
    await insertLines(context, runId, lines.slice(from, from + LINES))
    await renew()
  }
  const left = lines.filter(
    ({ planned }) => planned.to === null && planned.collector_id === null,
  ).length
  await runCommand(
    context,
    {
      actor: { ...systemActor(userName), userId },
      audit: {
        menu: RUN_MENU,
        action: 'planAllocation',
        targetKind: 'run',
        targetId: runId,
        after: { cases: lines.length, withoutRoom: left, maxDeviation: plan.maxDeviation },
      },
    },
    async (tx) => {
      const now = await lockRun(tx, SYSTEM, runId)
      if (now.planned_at !== null) return
      await addRows(tx.db, jobId, targets)
      await sql`
        update allocation_run set planned_at = clock_timestamp(), total = ${lines.length}, failed = ${left},
          max_deviation = ${plan.maxDeviation}, version = version + 1 where id = ${runId}`.execute(
        tx.db,
      )
      emitRun(tx, await readRun(tx.db, runId))
    },
  )
}

interface Line {
  planned: PlannedCase
  chunk: number
  recallChunk: number
}

/**
 * The changes, in chunks: gifts by the group of the receiver, recalls by the group of the former
 * holder. A case that stays with its holder has no line.
 */
async function linesOf(
  { cases }: Plan,
  most: number,
): Promise<{ lines: Line[]; targets: string[] }> {
  const lines: Line[] = []
  for (const planned of cases)
    if (planned.to === null || planned.to.collectorId !== planned.collector_id)
      lines.push({ planned, chunk: -1, recallChunk: -1 })
  await setImmediate()
  const gives = setChunks(
    lines.filter(({ planned }) => planned.to !== null),
    ({ planned: { to } }) => `${to?.agencyId} ${to?.departmentId} ${to?.groupId}`,
    ({ planned: { to } }) => to?.collectorId ?? '',
    (line, chunk) => (line.chunk = chunk),
    most,
  )
  await setImmediate()
  const recalls = setChunks(
    lines.filter(({ planned }) => planned.collector_id !== null),
    ({ planned }) => `${planned.agency_id} ${planned.department_id} ${planned.group_id}`,
    ({ planned }) => planned.collector_id ?? '',
    (line, chunk) => (line.recallChunk = chunk),
    most,
  )
  return {
    lines,
    targets: [
      ...Array.from({ length: recalls }, (_, chunk) => `r${chunk}`),
      ...Array.from({ length: gives }, (_, chunk) => `a${chunk}`),
    ],
  }
}

/**
 * Numbers chunks of one unit each, keeping the cases of a person together.
 * @returns the number of chunks
 */
function setChunks(
  lines: readonly Line[],
  unit: (line: Line) => string,
  person: (line: Line) => string,
  set: (line: Line, chunk: number) => void,
  most: number,
): number {
  let chunk = -1
  for (const [, own] of sorted(grouped(lines, unit))) {
    let size = most
    for (const [, some] of sorted(grouped(own, person))) {
      for (const line of some) {
        if (size === most) {
          chunk += 1
          size = 0
        }
        set(line, chunk)
        size += 1
      }
    }
  }
  return chunk + 1
}

function sorted<T>(groups: Map<string, T>): [string, T][] {
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

async function insertLines(
  context: AppContext,
  runId: string,
  lines: readonly Line[],
): Promise<void> {
  const column = (value: (planned: PlannedCase) => string | null) =>
    sql`${lines.map(({ planned }) => value(planned))}::text[]`
  await sql`
    insert into allocation_item (run_id, case_id, chunk, recall_chunk, collector_id, agency_id,
      from_collector_id, from_agency_id, from_department_id, from_group_id, done_at, outcome)
    select ${runId}, t.case_id, t.chunk, nullif(t.recall_chunk, -1), t.to_user, t.to_agency, t.from_user,
      t.from_agency, t.from_department, t.from_group,
      case when t.to_user is null and t.from_user is null then clock_timestamp() end, case
        when t.to_user is null and t.from_user is null then 'noCapacity' end
    from unnest(${column(({ id }) => id)}, ${lines.map(({ chunk }) => chunk)}::int[],
      ${lines.map(({ recallChunk }) => recallChunk)}::int[], ${column(({ to }) => to?.collectorId ?? null)},
      ${column(({ to }) => to?.agencyId ?? null)},
      ${column((planned) => planned.collector_id)}, ${column((planned) => planned.agency_id)},
        ${column((planned) => planned.department_id)}, ${column((planned) => planned.group_id)})
      as t (case_id, chunk, recall_chunk, to_user, to_agency, from_user, from_agency, from_department,
        from_group)`.execute(context.database.kysely)
}
