/** Back-tests of a rule, what they found, and the applications behind the figures. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/rules/backtest-api.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  notNull,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import { judgedPage } from '../trials/trial-queries.ts'

type Backtests = DataOf<typeof api.listBacktests>
type Backtest = Backtests['rows'][number]
type Detail = DataOf<typeof api.backtestDetail>
type Rows = DataOf<typeof api.listBacktestRows>

const ROW = sql`b.id as "backtestId", b.rule_id as "ruleId", b.version_no as "versionNo", b.days,
  ${isoTime('b.from_at')} as "fromTime", ${isoTime('b.to_at')} as "toTime", b.state,
  b.state = 'running' and coalesce(j.cancel_asked, false) as "isStopping", b.applications,
  case when b.state = 'done' then 100 else coalesce(j.done * 100 / nullif(j.total, 0), 0) end as progress,
  b.started_by_name as "startBy", ${isoTime('b.started_at')} as "startTime",
  ${isoTime('b.finished_at')} as "endTime"`
const FROM = sql`rule_backtest b left join job j on j.id = b.job_id`

export async function findBacktests(
  db: Db,
  input: InputOf<typeof api.listBacktests>,
): Promise<Backtests> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const order = sortOf(
    input.sort,
    { startTime: notNull('b.started_at') },
    'startTime:desc',
    'b.id desc',
  )
  const { rows } = await sql<Backtest>`
    select ${ROW} from ${FROM} where b.rule_id = ${input.ruleId}
    order by ${order} limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const counted = await sql<{ total: number; now: string }>`
    select count(*)::int as total, ${isoTime('clock_timestamp()')} as now
    from rule_backtest b where b.rule_id = ${input.ruleId}`.execute(db)
  const { total, now } = counted.rows[0] as { total: number; now: string }
  return { rows, total, asOf: now }
}

/** @throws Problem G404 */
export async function readBacktest(db: Db, backtestId: string): Promise<Backtest> {
  const { rows } = await sql<Backtest>`
    select ${ROW} from ${FROM} where b.id = ${backtestId}`.execute(db)
  const [backtest] = rows
  if (!backtest) throw new Problem(NOT_FOUND)
  return backtest
}

/** @throws Problem G404 */
export async function readBacktestDetail(db: Db, backtestId: string): Promise<Detail> {
  const backtest = await readBacktest(db, backtestId)
  const [cells, channels, products, causes, kept] = await Promise.all([
    sql<Detail['cells'][number]>`
      select c.happened, c.would, sum(c.n)::int as n,
        coalesce(sum(c.n) filter (where c.live = c.would), 0)::int as "byOthers",
        sum(c.loans)::int as loans, sum(c.due_7)::int as due7, sum(c.unpaid_7)::int as unpaid7,
        sum(c.due_30)::int as due30, sum(c.unpaid_30)::int as unpaid30,
        sum(c.first_due)::int as "firstDue", sum(c.first_unpaid)::int as "firstUnpaid"
      from rule_backtest_count c where c.backtest_id = ${backtestId} and c.would <> 'none'
      group by 1, 2 order by 1, 2`.execute(db),
    groupsOf(db, backtestId, 'channel'),
    groupsOf(db, backtestId, 'product'),
    sql<{ cause: Detail['open'][number]['cause']; isOpen: boolean; n: number }>`
      select c.cause, c.would <> 'none' as "isOpen", sum(c.n)::int as n
      from rule_backtest_count c where c.backtest_id = ${backtestId} and c.cause <> ''
      group by 1, 2 order by 3 desc, 1`.execute(db),
    sql`select 1 from rule_backtest_row w where w.backtest_id = ${backtestId} limit 1`.execute(db),
  ])
  const causesOf = (open: boolean) =>
    causes.rows.filter(({ isOpen }) => isOpen === open).map(({ cause, n }) => ({ cause, n }))
  return {
    backtest,
    cells: cells.rows,
    channels,
    products,
    unjudged: causesOf(false),
    open: causesOf(true),
    hasRows: kept.rows.length > 0,
  }
}

async function groupsOf(
  db: Db,
  backtestId: string,
  by: 'channel' | 'product',
): Promise<Detail['channels']> {
  const sumOf = (column: 'happened' | 'would') => {
    const of = (route: string) =>
      sql`coalesce(sum(c.n) filter (where ${sql.ref(`c.${column}`)} = ${sql.lit(route)}), 0)::int`
    return sql`json_build_object('pass', ${of('pass')}, 'people', ${of('people')}, 'fail', ${of('fail')})`
  }
  const { rows } = await sql<Detail['channels'][number]>`
    select g.id, g.name, sum(c.n)::int as n, ${sumOf('happened')} as happened, ${sumOf('would')} as would,
      coalesce(sum(c.n) filter (where c.happened <> c.would), 0)::int as turned
    from rule_backtest_count c
    join ${sql.table(by)} g on g.id = ${sql.ref(`c.${by}_id`)}
    where c.backtest_id = ${backtestId} and c.would <> 'none'
    group by g.id, g.name order by n desc, g.id`.execute(db)
  return rows
}

/** Those that the reader may see. */
export function findBacktestRows(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof api.listBacktestRows>,
): Promise<Rows> {
  const { all, add } = filterClauses()
  all.push(sql<boolean>`w.backtest_id = ${input.backtestId}`, ordersInScope(actor))
  add(input.happened, (route) => sql`w.happened = ${route}`)
  add(input.would, (route) => sql`w.would = ${route}`)
  add(input.cause, (cause) => sql`w.cause = ${cause}`)
  add(input.channelId, (id) => sql`o.channel_id = ${id}`)
  add(input.productId, (id) => sql`o.product_id = ${id}`)
  add(input.turned, (is) => sql`(w.happened <> w.would) = ${is}::boolean`)
  return judgedPage<Rows['rows'][number]>(db, {
    from: sql`rule_backtest_row w join loan_order o on o.id = w.order_id`,
    where: allOf(all),
    order: sortOf(input.sort, { orderId: notNull('w.order_id') }, 'orderId:desc', 'w.order_id'),
    row: sql`${isoTime('o.created_at')} as "applyTime", w.happened, w.live, w.would, w.cause`,
    input,
  })
}
