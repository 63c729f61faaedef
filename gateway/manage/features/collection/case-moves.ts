/**
 * Moves many cases with one statement and a few events: what `moveCase` does to one. The lifecycle
 * was asked for each case; token, `case_allocation` and `collector.open_cases` follow the same
 * rules.
 */
import { type RawBuilder, sql } from 'kysely'
import type { CaseState } from '#shared/collection/case-lifecycle.ts'
import {
  CASE_ACCESS_CHANGED,
  CASES_ALLOCATED,
  CASES_RECALLED,
} from '#shared/collection/collection-live.ts'
import type { MoveCause } from '#shared/collection/collection-sets.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type CasePlace, isInHand } from './case-store.ts'

export interface MovableCase extends CasePlace {
  id: string
  customer_id: string
  stage_id: string
  state: CaseState
  overdue_days: number
  /** Paise. */
  outstanding: number
  /** The customer must not be contacted now. */
  stopped: boolean
  version: number
}

export interface ManyMove {
  locked: MovableCase
  to: CaseState
  place: CasePlace
}

/**
 * Locks cases in the order of their ids, with the columns a move needs.
 * @param which a predicate over `collection_case c`
 */
export async function lockMovable(
  tx: CommandTx,
  which: RawBuilder<boolean>,
): Promise<MovableCase[]> {
  // a statement that waited for a lock sees old rows of other tables: the next statement reads
  // stops
  const [{ rows }, stops] = await Promise.all([
    sql<Omit<MovableCase, 'stopped'>>`
      select c.id, c.customer_id, c.stage_id, c.state, c.overdue_days, c.outstanding, c.agency_id,
        c.department_id, c.group_id, c.collector_id, c.version
      from collection_case c where ${which} order by c.id for update of c`.execute(tx.db),
    sql<{
      customer_id: string
    }>`
      select distinct c.customer_id
      from collection_case c
      join stop_collection x on x.customer_id = c.customer_id and x.state = 'active'
      where ${which}`.execute(tx.db),
  ])
  const stopped = new Set(stops.rows.map((stop) => stop.customer_id))
  return rows.map((row) => ({ ...row, stopped: stopped.has(row.customer_id) }))
}

/**
 * Writes the moves. Every case is locked and appears once in the list; an open promise stays with
 * its case.
 * @throws Error when a case changed under its lock (a bug)
 */
