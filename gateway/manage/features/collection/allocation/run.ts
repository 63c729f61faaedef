/**
 * A run: its plan is written down once, case by case, and carried out in chunks, each one transaction that also marks its lines as
 * done. A run that was killed goes on with the lines that are left; no case is given twice, none is forgotten (trust.md D1).
 * With scope `all` what changes hands is taken back first, so that everybody has room for what he gets.
 */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type {
  autoAllocate as autoCall,
  steerRun as steerCall,
} from '#shared/collection/allocation-api.ts'
import {
  caseLifecycle,
  type CaseEvent,
  type CaseState,
  type CollectorFacts,
} from '#shared/collection/case-lifecycle.ts'
import { CASE_STATE } from '#shared/collection/collection-problems.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { ALREADY_RUNNING, INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { addRows, unparkJob } from '#gateway/manage/jobs/job-store.ts'
import type { Job, JobType } from '#gateway/manage/jobs/job-type.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { type Actor, systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { grouped, lockMovable, type ManyMove, moveCases, tellMoved } from '../case-moves.ts'
import type { CasePlace } from '../case-store.ts'
import { AGENCY_WORKS, IS_CERTIFIED, IS_ENABLED, isOnDuty } from '../setup/duty.ts'
import { isInUnit, placeOfUnit, unitOf } from './allocation-facts.ts'
import { makePlan, type Plan, type PlannedCase, type PlanTerms } from './make-plan.ts'
import { checkTerms, newSeed, nobody, takePlan } from './preview.ts'
import {
  countRun,
  findRun,
  holdStages,
  type LockedRun,
  lockRun,
  readRun,
  type RunRow,
  setRunState,
  tellRun,
  unitOfRun,
} from './run-store.ts'

/** Cases of one transaction, all of one group: a claim of a review never waits long. PGlite answers nobody else while a statement runs. */
const CHUNK = { postgresql: 1_000, pglite: 800 } as const
/** Lines written by one statement. */
const LINES = 2_000
const JOB = 'collection.allocate.run'
const MENU = 'pedding_list'

/** @throws Problem G404, G409 with the difference, A-100, C-NONE, G-RUN with the running job, G422 without a plan or stages */
export async function autoAllocate(
  cx: Cx,
  input: InputOf<typeof autoCall>,
): Promise<DataOf<typeof autoCall>> {
  const terms: PlanTerms =
    input.planId !== undefined
      ? await takePlan(cx, input.planId, input.version)
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
  return startRun(cx, terms, { planId: input.planId ?? null })
}

/**
 * Opens a run, takes its stages and queues its job; nothing moves yet.
 * @param slot of a scheduled run, which is made once
 * @throws Problem as autoAllocate
 */
