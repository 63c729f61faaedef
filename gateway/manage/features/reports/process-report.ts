import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { figuresOf } from '#shared/reports/measures.ts'
import { PROCESS_MEASURES, type processReport as call } from '#shared/reports/process-api.ts'
import { PROCESS_STEPS } from '#shared/reports/process-steps.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import {
  checkDays,
  daysBefore,
  type Period,
  type Range,
  standing,
  sumsOf,
  total,
} from './report-parts.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>

/**
 * A row per step, registered first: who completed it or a later one by now.
 * @throws Problem G422 for a range that is reversed or too long
 */
export async function processReport(db: Db, input: Input): Promise<Answer> {
  checkDays(input)
  const [stand, rows, previous] = await Promise.all([
    standing(db),
    stepsOf(db, input, input),
    stepsOf(db, input, daysBefore(input)),
  ])
  return { rows, previous, ...stand }
}

async function stepsOf(
  db: Db,
  { appId, channelId, customerClass }: Input,
  range: Range,
): Promise<Answer['rows']> {
  const filters = { app_id: appId, channel_id: channelId, customer_class: customerClass }
  const customers = { customers: total('customers') }
  const [{ groups }, times] = await Promise.all([
    sumsOf(
      db,
      range,
      { table: 'report_process_day', day: 'day', sums: customers, filters },
      () => sql`t.step`,
    ),
    sumsOf(
      db,
      range,
      { table: 'report_process_time', day: 'day', sums: customers, filters },
      () => sql`t.step || ' ' || t.seconds`,
    ),
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
    medianTime: medianOf(times.groups, place),
  }))
}

/** Of an even number of customers the lower one in the middle; null when there is none. */
function medianOf(times: Period['groups'], place: number): number | null {
  const own = [...times]
    .map(([key, { customers = 0 }]) => ({ at: key.split(' ').map(Number), customers }))
    .filter(({ at }) => at[0] === place)
    .map(({ at, customers }) => ({ seconds: at[1] ?? 0, customers }))
    .toSorted((a, b) => a.seconds - b.seconds)
  const middle = (own.reduce((sum, { customers }) => sum + customers, 0) + 1) >> 1
  let passed = 0
  return own.find(({ customers }) => (passed += customers) >= middle)?.seconds ?? null
}

function sumFrom(values: readonly number[], first: number): number {
  return values.slice(first).reduce((sum, value) => sum + value, 0)
}
