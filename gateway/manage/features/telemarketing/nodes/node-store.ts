/** Rows of `marketing_node`. */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type {
  listNodes as listCall,
  NodeRow as NodeRowSchema,
} from '#shared/telemarketing/node-api.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  notNull,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import type { Audience } from './audience.ts'
import { EFFECT_JOIN, type EffectCounts, ratesOf } from './run-effect.ts'

export type NodeRow = Static<typeof NodeRowSchema>
type ListedNode = DataOf<typeof listCall>['rows'][number]

const EFFECT_COUNTS = [
  'contactedCount',
  'contactedReached',
  'heldOutCount',
  'heldOutReached',
] as const satisfies readonly (keyof EffectCounts)[]

const ACTION = sql`
  case when n.gives_tasks and n.message_way is not null then 'both'
    when n.gives_tasks then 'tasks' else 'messages' end`

const ROW = sql<NodeRow>`
  json_build_object('nodeId', n.id, 'name', n.name, 'type', n.type, 'segment', n.segment,
    'condition', n.condition, 'dateDays', n.date_days, 'timeHours', n.time_hours,
    'againDays', n.again_days, 'action', ${ACTION}, 'holdout', n.holdout,
    'messageWay', n.message_way, 'effective', n.effective, 'couponId', n.coupon_id,
    'couponName', (select k.name from coupon k where k.id = n.coupon_id),
    'couponOff', exists (select 1 from coupon k where k.id = n.coupon_id and k.state <> 'enabled'),
    'packageCount', (select count(*)::int from marketing_package p where p.node_id = n.id),
    'matchedLast', n.matched_last, 'lastRunTime', ${isoTime('n.last_run_at')},
    'isRunning', exists (select 1 from marketing_run r where r.node_id = n.id and r.state = 'running'),
    'updateBy', n.updated_by_name, 'updateTime', ${isoTime('n.updated_at')}, 'version', n.version)`

const SORTS = {
  nodeId: notNull('n.id'),
  name: notNull('lower(n.name)'),
  segment: notNull('n.segment'),
  type: notNull('n.type'),
  matchedLast: 'n.matched_last',
  lastRunTime: 'n.last_run_at',
  updateTime: notNull('n.updated_at'),
}

/** With what all runs of each node achieved. */
export async function findNodes(
  db: Db,
  input: InputOf<typeof listCall>,
): Promise<Page<ListedNode>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const { all, add } = filterClauses()
  add(input.nodeId, (id) => sql`n.id = ${id}`)
  add(input.name, (name) => sql`strpos(lower(n.name), lower(${name}::text)) > 0`)
  add(input.type, (type) => sql`n.type = ${type}`)
  add(input.segment, (segment) => sql`n.segment = ${segment}`)
  add(input.effective, (effective) => sql`n.effective = ${effective}`)
  const order = sortOf(input.sort, SORTS, 'updateTime:desc', 'n.id desc')
  const { rows } = await sql<{ row: NodeRow; total: number; now: string } & EffectCounts>`
    with page as materialized (
      select n.id, count(*) over ()::int as total, row_number() over (order by ${order}) as place
      from marketing_node n where ${allOf(all)}
      order by ${order} limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    )
    select ${ROW} as row, s.*, p.total, clock_timestamp() as now
    from page p join marketing_node n on n.id = p.id
    cross join lateral (
      select ${EFFECT_COUNTS.map(
        (name) => sql`
        coalesce(sum((e.effect ->> ${sql.lit(name)})::int), 0)::int as ${sql.ref(name)}`,
      ).reduce((before, one) => sql`${before}, ${one}`)}
      from marketing_run r ${EFFECT_JOIN} where r.node_id = n.id
    ) s
    order by p.place`.execute(db)
  return {
    rows: rows.map(({ row, total: _total, now: _now, ...effect }) => ({
      ...row,
      ...effect,
      ...ratesOf(effect),
    })),
    total: rows[0]?.total ?? 0,
    asOf: rows[0]?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 */
export async function readNode(db: Db, nodeId: string): Promise<NodeRow> {
  const { rows } = await sql<{ row: NodeRow }>`
    select ${ROW} as row from marketing_node n where n.id = ${nodeId}`.execute(db)
  const [found] = rows
  if (!found) throw new Problem(NOT_FOUND)
  return found.row
}

/** @throws Problem G404 */
export async function lockNode(trx: Trx, nodeId: string): Promise<NodeRow> {
  await sql`select 1 from marketing_node n where n.id = ${nodeId} for update`.execute(trx)
  return readNode(trx, nodeId)
}

export function audienceOf(node: NodeRow): Audience {
  const { nodeId, type, segment, condition, dateDays, timeHours, againDays, action, holdout } = node
  return { nodeId, type, segment, condition, dateDays, timeHours, againDays, action, holdout }
}

/** Columns and values of what a person fills in. */
export function nodeColumns(
  input: Omit<
    NodeRow,
    | 'nodeId'
    | 'packageCount'
    | 'couponName'
    | 'couponOff'
    | 'matchedLast'
    | 'lastRunTime'
    | 'isRunning'
    | 'updateBy'
    | 'updateTime'
    | 'version'
  >,
): [name: string, value: RawBuilder<unknown>][] {
  const condition = input.condition === null ? null : JSON.stringify(input.condition)
  return [
    ['name', sql`${input.name}`],
    ['type', sql`${input.type}`],
    ['segment', sql`${input.segment}`],
    ['condition', sql`${condition}::jsonb`],
    ['date_days', sql`${input.dateDays}::int`],
    ['time_hours', sql`${input.timeHours}::int`],
    ['again_days', sql`${input.againDays}::int`],
    ['gives_tasks', sql`${input.action !== 'messages'}::boolean`],
    ['message_way', sql`${input.action === 'tasks' ? null : input.messageWay}::text`],
    ['coupon_id', sql`${input.couponId}::text`],
    ['holdout', sql`${input.holdout}::int`],
    ['effective', sql`${input.effective}::boolean`],
  ]
}