export async function startRun(
  cx: Cx,
  terms: PlanTerms,
  { planId = null, slot = null }: { planId?: string | null; slot?: string | null },
): Promise<DataOf<typeof autoCall>> {
  // stages are locked in one order, so two runs never share one
  await sql`select s.stage_id from stage s where s.stage_id = any(${terms.stageIds}::text[]) order by s.stage_id for update`.execute(
    cx.db,
  )
  const { rows: open } = await sql<{
    id: string
    job_id: string | null
  }>`select r.id, r.job_id from allocation_run r where r.state in ('running', 'paused') and r.stage_ids && ${terms.stageIds}::text[] order by r.id limit 1`.execute(
    cx.db,
  )
  if (open[0]) throw new Problem(ALREADY_RUNNING, {}, { jobId: open[0].job_id, runId: open[0].id })
  const unit = unitOf(cx.actor)
  await checkTerms(cx.db, cx.actor, terms)
  await requireSomebody(cx, terms)
  const { rows } = await sql<{ id: string }>`
    insert into allocation_run (plan_id, unit_kind, unit_id, stage_ids, scope, mode, seed, terms, slot, started_by, started_by_name)
    values (${planId}, ${unit.kind}, ${unit.id}, ${terms.stageIds}, ${terms.scope}, ${terms.mode ?? 'stage'}, ${terms.seed}, ${JSON.stringify(terms)}::jsonb, ${slot}, ${cx.actor.userId}, ${cx.actor.userName}) returning id`.execute(
    cx.db,
  )
  const runId = (rows[0] as { id: string }).id
  const jobId = await queue(cx, runId, [])
  await holdStages(cx, terms.stageIds, 'allocating')
  tellRun(cx, await readRun(cx.db, runId))
  cx.log({
    menu: MENU,
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

/** Before anything begins: a stage with cases must have somebody who may take them, or nothing can come of it. @throws Problem C-NONE with the stages in `data` */
async function requireSomebody(cx: Cx, { stageIds, scope }: PlanTerms): Promise<void> {
  const unit = unitOf(cx.actor)
  const { rows } = await sql<{ stage_id: string; served: boolean }>`
    select s.stage_id, exists (
      select 1 from collector k join sys_user u on u.id = k.user_id join agency a on a.id = u.agency_id
      where s.stage_id = any(k.stage_ids) and ${isInUnit(unit, 'u')} and ${IS_ENABLED} and u.allocation_flag and ${IS_CERTIFIED} and ${isOnDuty('u.id')} and ${AGENCY_WORKS} and (${scope === 'all'} or k.open_cases < k.capacity)) as served
    from stage s where s.stage_id = any(${stageIds}::text[])
      and exists (select 1 from collection_case c where c.stage_id = s.stage_id and ${isInUnit(unit, 'c')} and (c.state = 'unallocated' or (${scope === 'all'} and c.state = 'allocated'))) order by s.min_days`.execute(
    cx.db,
  )
  if (rows.length > 0 && !rows.some(({ served }) => served))
    throw nobody(
      rows.map((row) => row.stage_id),
      undefined,
    )
}

async function queue(cx: Cx, runId: string, targetIds: readonly string[]): Promise<string> {
  const jobId = await startJob(cx, {
    type: JOB,
    menu: MENU,
    params: { runId },
    targetIds,
    settles: true,
  })
  await sql`update allocation_run set job_id = ${jobId} where id = ${runId}`.execute(cx.db)
  return jobId
}

/** The system on behalf of who started the job: his rights were checked then, and the run knows its unit. */
const SYSTEM: Actor = systemActor(JOB)

export const allocationRunJob: JobType = {
  type: JOB,
  prepare: (house, job, renew) => planRun(house, job, renew),
  async row(cx, target, params) {
    const run = await lockRun(cx, SYSTEM, String(params.runId))
    if (run.state === 'paused') return 'park'
    // cancelled a moment ago: its job ends before the next row
    if (run.state !== 'running') return
    const chunk = Number(target.slice(1))
    await (target.startsWith('r') ? takeBackChunk(cx, run, chunk) : giveChunk(cx, run, chunk))
  },
  async ended(cx, job, state) {
    const run = await lockRun(cx, SYSTEM, String(job.params.runId))
    if (run.job_id !== job.id || (run.state !== 'running' && run.state !== 'paused')) return
    const { rows } = await sql<{
      left: boolean
    }>`select exists (select 1 from allocation_item i where i.run_id = ${run.id} and i.done_at is null) as left`.execute(
      cx.db,
    )
    if (state === 'cancelled') await endRun(cx, run, 'cancelled')
    // a chunk failed by a fault of ours: whoever looks after it resumes, or cancels and undoes
    else if (rows[0]?.left) tellRun(cx, await setRunState(cx, run.id, 'paused'))
    else await endRun(cx, run, 'done')
  },
}

/** Writes the plan down in short statements; nothing of it counts before the last one. */
async function planRun(
  house: House,
  { params, userId, userName, id: jobId }: Job,
  renew: () => Promise<void>,
): Promise<void> {
  const db = house.database.kysely
  const runId = String(params.runId)
  const run = await readRun(db, runId)
  if (run.planned_at !== null) return
  // lines of a plan that a crash cut short
  await sql`delete from allocation_item where run_id = ${runId}`.execute(db)
  const plan = await makePlan(db, unitOfRun(run), run.terms)
  await renew()
  const { lines, targets } = await linesOf(plan, CHUNK[house.database.engine])
  for (let from = 0; from < lines.length; from += LINES) {
    await insertLines(house, runId, lines.slice(from, from + LINES))
    await renew()
  }
  const left = lines.filter(
    ({ planned }) => planned.to === null && planned.collector_id === null,
  ).length
  await runCommand(
    house,
    {
      actor: { ...systemActor(userName), userId },
      audit: {
        menu: MENU,
        action: 'planAllocation',
        targetKind: 'run',
        targetId: runId,
        after: { cases: lines.length, withoutRoom: left, maxDeviation: plan.maxDeviation },
      },
    },
    async (cx) => {
      const now = await lockRun(cx, SYSTEM, runId)
      if (now.planned_at !== null) return
      await addRows(cx.db, jobId, targets)
      await sql`update allocation_run set planned_at = clock_timestamp(), total = ${lines.length}, failed = ${left}, max_deviation = ${plan.maxDeviation}, version = version + 1 where id = ${runId}`.execute(
        cx.db,
      )
      tellRun(cx, await readRun(cx.db, runId))
    },
  )
}

interface Line {
  planned: PlannedCase
  chunk: number
  recallChunk: number
}

/** What changes, in chunks: givers by the group of the person who gets, takers by the group of the one who gives up. Who keeps his case is no line. */
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

/** Numbers chunks of one unit each, in which a person's cases follow each other. @returns how many there are */
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
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function insertLines(house: House, runId: string, lines: readonly Line[]): Promise<void> {
  const column = (value: (planned: PlannedCase) => string | null) =>
    sql`${lines.map(({ planned }) => value(planned))}::text[]`
  await sql`
    insert into allocation_item (run_id, case_id, chunk, recall_chunk, collector_id, agency_id, from_collector_id, from_agency_id, from_department_id, from_group_id, done_at, outcome)
    select ${runId}, t.case_id, t.chunk, nullif(t.recall_chunk, -1), t.to_user, t.to_agency, t.from_user, t.from_agency, t.from_department, t.from_group,
      case when t.to_user is null and t.from_user is null then clock_timestamp() end, case when t.to_user is null and t.from_user is null then 'noCapacity' end
    from unnest(${column(({ id }) => id)}, ${lines.map(({ chunk }) => chunk)}::int[], ${lines.map(({ recallChunk }) => recallChunk)}::int[], ${column(({ to }) => to?.collectorId ?? null)}, ${column(({ to }) => to?.agencyId ?? null)},
      ${column((planned) => planned.collector_id)}, ${column((planned) => planned.agency_id)}, ${column((planned) => planned.department_id)}, ${column((planned) => planned.group_id)})
      as t (case_id, chunk, recall_chunk, to_user, to_agency, from_user, from_agency, from_department, from_group)`.execute(
    house.database.kysely,
  )
}

type Outcome = 'allocated' | 'noCapacity' | 'skipped'

/** Lines whose case is not as it was planned from are skipped: somebody moved, stopped or closed it meanwhile. */
async function takeBackChunk(cx: Cx, run: LockedRun, chunk: number): Promise<void> {
  const { rows: lines } = await sql<{
    case_id: string
    collector_id: string | null
    from_collector_id: string
  }>`
    select i.case_id, i.collector_id, i.from_collector_id from allocation_item i where i.run_id = ${run.id} and i.recall_chunk = ${chunk} and i.recalled_at is null and i.done_at is null`.execute(
    cx.db,
  )
  if (lines.length === 0) return
  const cases = new Map(
    (
      await lockMovable(cx, sql<boolean>`c.id = any(${lines.map((line) => line.case_id)}::text[])`)
    ).map((one) => [one.id, one]),
  )
  const place = await placeOfUnit(cx.db, unitOfRun(run))
  const asked = asker()
  const moves: ManyMove[] = []
  const outcomes = new Map<string, Outcome | null>()
  for (const { case_id: id, collector_id: next, from_collector_id: from } of lines) {
    const locked = cases.get(id)
    const to =
      locked && locked.state === 'allocated' && locked.collector_id === from
        ? asked(locked.state, { type: 'AGENCY_RECALL', cause: 'leader', reason: JOB })
        : null
    if (locked && to !== null) moves.push({ locked, to, place })
    outcomes.set(id, to === null ? 'skipped' : next === null ? 'noCapacity' : null)
  }
  await moveCases(cx, moves, { cause: 'recall', runId: run.id })
  await markLines(cx, run.id, outcomes, sql`recalled_at = clock_timestamp()`)
  tellMoved(cx, `run:${run.id}`, moves, { reason: 'reallocated', runId: run.id })
  const failed = [...outcomes.values()].filter((outcome) => outcome !== null).length
  tellRun(
    cx,
    failed > 0 ? await countRun(cx, run.id, 0, failed) : await countRun(cx, run.id, 0, 0),
    agenciesOf(moves),
  )
  cx.log({
    menu: MENU,
    action: 'recall',
    targetKind: 'run',
    targetId: run.id,
    after: { chunk, cases: byPerson(moves, ({ locked }) => locked.collector_id) },
  })
}

interface Target extends CasePlace, Omit<CollectorFacts, 'servesStage' | 'underCapacity'> {
  collector_id: string
  stage_ids: string[]
  capacity: number
  open_cases: number
}

async function giveChunk(cx: Cx, run: LockedRun, chunk: number): Promise<void> {
  const { rows: lines } = await sql<{
    case_id: string
    collector_id: string
    from_collector_id: string | null
    from_agency_id: string | null
    taken: boolean
  }>`
    select i.case_id, i.collector_id, i.from_collector_id, i.from_agency_id, i.recalled_at is not null as taken from allocation_item i where i.run_id = ${run.id} and i.chunk = ${chunk} and i.done_at is null and i.collector_id is not null order by i.case_id`.execute(
    cx.db,
  )
  if (lines.length === 0) return
  const cases = new Map(
    (
      await lockMovable(cx, sql<boolean>`c.id = any(${lines.map((line) => line.case_id)}::text[])`)
    ).map((one) => [one.id, one]),
  )
  const stageIds = new Set(
    (
      await sql<{
        stage_id: string
      }>`select s.stage_id from stage s where s.status = 'enabled'`.execute(cx.db)
    ).rows.map((row) => row.stage_id),
  )
  const people = await lockTargets(cx, [...new Set(lines.map((line) => line.collector_id))])
  const asked = asker()
  const moves: ManyMove[] = []
  const outcomes = new Map<string, Outcome>()
  for (const line of lines) {
    const locked = cases.get(line.case_id)
    const isAsPlanned =
      locked !== undefined &&
      !locked.stopped &&
      locked.state === 'unallocated' &&
      (line.from_collector_id === null ? locked.agency_id === line.from_agency_id : line.taken)
    const waiting = isAsPlanned
      ? asked(locked.state, { type: 'RUN_ALLOCATION', stageEnabled: stageIds.has(locked.stage_id) })
      : null
    if (!locked || waiting === null) {
      outcomes.set(line.case_id, 'skipped')
      continue
    }
    const person = people.get(line.collector_id)
    const to = person
      ? asked(waiting, { type: 'ALLOCATED', ...factsOf(person, locked.stage_id) })
      : null
    outcomes.set(line.case_id, to === null ? 'noCapacity' : 'allocated')
    if (!person || to === null) continue
    person.open_cases += 1
    moves.push({ locked, to, place: person })
  }
  await moveCases(cx, moves, { cause: 'auto', runId: run.id })
  await markLines(cx, run.id, outcomes, sql`recalled_at = i.recalled_at`)
  tellMoved(cx, `run:${run.id}`, moves, { reason: 'reallocated', runId: run.id })
  tellRun(
    cx,
    await countRun(cx, run.id, moves.length, lines.length - moves.length),
    agenciesOf(moves),
  )
  cx.log({
    menu: MENU,
    action: 'allocate',
    targetKind: 'run',
    targetId: run.id,
    after: { chunk, cases: byPerson(moves, ({ place }) => place.collector_id) },
  })
}

function factsOf(
  {
    enabled,
    participates,
    onDuty,
    certified,
    stage_ids: stages,
    open_cases: open,
    capacity,
  }: Target,
  stageId: string,
): CollectorFacts {
  return {
    enabled,
    participates,
    onDuty,
    certified,
    servesStage: stages.includes(stageId),
    underCapacity: open < capacity,
  }
}

/** People are looked at again: who fell ill, was switched off or is full by now gets nothing. Of locked agencies, and of those whose term is over, nobody is there. */
async function lockTargets(cx: Cx, collectorIds: readonly string[]): Promise<Map<string, Target>> {
  const ids = [...collectorIds]
  // what hangs on them is read by the statement after the lock: one that waits sees it as it was before
  const locking =
    sql`select from collector k where k.user_id = any(${ids}::text[]) order by k.user_id for update`.execute(
      cx.db,
    )
  const looking = sql<Target>`
    select u.id as collector_id, u.agency_id, u.department_id, u.group_id, k.stage_ids, k.capacity, k.open_cases, ${IS_ENABLED} as enabled, u.allocation_flag as participates, ${isOnDuty('u.id')} as "onDuty", ${IS_CERTIFIED} is true as certified
    from collector k join sys_user u on u.id = k.user_id join agency a on a.id = u.agency_id where k.user_id = any(${ids}::text[]) and ${AGENCY_WORKS}`.execute(
    cx.db,
  )
  const [, { rows }] = await Promise.all([locking, looking])
  return new Map(rows.map((row) => [row.collector_id, row]))
}

/** The lifecycle, asked once for each state and set of facts; null = refused. */
function asker(): (state: CaseState, event: CaseEvent) => CaseState | null {
  const answers = new Map<string, CaseState | null>()
  return (state, event) => {
    const key = `${state} ${JSON.stringify(event)}`
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = caseLifecycle.can(state, event) ? caseLifecycle.next(state, event) : null
    answers.set(key, answer)
    return answer
  }
}

async function markLines(
  cx: Cx,
  runId: string,
  outcomes: ReadonlyMap<string, Outcome | null>,
  set: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    update allocation_item i set ${set}, outcome = t.outcome, done_at = case when t.outcome is null then i.done_at else clock_timestamp() end
    from unnest(${[...outcomes.keys()]}::text[], ${[...outcomes.values()]}::text[]) as t (case_id, outcome) where i.run_id = ${runId} and i.case_id = t.case_id`.execute(
    cx.db,
  )
}

function byPerson(
  moves: readonly ManyMove[],
  person: (move: ManyMove) => string | null,
): Record<string, string[]> {
  const cases: Record<string, string[]> = {}
  for (const move of moves) (cases[person(move) ?? ''] ??= []).push(move.locked.id)
  return cases
}

function agenciesOf(moves: readonly ManyMove[]): Set<string> {
  return new Set(
    moves
      .flatMap(({ locked, place }) => [locked.agency_id, place.agency_id])
      .filter((id) => id !== null),
  )
}

/** The run ends: its stages are free, and who got cases is told how many. */
async function endRun(cx: Cx, run: LockedRun, state: 'done' | 'cancelled'): Promise<LockedRun> {
  const ended = await setRunState(cx, run.id, state)
  const { rows: people } = await sql<{ collector_id: string; agency_id: string; n: number }>`
    select i.collector_id, i.agency_id, count(*)::int as n from allocation_item i where i.run_id = ${run.id} and i.outcome = 'allocated' group by i.collector_id, i.agency_id order by i.collector_id`.execute(
    cx.db,
  )
  await holdStages(cx, run.stage_ids, 'allocated')
  tellRun(cx, ended, new Set(people.map((one) => one.agency_id)))
  for (const { collector_id: userId, n } of people)
    cx.notify({
      userId,
      kind: 'assigned',
      titleKey: 'collection:notice.casesAllocated',
      params: { n },
      route: '/loaned_management/pedding_list?view=newToday',
    })
  if (state === 'done') await tellWithoutRoom(cx, run)
  return ended
}

/** Cases nobody has room for are a leader's to know: who started the run; for a scheduled one the managers, once a day. */
async function tellWithoutRoom(cx: Cx, run: LockedRun): Promise<void> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from allocation_item i where i.run_id = ${run.id} and i.outcome = 'noCapacity'`.execute(
    cx.db,
  )
  const n = rows[0]?.n ?? 0
  if (n === 0) return
  const titleKey = 'collection:notice.withoutRoom'
  const leaders =
    run.started_by === null
      ? (
          await sql<{ id: string }>`
          select u.id from sys_user u join sys_role g on g.id = u.role_id where g.unique_mark = 'manager' and ${IS_ENABLED}
            and not exists (select 1 from notification x where x.user_id = u.id and x.title_key = ${titleKey} and x.at > clock_timestamp() - interval '20 hours') order by u.id`.execute(
            cx.db,
          )
        ).rows.map((row) => row.id)
      : [run.started_by]
  for (const userId of leaders)
    cx.notify({
      userId,
      kind: 'system',
      titleKey,
      params: { n, stages: run.stage_ids.join(', ') },
      route: '/loaned_management/pedding_list?tab=toAllocate',
    })
}

/** @throws Problem G404 for a run outside the caller's units, C-STATE when the run is not in a state that takes it */
export async function steerRun(cx: Cx, { runId, to }: InputOf<typeof steerCall>): Promise<RunRow> {
  const run = await lockRun(cx, cx.actor, runId)
  const allowed =
    to === 'paused'
      ? run.state === 'running'
      : to === 'running'
        ? run.state === 'paused'
        : run.state === 'running' || run.state === 'paused'
  if (!allowed)
    throw new Problem(CASE_STATE, { state: run.state }, await findRun(cx.db, cx.actor, runId))
  if (to === 'cancelled') {
    await endRun(cx, run, 'cancelled')
    if (run.job_id !== null) {
      await sql`update job set cancel_asked = true, updated_at = clock_timestamp(), version = version + 1 where id = ${run.job_id} and state in ('queued', 'running')`.execute(
        cx.db,
      )
      await unparkJob(cx.db, run.job_id)
    }
  } else {
    tellRun(cx, await setRunState(cx, runId, to))
    if (to === 'running') await goOn(cx, run)
  }
  cx.afterCommit(() => cx.house.wakeJobs())
  cx.log({
    menu: MENU,
    action: 'steerAllocation',
    targetKind: 'run',
    targetId: runId,
    before: { state: run.state },
    after: { state: to },
  })
  return findRun(cx.db, cx.actor, runId)
}

/** The job goes on where it was parked; when it has ended, a new one does what is left. */
async function goOn(cx: Cx, run: LockedRun): Promise<void> {
  const { rows } = await sql<{
    over: boolean
  }>`select j.state not in ('queued', 'running') as over from job j where j.id = ${run.job_id}`.execute(
    cx.db,
  )
  if (rows[0]?.over !== true) {
    if (run.job_id !== null) await unparkJob(cx.db, run.job_id)
    return
  }
  const { rows: left } = await sql<{ recall_chunk: number | null; chunk: number | null }>`
    select distinct case when i.recalled_at is null then i.recall_chunk end as recall_chunk, case when i.collector_id is not null then i.chunk end as chunk from allocation_item i where i.run_id = ${run.id} and i.done_at is null`.execute(
    cx.db,
  )
  const chunks = (values: (number | null)[]) =>
    [...new Set(values.filter((value) => value !== null))].sort((a, b) => a - b)
  await queue(cx, run.id, [
    ...chunks(left.map((one) => one.recall_chunk)).map((chunk) => `r${chunk}`),
    ...chunks(left.map((one) => one.chunk)).map((chunk) => `a${chunk}`),
  ])
}
