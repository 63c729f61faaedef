/** Requests to move cases, and the log of every move. */
import { type RawBuilder, sql } from 'kysely'
import type {
  listChanges as changesCall,
  listMoves as movesCall,
} from '#shared/collection/allocation-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { countedTo, likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'

type Change = DataOf<typeof changesCall>['rows'][number]

/** What a pending request would move now; reads only the cases of its giver. */
const pickedOf = (giver: string) => `(
  select sum(p.outstanding)::bigint
  from (
    select c.outstanding
    from collection_case c
    where ${giver} and c.state in ('allocated', 'promised')
      and (not g.filter ? 'caseIds' or g.filter -> 'caseIds' ? c.id)
    order by
      case g.filter ->> 'order'
        when 'highestAmount' then -c.outstanding
        when 'lowestOverdue' then c.overdue_days
        else extract(epoch from c.allocated_at)
      end,
      c.id
    limit g.count
  ) p
)`
const OWED = `
  case
    when g.state <> 'pending' then null
    when g.from_user_id is not null then coalesce(${pickedOf('c.collector_id = g.from_user_id')}, 0)
    when g.transfer_type = 'groupToGroup' then coalesce(${pickedOf('c.group_id = g.from_unit_id')}, 0)
    else coalesce(${pickedOf('c.agency_id = g.from_unit_id')}, 0)
  end`

const userName = (id: string) => `(select u.user_name from sys_user u where u.id = ${id})`
const unitName = (id: string) => `
  coalesce(
    (select t.name from team_group t where t.id = ${id}),
    (select a.name from agency a where a.id = ${id})
  )`

const COLUMNS = sql.raw(`
  g.id as "changeId", g.transfer_type as "transferType",
  g.from_user_id as "fromUserId", g.to_user_id as "toUserId",
  ${userName('g.from_user_id')} as "fromUserName", ${unitName('g.from_unit_id')} as "fromUnit",
  ${userName('g.to_user_id')} as "toUserName", ${unitName('g.to_unit_id')} as "toUnit",
  g.count, g.moved_count as "movedCount", g.filter ->> 'order' as "order", ${OWED} as amount,
  g.reason, g.state, g.launched_by_name as "launchBy", g.launched_by as "launchById",
  g.launched_at as "launchTime", g.decided_by_name as "decideBy", g.decided_by as "decideById",
  g.decided_at as "decideTime", g.decide_reason as "decideReason", g.version`)

/**
 * Requests from or to the caller's unit, and the caller's own, as a predicate over `case_change g`.
 */
export function changesInScope({ userId, rights }: StaffActor): RawBuilder<boolean> {
  const { scope, agencyId, departmentId, groupId } = rights
  if (scope === 'all') return sql<boolean>`true`
  const unit =
    scope === 'agency'
      ? agencyId
      : scope === 'department'
        ? departmentId
        : scope === 'group'
          ? groupId
          : null
  return unit === null
    ? sql<boolean>`g.launched_by = ${userId}`
    : sql<boolean>`(g.launched_by = ${userId} or g.unit_ids && ${[unit]}::text[])`
}

const CHANGE_SORTS = {
  launchTime: 'g.launched_at',
  decideTime: 'g.decided_at',
  count: 'g.count',
  state: 'g.state',
  changeId: 'g.id',
}

