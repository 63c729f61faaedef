import { type RawBuilder, sql } from 'kysely'
import { grainStart } from '#shared/kernel/grain.ts'
import { addDays } from '#shared/kernel/time.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { figuresOf } from '#shared/reports/measures.ts'
import { PROCESS_MEASURES, type processReport as call } from '#shared/reports/process-api.ts'
import { PROCESS_STEPS } from '#shared/reports/process-steps.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { checkDays, daysBefore, type Range, freshnessOf, sumsOf, total } from './report-parts.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>

/**
 * A row per step, registered first: who completed it or a later one by now.
 * @throws Problem G422 for a range that is reversed or too long
 */
export async function processReport(db: Db, input: Input): Promise<Answer> {
  checkDays(input)
  const [freshness, rows, previous] = await Promise.all([
    freshnessOf(db),
    stepsOf(db, input, input),
    stepsOf(db, input, daysBefore(input)),
  ])
  return { rows, previous, ...freshness }
}

async function stepsOf(
  db: Db,
  { appId, channelId, customerClass }: Input,
  range: Range,
): Promise<Answer['rows']> {
  const filters = { app_id: appId, channel_id: channelId, customer_class: customerClass }
  const customers = { customers: total('customers') }
  const [{ groups }, medianTimes] = await Promise.all([
    sumsOf(
      db,
      range,
      { table: 'report_process_day', day: 'day', sums: customers, filters },
      () => sql`t.step`,
    ),
    medianTimesOf(db, range, filters),
  ])
  const furthest = PROCESS_STEPS.map((_, place) => groups.get(String(place))?.customers ?? 0)
  const reached = furthest.map((_, place) => sumFrom(furthest, place))
  return PROCESS_STEPS.map((step, place) => ({
    step,
    ...figuresOf(PROCESS_MEASURES, {
      reached: reached[place] ?? 0,
      reachedBefore: reached[Math.max(0, place - 1)] ?? 0,
      registered: reached[0] ?? 0,
    }),
    medianTime: medianTimes.get(place) ?? null,
  }))
}

/**
 * Seconds by the place of the step, from whole weeks and the days around them. Of an even number of
 * customers, those of the lower one in the middle.
 */
async function medianTimesOf(
  db: Db,
  { dateFrom, dateTo }: Range,
  filters: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<number, number>> {
  const where = sql.join(
    Object.entries(filters).map(
      ([column, value = '']) => sql`${sql.ref(`t.${column}`)} = ${value}`,
    ),
    sql` and `,
  )
  const rowsOf = (table: string, from: string, to: string): RawBuilder<unknown> => sql`
    select t.step, t.seconds, t.customers from ${sql.table(table)} t
    where ${where} and t.day >= ${from}::date and t.day < ${to}::date`
  const end = addDays(dateTo, 1)
  const [monday, lastMonday] = [grainStart(addDays(dateFrom, 6), 'week'), grainStart(end, 'week')]
  const parts =
    monday < lastMonday
      ? [
          rowsOf('report_process_time', dateFrom, monday),
          rowsOf('report_process_week', monday, lastMonday),
          rowsOf('report_process_time', lastMonday, end),
        ]
      : [rowsOf('report_process_time', dateFrom, end)]
  const { rows } = await sql<{ step: number; seconds: number }>`
    select r.step, min(r.seconds) as seconds
    from (
      select p.step, p.seconds,
        sum(sum(p.customers)) over (partition by p.step order by p.seconds) as upto,
        sum(sum(p.customers)) over (partition by p.step) as everyone
      from (${sql.join(parts, sql` union all `)}) p
      group by p.step, p.seconds
    ) r
    where 2 * r.upto >= r.everyone
    group by r.step`.execute(db)
  return new Map(rows.map(({ step, seconds }) => [step, seconds]))
}

function sumFrom(values: readonly number[], first: number): number {
  return values.slice(first).reduce((sum, value) => sum + value, 0)
}
