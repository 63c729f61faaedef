import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { CHANNEL_MEASURES, type channelReport as call } from '#shared/reports/channel-api.ts'
import { type Figures, figuresOf, MEASURES, type Sums } from '#shared/reports/measures.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { orderSums } from './order-sums.ts'
import {
  checkDays,
  daysBefore,
  daysOf,
  joined,
  type Period,
  type Range,
  standing,
  sumsOf,
  total,
} from './report-parts.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>
type Row = Answer['rows'][number]

/**
 * Rows by day, each day of the range, or by channel, the largest first. A cohort of first loans that
 * is not seven days old yet counts in the row of its day only.
 * @throws Problem G422 for a range that is reversed or too long
 */
export async function channelReport(db: Db, input: Input): Promise<Answer> {
  checkDays(input)
  const { asOf, isFilling } = await standing(db)
  const before = daysBefore(input)
  const [now, then, names] = await Promise.all([
    periodOf(db, input, input, istDay(asOf)),
    periodOf(db, input, before, istDay(asOf)),
    channelNames(db),
  ])
  const rowsOf = (period: Period, range: Range): Row[] =>
    input.groupBy === 'channel'
      ? [...period.groups]
          .map(([id, sums]) => rowOf({ channelId: id, channelName: names.get(id) ?? id }, sums))
          .toSorted(byDisbursed)
      : daysOf(range).map((day) => rowOf({ day }, period.groups.get(day) ?? {}))
  return {
    rows: rowsOf(now, input),
    previous: rowsOf(then, before),
    sum: figuresOf(CHANNEL_MEASURES, complete(now.all)),
    asOf,
    isFilling,
  }
  function rowOf(key: Partial<Row>, sums: Sums): Row {
    const figures: Figures<(typeof CHANNEL_MEASURES)[number]> = figuresOf(
      CHANNEL_MEASURES,
      key.day === undefined ? complete(sums) : sums,
    )
    return { day: null, channelId: null, channelName: null, ...key, ...figures }
  }
}

/** Only cohorts that cannot change by waiting. */
function complete(sums: Sums): Sums {
  return { ...sums, firstDue: sums.firstDueDone ?? 0, firstUnpaid: sums.firstUnpaidDone ?? 0 }
}

function byDisbursed(a: Row, b: Row): number {
  return (
    (b.disbursedAmount ?? 0) - (a.disbursedAmount ?? 0) ||
    (b.registrations ?? 0) - (a.registrations ?? 0) ||
    String(a.channelName).localeCompare(String(b.channelName))
  )
}

async function periodOf(
  db: Db,
  { groupBy, appId, channelId }: Input,
  range: Range,
  today: string,
): Promise<Period> {
  const key = groupBy === 'channel' ? sql`t.channel_id` : null
  const filters = { app_id: appId, channel_id: channelId }
  const isDone = sql<boolean>`t.due_day + ${sql.lit(MEASURES.firstDefaultRate.age)} < ${today}::date`
  return joined(
    await Promise.all([
      sumsOf(
        db,
        range,
        {
          table: 'report_customer_day',
          day: 'day',
          sums: { registrations: total('registrations'), certified: total('certified') },
          filters,
        },
        key,
      ),
      sumsOf(db, range, { table: 'report_order_day', day: 'day', sums: orderSums(), filters }, key),
      sumsOf(
        db,
        range,
        {
          table: 'report_due',
          day: 'due_day',
          sums: {
            firstDue: total('first_due'),
            firstUnpaid: total('first_unpaid'),
            firstDueDone: total('first_due', isDone),
            firstUnpaidDone: total('first_unpaid', isDone),
          },
          filters,
        },
        key,
      ),
    ]),
  )
}

async function channelNames(db: Db): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select c.id, c.name from channel c`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