export async function listChanges(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof changesCall>,
): Promise<DataOf<typeof changesCall>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const all: RawBuilder<unknown>[] = [changesInScope(actor)]
  if (input.changeId !== undefined) all.push(sql`g.id = ${input.changeId}`)
  if (input.transferType !== undefined) all.push(sql`g.transfer_type = ${input.transferType}`)
  if (input.fromUserId !== undefined) all.push(sql`g.from_user_id = ${input.fromUserId}`)
  if (input.toUserId !== undefined) all.push(sql`g.to_user_id = ${input.toUserId}`)
  if (input.agencyId !== undefined) all.push(sql`g.unit_ids && ${[input.agencyId]}::text[]`)
  if (input.state !== undefined) all.push(sql`g.state = ${input.state}`)
  if (input.launchBy !== undefined) all.push(sql`g.launched_by = ${input.launchBy}`)
  if (input.launcher !== undefined)
    all.push(sql`lower(g.launched_by_name) like ${likeStart(input.launcher)}`)
  if (input.timeFrom !== undefined) all.push(sql`g.launched_at >= ${input.timeFrom}::timestamptz`)
  if (input.timeTo !== undefined) all.push(sql`g.launched_at <= ${input.timeTo}::timestamptz`)
  const where = sql.join(all, sql` and `)
  const { rows } = await sql<Change>`
    select ${COLUMNS} from case_change g where ${where}
      order by ${sortOf(input.sort, CHANGE_SORTS, 'launchTime:desc', 'g.id desc')}
      limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  return {
    rows,
    ...(await counted(db, sql`select from case_change g where ${where}`, countedTo(input))),
  }
}

/** @throws Problem G404 */
export async function findChange(db: Db, changeId: string): Promise<Change> {
  const { rows } =
    await sql<Change>`select ${COLUMNS} from case_change g where g.id = ${changeId}`.execute(db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  return rows[0]
}

type Move = DataOf<typeof movesCall>['rows'][number]

/** Moves from or to the caller's unit, as a predicate over `case_allocation m`. */
function movesInScope({ userId, rights }: StaffActor): RawBuilder<boolean> {
  switch (rights.scope) {
    case 'all':
      return sql<boolean>`true`
    case 'agency':
      return sql<boolean>`${rights.agencyId} in (m.from_agency_id, m.to_agency_id)`
    case 'department':
      return sql<boolean>`${rights.departmentId} in (m.from_department_id, m.to_department_id)`
    case 'group':
      return sql<boolean>`${rights.groupId} in (m.from_group_id, m.to_group_id)`
    case 'own':
      return sql<boolean>`${userId} in (m.from_user_id, m.to_user_id)`
    case 'queue':
      return sql<boolean>`false`
  }
}

/** Every change of holder or place, newest first. */
export async function listMoves(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof movesCall>,
): Promise<DataOf<typeof movesCall>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const all: RawBuilder<unknown>[] = [movesInScope(actor)]
  if (input.caseId !== undefined) all.push(sql`m.case_id = ${input.caseId}`)
  if (input.orderId !== undefined)
    all.push(
      sql`m.case_id in (select c.id from collection_case c where c.order_id = ${input.orderId})`,
    )
  if (input.cause !== undefined) all.push(sql`m.cause = ${input.cause}`)
  if (input.fromUserId !== undefined) all.push(sql`m.from_user_id = ${input.fromUserId}`)
  if (input.toUserId !== undefined) all.push(sql`m.to_user_id = ${input.toUserId}`)
  if (input.agencyId !== undefined)
    all.push(sql`${input.agencyId} in (m.from_agency_id, m.to_agency_id)`)
  if (input.timeFrom !== undefined) all.push(sql`m.at >= ${input.timeFrom}::timestamptz`)
  if (input.timeTo !== undefined) all.push(sql`m.at <= ${input.timeTo}::timestamptz`)
  const where = sql.join(all, sql` and `)
  const { rows } = await sql<Move>`
    with page as (
      select m.* from case_allocation m where ${where} order by m.at desc, m.id desc
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    )
    select m.id::text as "moveId", m.case_id as "caseId", c.order_id as "orderId", m.at as time, m.cause,
      coalesce(f.user_name, fa.name) as "from", coalesce(t.user_name, ta.name) as "to",
      m.from_stage as "fromStage", m.to_stage as "toStage", m.by_name as by, m.from_user_id as "fromUserId",
      m.to_user_id as "toUserId", m.by_user_id as "byUserId", m.reason
    from page m join collection_case c on c.id = m.case_id left join sys_user f on f.id = m.from_user_id
      left join sys_user t on t.id = m.to_user_id left join agency fa on fa.id = m.from_agency_id left
      join agency ta on ta.id = m.to_agency_id
    order by m.at desc, m.id desc`.execute(db)
  return {
    rows,
    ...(await counted(db, sql`select from case_allocation m where ${where}`, countedTo(input))),
  }
}

/** How many there are, exact up to the cap, and when that was counted. */
async function counted(
  db: Db,
  all: RawBuilder<unknown>,
  cap: number,
): Promise<{ total: number; totalCapped?: boolean; asOf: string }> {
  const { rows } = await sql<{
    n: number
    now: string
  }>`select count(*)::int as n, clock_timestamp() as now from (${all} limit ${cap + 1}) t`.execute(
    db,
  )
  const { n, now } = rows[0] as { n: number; now: string }
  return { total: Math.min(n, cap), ...(n > cap ? { totalCapped: true } : {}), asOf: now }
}
