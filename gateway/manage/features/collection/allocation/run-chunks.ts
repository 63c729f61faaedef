import { sql } from 'kysely'
import {
  caseLifecycle,
  type CaseEvent,
  type CaseState,
  type CollectorFacts,
} from '#shared/collection/case-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockMovable, type ManyMove, moveCases, emitMoved } from '../case-moves.ts'
import type { CasePlace } from '../case-store.ts'
import { AGENCY_WORKS, IS_CERTIFIED, IS_ENABLED, isOnDuty } from '../setup/duty.ts'
import { placeOfUnit } from './allocation-facts.ts'
import { countRun, type LockedRun, emitRun, unitOfRun, RUN_JOB, RUN_MENU } from './run-store.ts'

type Outcome = 'allocated' | 'noCapacity' | 'skipped'

/** Skips lines whose case is not as planned: someone moved, stopped or closed it meanwhile. */
export async function takeBackChunk(tx: CommandTx, run: LockedRun, chunk: number): Promise<void> {
  const { rows: lines } = await sql<{
    case_id: string
    collector_id: string | null
    from_collector_id: string
  }>`
    select i.case_id, i.collector_id, i.from_collector_id from allocation_item i where i.run_id = ${run.id}
      and i.recall_chunk = ${chunk} and i.recalled_at is null and i.done_at is null`.execute(tx.db)
  if (lines.length === 0) return
  const cases = new Map(
    (
      await lockMovable(tx, sql<boolean>`c.id = any(${lines.map((line) => line.case_id)}::text[])`)
    ).map((one) => [one.id, one]),
  )
  const place = await placeOfUnit(tx.db, unitOfRun(run))
  const nextState = cachedLifecycle()
  const moves: ManyMove[] = []
  const outcomes = new Map<string, Outcome | null>()
  for (const { case_id: id, collector_id: next, from_collector_id: from } of lines) {
    const locked = cases.get(id)
    const to =
      locked && locked.state === 'allocated' && locked.collector_id === from
        ? nextState(locked.state, { type: 'AGENCY_RECALL', cause: 'leader', reason: RUN_JOB })
        : null
    if (locked && to !== null) moves.push({ locked, to, place })
    outcomes.set(id, to === null ? 'skipped' : next === null ? 'noCapacity' : null)
  }
  await moveCases(tx, moves, { cause: 'recall', runId: run.id })
  await markLines(tx, run.id, outcomes, sql`recalled_at = clock_timestamp()`)
  emitMoved(tx, `run:${run.id}`, moves, { reason: 'reallocated', runId: run.id })
  const failed = [...outcomes.values()].filter((outcome) => outcome !== null).length
  emitRun(
    tx,
    failed > 0 ? await countRun(tx, run.id, 0, failed) : await countRun(tx, run.id, 0, 0),
    agenciesOf(moves),
  )
  tx.log({
    menu: RUN_MENU,
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

export async function giveChunk(tx: CommandTx, run: LockedRun, chunk: number): Promise<void> {
  const { rows: lines } = await sql<{
    case_id: string
    collector_id: string
    from_collector_id: string | null
    from_agency_id: string | null
    taken: boolean
  }>`
    select i.case_id, i.collector_id, i.from_collector_id, i.from_agency_id,
      i.recalled_at is not null as taken from allocation_item i where i.run_id = ${run.id}
      and i.chunk = ${chunk} and i.done_at is null and i.collector_id is not null order by i.case_id`.execute(
    tx.db,
  )
  if (lines.length === 0) return
  const cases = new Map(
    (
      await lockMovable(tx, sql<boolean>`c.id = any(${lines.map((line) => line.case_id)}::text[])`)
    ).map((one) => [one.id, one]),
  )
  const stageIds = new Set(
    (
      await sql<{
        stage_id: string
      }>`select s.stage_id from stage s where s.status = 'enabled'`.execute(tx.db)
    ).rows.map((row) => row.stage_id),
  )
  const people = await lockTargets(tx, [...new Set(lines.map((line) => line.collector_id))])
  const nextState = cachedLifecycle()
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
      ? nextState(locked.state, {
          type: 'RUN_ALLOCATION',
          stageEnabled: stageIds.has(locked.stage_id),
        })
      : null
    if (!locked || waiting === null) {
      outcomes.set(line.case_id, 'skipped')
      continue
    }
    const person = people.get(line.collector_id)
    const to = person
      ? nextState(waiting, { type: 'ALLOCATED', ...factsOf(person, locked.stage_id) })
      : null
    outcomes.set(line.case_id, to === null ? 'noCapacity' : 'allocated')
    if (!person || to === null) continue
    person.open_cases += 1
    moves.push({ locked, to, place: person })
  }
  await moveCases(tx, moves, { cause: 'auto', runId: run.id })
  await markLines(tx, run.id, outcomes, sql`recalled_at = i.recalled_at`)
  emitMoved(tx, `run:${run.id}`, moves, { reason: 'reallocated', runId: run.id })
  emitRun(
    tx,
    await countRun(tx, run.id, moves.length, lines.length - moves.length),
    agenciesOf(moves),
  )
  tx.log({
    menu: RUN_MENU,
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

/**
 * Checks people again: a person who is off duty, switched off or full by now gets nothing, nor does
 * anyone of a locked agency or one whose term is over.
 */
async function lockTargets(
  tx: CommandTx,
  collectorIds: readonly string[],
): Promise<Map<string, Target>> {
  const ids = [...collectorIds]
  // their facts are read by the statement after the lock: a statement that waited for the lock sees
  // old values
  const locking =
    sql`select from collector k where k.user_id = any(${ids}::text[]) order by k.user_id for update`.execute(
      tx.db,
    )
  const reading = sql<Target>`
    select u.id as collector_id, u.agency_id, u.department_id, u.group_id, k.stage_ids, k.capacity,
      k.open_cases, ${IS_ENABLED} as enabled, u.allocation_flag as participates,
      ${isOnDuty('u.id')} as "onDuty", ${IS_CERTIFIED} is true as certified
    from collector k join sys_user u on u.id = k.user_id join agency a on a.id = u.agency_id
      where k.user_id = any(${ids}::text[]) and ${AGENCY_WORKS}`.execute(tx.db)
  const [, { rows }] = await Promise.all([locking, reading])
  return new Map(rows.map((row) => [row.collector_id, row]))
}

/** Evaluates the lifecycle once for each state and set of facts; null = refused. */
function cachedLifecycle(): (state: CaseState, event: CaseEvent) => CaseState | null {
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
  tx: CommandTx,
  runId: string,
  outcomes: ReadonlyMap<string, Outcome | null>,
  set: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    update allocation_item i set ${set}, outcome = t.outcome, done_at = case
      when t.outcome is null then i.done_at else clock_timestamp() end
    from unnest(${[...outcomes.keys()]}::text[], ${[...outcomes.values()]}::text[]) as t (case_id, outcome)
      where i.run_id = ${runId} and i.case_id = t.case_id`.execute(tx.db)
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
