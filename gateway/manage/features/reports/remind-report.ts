import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { figuresOf } from '#shared/reports/measures.ts'
import {
  REMIND_FIRST,
  REMIND_MEASURES,
  type remindReport as call,
} from '#shared/reports/remind-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { repaymentFilters } from './repayment-filters.ts'
import {
  checkDays,
  daysBefore,
  daysOf,
  type Range,
  freshnessOf,
  sumsOf,
  total,
} from './report-parts.ts'

type Answer = DataOf<typeof call>

const OFFSETS = Array.from({ length: 1 - REMIND_FIRST }, (_, n) => REMIND_FIRST + n)

/**
 * A row per day before the due day, of all due days or of each. Days that have not begun count
 * nothing; what was paid is a share of the due days that have ended.
 * @throws Problem G-FIELD for a range that is reversed or too long
 */
export async function remindReport(
  db: Db,
  actor: StaffActor,
  { groupBy = 'at', ...input }: InputOf<typeof call>,
): Promise<Answer> {
  checkDays(input)
  const freshness = await freshnessOf(db)
  const today = istDay(freshness.asOf)
  const hasBegun = sql<boolean>`t.due_day + t.at_day <= ${today}::date`
  const hasEnded = sql<boolean>`t.due_day < ${today}::date`
  const filters = repaymentFilters(actor, input)
  const isByDay = groupBy === 'day'
  const rowsOf = async (range: Range): Promise<Answer['rows']> => {
    const { groups } = await sumsOf(
      db,
      range,
      {
        table: 'report_remind',
        day: 'due_day',
        sums: {
          openBefore: total('plans', hasBegun),
          reminders: total('messages', hasBegun),
          robotCalls: total('calls', hasBegun),
          remindedPlans: total('reached', hasBegun),
          paidBeforeDue: total('paid', hasBegun),
          openDone: total('plans', hasEnded),
          paidDone: total('paid', hasEnded),
          remindedDone: total('reached', hasEnded),
          remindedPaidDone: total('reached_paid', hasEnded),
        },
        filters,
      },
      (day) => (isByDay ? sql`${day}::text || ' ' || t.at_day` : sql`t.at_day::text`),
    )
    const row = (day: string | null, at: number, key: string) => ({
      at,
      day,
      ...figuresOf(REMIND_MEASURES, groups.get(key) ?? {}),
    })
    return isByDay
      ? daysOf(range).flatMap((day) => OFFSETS.map((at) => row(day, at, `${day} ${at}`)))
      : OFFSETS.map((at) => row(null, at, String(at)))
  }
  const [rows, previous] = await Promise.all([rowsOf(input), rowsOf(daysBefore(input))])
  return { rows, previous: isByDay ? [] : previous, ...freshness }
}