export async function moveCases(
  tx: CommandTx,
  moves: readonly ManyMove[],
  {
    cause,
    reason = null,
    runId = null,
  }: { cause: MoveCause; reason?: string | null; runId?: string | null },
): Promise<void> {
  if (moves.length === 0) return
  const inHand = new Map<string, number>()
  const count = (state: CaseState, collectorId: string | null, by: number): void => {
    if (collectorId !== null && isInHand(state, collectorId))
      inHand.set(collectorId, (inHand.get(collectorId) ?? 0) + by)
  }
  for (const { locked, to, place } of moves) {
    count(locked.state, locked.collector_id, -1)
    count(to, place.collector_id, 1)
  }
  const people = [...inHand].filter(([, by]) => by !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const column = (value: (move: ManyMove) => string | null) => sql`${moves.map(value)}::text[]`
  const { rows } = await sql<{ n: number }>`
    with given as (
      select * from unnest(${column(({ locked }) => locked.id)},
        ${moves.map(({ locked }) => locked.version)}::int[], ${column(({ to }) => to)},
        ${column(({ place }) => place.agency_id)}, ${column(({ place }) => place.department_id)},
        ${column(({ place }) => place.group_id)}, ${column(({ place }) => place.collector_id)},
          ${column(({ locked }) => locked.collector_id)}, ${column(({ locked }) => locked.agency_id)},
          ${column(({ locked }) => locked.department_id)}, ${column(({ locked }) => locked.group_id)})
        as g (id, version, state, agency_id, department_id, group_id, collector_id, from_user_id,
          from_agency_id, from_department_id, from_group_id)
    ), moved as (
      update collection_case c set state = g.state, agency_id = g.agency_id,
        department_id = g.department_id, group_id = g.group_id, collector_id = g.collector_id,
        version = c.version + 1, updated_at = clock_timestamp(),
        token = c.token + case when c.collector_id is distinct from g.collector_id then 1 else 0 end,
        allocated_at = case when c.collector_id is not distinct from g.collector_id then c.allocated_at
          when g.collector_id is null then null else clock_timestamp() end,
        intimated_at = case when c.collector_id is distinct from g.collector_id or c.agency_id is distinct
          from g.agency_id then null else c.intimated_at end,
        given_run_id = case when c.collector_id is not distinct from g.collector_id then c.given_run_id
          else ${cause === 'auto' ? runId : null}::text end
      from given g where c.id = g.id and c.version = g.version
      returning c.id, c.stage_id, c.collector_id, c.agency_id, c.department_id, c.group_id, c.outstanding,
        c.overdue_days, c.version, g.from_user_id, g.from_agency_id, g.from_department_id, g.from_group_id
    ), logged as (
      insert into case_allocation (case_id, cause, from_user_id, to_user_id, from_agency_id, to_agency_id,
        from_department_id, to_department_id, from_group_id, to_group_id, from_stage, to_stage,
        overdue_days, case_version, outstanding, reason, by_user_id, by_name, run_id, at)
      select m.id, ${cause}, m.from_user_id, m.collector_id, m.from_agency_id, m.agency_id,
        m.from_department_id, m.department_id, m.from_group_id, m.group_id, m.stage_id, m.stage_id,
        m.overdue_days, m.version, m.outstanding, ${reason}::text, ${tx.actor.userId}::text,
        ${tx.actor.userName}::text, ${runId}::text, clock_timestamp() from moved m
    ), counted as (
      update collector k set open_cases = greatest(0, k.open_cases + d.n)
        from unnest(${people.map(([userId]) => userId)}::text[],
        ${people.map(([, by]) => by)}::int[]) as d (user_id, n) where k.user_id = d.user_id
    )
    select count(*)::int as n from moved`.execute(tx.db)
  if (rows[0]?.n !== moves.length)
    throw new Error(`${moves.length} cases were to move, ${rows[0]?.n ?? 0} did`)
}

/**
 * Emits the events of a move of many: one for each person who got or lost cases, one for each unit.
 * A leader of both ends receives that cases were given, a leader of the former unit alone that they
 * were recalled.
 */
export function emitMoved(
  tx: CommandTx,
  subject: string,
  moves: readonly ManyMove[],
  { reason, runId = null }: { reason: string; runId?: string | null },
): void {
  const given = moves.filter(
    ({ locked, place }) =>
      place.collector_id !== null && place.collector_id !== locked.collector_id,
  )
  for (const [, some] of grouped(given, ({ place }) => unitRooms(place).join()))
    notifyReceiver(tx, subject, some, {
      rooms: ['scope:all', ...unitRooms((some[0] as ManyMove).place)],
      to: null,
      runId,
    })
  for (const [to, some] of grouped(given, ({ place }) => place.collector_id ?? ''))
    notifyReceiver(tx, subject, some, { rooms: [`user:${to}`], to, runId })
  const taken = moves.filter(
    ({ locked, place }) =>
      locked.collector_id !== null && place.collector_id !== locked.collector_id,
  )
  for (const [, some] of grouped(
    taken,
    ({ locked, place }) => `${locked.collector_id} ${unitRooms(place).join()}`,
  )) {
    const from = some[0]?.locked.collector_id ?? ''
    notifyFormerHolder(tx, subject, some, { rooms: [`user:${from}`], from, reason, runId })
  }
  // sockets that watch one of them are rechecked
  if (taken.length > 0)
    tx.emit(CASE_ACCESS_CHANGED, {
      subject,
      rooms: taken.map(({ locked }) => `case:${locked.id}`),
      data: { caseIds: taken.map(({ locked }) => locked.id) },
      recheck: true,
    })
  for (const [, some] of grouped(
    taken,
    ({ locked, place }) =>
      `${unitRooms(locked).join()} ${unitRooms(place).join()} ${place.collector_id === null}`,
  )) {
    const { locked, place } = some[0] as ManyMove
    const after = unitRooms(place)
    const rooms =
      place.collector_id === null
        ? ['scope:all', ...unitRooms(locked)]
        : unitRooms(locked).filter((room) => !after.includes(room))
    if (rooms.length > 0)
      notifyFormerHolder(tx, subject, some, { rooms, from: null, reason, runId })
  }
}

function notifyReceiver(
  tx: CommandTx,
  subject: string,
  moves: readonly ManyMove[],
  { rooms, to, runId }: { rooms: string[]; to: string | null; runId: string | null },
): void {
  tx.emit(CASES_ALLOCATED, {
    subject,
    rooms,
    data: {
      runId,
      to,
      receivers: [...grouped(moves, ({ place }) => place.collector_id ?? '')].map(
        ([userId, some]) => ({ userId, count: some.length }),
      ),
      stageIds: [...new Set(moves.map(({ locked }) => locked.stage_id))].toSorted(),
      count: moves.length,
      outstanding: moves.reduce((sum, { locked }) => sum + locked.outstanding, 0),
      caseIds: moves.map(({ locked }) => locked.id),
    },
  })
}

function notifyFormerHolder(
  tx: CommandTx,
  subject: string,
  moves: readonly ManyMove[],
  {
    rooms,
    from,
    reason,
    runId,
  }: { rooms: string[]; from: string | null; reason: string; runId: string | null },
): void {
  const { place } = moves[0] as ManyMove
  tx.emit(CASES_RECALLED, {
    subject,
    rooms,
    data: {
      runId,
      from,
      reason,
      agencyId: place.agency_id,
      departmentId: place.department_id,
      groupId: place.group_id,
      count: moves.length,
      caseIds: moves.map(({ locked }) => locked.id),
    },
  })
}

function unitRooms({
  agency_id: agency,
  department_id: department,
  group_id: group,
}: CasePlace): string[] {
  return [
    ...(agency === null ? [] : [`scope:agency:${agency}`]),
    ...(department === null ? [] : [`scope:dept:${department}`]),
    ...(group === null ? [] : [`scope:group:${group}`]),
  ]
}

export function grouped<T>(list: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const group = groups.get(key(one))
    if (group) group.push(one)
    else groups.set(key(one), [one])
  }
  return groups
}
