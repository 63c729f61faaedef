/** Trials of a rule with what they counted, and the applications judged in them. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import type * as api from '#shared/rules/trial-api.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import {
  allOf,
  countedTo,
  filterClauses,
  isoTime,
  notNull,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'

type Trials = DataOf<typeof api.listTrials>
type Rows = DataOf<typeof api.listTrialRows>

const ROW = sql`t.id as "trialId", t.rule_id as "ruleId", t.version_no as "versionNo", t.kind, t.percent,
  t.reason, t.started_by_name as "startBy", ${isoTime('t.started_at')} as "startTime",
  t.ended_by_name as "endBy", ${isoTime('t.ended_at')} as "endTime"`

export async function findTrials(db: Db, input: InputOf<typeof api.listTrials>): Promise<Trials> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const order = sortOf(
    input.sort,
    { startTime: notNull('t.started_at') },
    'startTime:desc',
    't.id desc',
  )
  const { rows } = await sql<Omit<Trials['rows'][number], 'judged' | 'different'>>`
    select ${ROW}, coalesce((
      select json_agg(json_build_object('side', c.side, 'happened', c.happened, 'would', c.would, 'n', c.n))
      from (
        select w.side, w.happened, w.would, count(*)::int as n from rule_trial_row w
        where w.trial_id = t.id
        group by 1, 2, 3
        order by 1, 2, 3
      ) c), '[]') as cells
    from rule_trial t where t.rule_id = ${input.ruleId}
    order by ${order} limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const counted = await sql<{ total: number; now: string }>`
    select count(*)::int as total, ${isoTime('clock_timestamp()')} as now
    from rule_trial t where t.rule_id = ${input.ruleId}`.execute(db)
  const { total, now } = counted.rows[0] as { total: number; now: string }
  return { rows: rows.map(withSums), total, asOf: now }
}

function withSums(
  row: Omit<Trials['rows'][number], 'judged' | 'different'>,
): Trials['rows'][number] {
  const sum = (cells: typeof row.cells) => cells.reduce((all, { n }) => all + n, 0)
  const isDifferent = ({ side, happened, would }: (typeof row.cells)[number]) =>
    side === null && happened !== would
  return { ...row, judged: sum(row.cells), different: sum(row.cells.filter(isDifferent)) }
}

/** Those that the reader may see. */
export async function findTrialRows(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof api.listTrialRows>,
): Promise<Rows> {
  const { all, add } = filterClauses()
  all.push(sql<boolean>`w.trial_id = ${input.trialId}`, ordersInScope(actor))
  add(input.side, (side) => sql`w.side = ${side}`)
  add(input.happened, (route) => sql`w.happened = ${route}`)
  add(input.would, (route) => sql`w.would = ${route}`)
  add(input.different, (is) => sql`(w.happened is distinct from w.would) = ${is}::boolean`)
  const order = sortOf(input.sort, { judgeTime: notNull('w.at') }, 'judgeTime:desc', 'w.order_id')
  return judgedPage<Rows['rows'][number]>(db, {
    from: sql`rule_trial_row w join loan_order o on o.id = w.order_id`,
    where: allOf(all),
    order,
    row: sql`${isoTime('w.at')} as "judgeTime", w.side, w.version_no as "versionNo", w.happened, w.would,
      w.cause`,
    input,
  })
}

interface PageInput {
  /** With `loan_order o`. */
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /** Columns beside those of the order. */
  row: RawBuilder<unknown>
  input: { pageNum?: number; pageSize?: number }
}

/** A page of judged applications; counted up to the cap of totals. */
export async function judgedPage<Row>(
  db: Db,
  { from, where, order, row, input }: PageInput,
): Promise<{ rows: Row[]; total: number; totalCapped?: boolean; asOf: string }> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`
      select o.id as "orderId", k.name as "channelName", p.name as "productName", o.amount,
        o.status as "orderStatus", coalesce(o.overdue_days, 0) as "overdueDays", ${row}
      from ${from} join channel k on k.id = o.channel_id join product p on p.id = o.product_id
      where ${where} order by ${order}
      limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db),
    sql<{ n: number; now: string }>`
      select count(*)::int as n, ${isoTime('clock_timestamp()')} as now
      from (select 1 from ${from} where ${where} limit ${cap + 1}) x`.execute(db),
  ])
  const { n, now } = counted.rows[0] as { n: number; now: string }
  return { rows, total: Math.min(n, cap), ...(n > cap && { totalCapped: true }), asOf: now }
}
