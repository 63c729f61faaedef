import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { CHANNEL_MEASURES, type channelReport as call } from '#shared/reports/channel-api.ts'
import { MEASURES, type Sums } from '#shared/reports/measures.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { byColumn, byGrain, groupedReport, type Grouping } from './grouped-report.ts'
import { orderSums } from './order-sums.ts'
import { channelNames } from './report-names.ts'
import { type Source, total } from './report-parts.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>
type Keys = Pick<Answer['rows'][number], 'day' | 'channelId' | 'channelName'>

/**
 * Rows by day, each day of the range, or by channel, the largest first. A cohort of first loans that
 * is not seven days old yet counts in the row of its day only.
 * @throws Problem G-FIELD for a range that is reversed or too long
 */
export async function channelReport(db: Db, input: Input): Promise<Answer> {
  const { groupBy = 'day', appId, channelId } = input
  const filters = { app_id: appId, channel_id: channelId }
  // advertising is entered by channel, for all apps together
  const advertising = appId === undefined ? [advertisingOf(channelId)] : []
  const report = await groupedReport(db, input, {
    measures: CHANNEL_MEASURES,
    rank: 'disbursedAmount',
    grouping: await groupingOf(db, groupBy),
    complete,
    sources: (today) => [
      {
        table: 'report_customer_day',
        day: 'day',
        sums: { registrations: total('registrations'), certified: total('certified') },
        filters,
      },
      { table: 'report_order_day', day: 'day', sums: orderSums(), filters },
      firstDue(today, filters),
      ...advertising,
    ],
  })
  if (appId === undefined) return report
  const withoutCosts = <T extends object>(row: T) => ({ ...row, ...COSTS })
  return {
    ...report,
    rows: report.rows.map(withoutCosts),
    previous: report.previous.map(withoutCosts),
    sum: withoutCosts(report.sum),
  }
}

const COSTS = { visits: null, spend: null, costPerDisbursement: null } as const

function advertisingOf(channelId: string | undefined): Source {
  return {
    table: 'delivery_spend',
    day: 'day',
    sums: { visits: total('clicks'), spend: total('spend') },
    filters: { channel_id: channelId },
  }
}

async function groupingOf(db: Db, groupBy: 'day' | 'channel'): Promise<Grouping<Keys>> {
  if (groupBy === 'day')
    return byGrain('day', (day) => ({ day, channelId: null, channelName: null }))
  const names = await channelNames(db)
  return byColumn('channel_id', (id) => ({
    day: null,
    channelId: id,
    channelName: names.get(id) ?? id,
  }))
}

/** Only cohorts that cannot change by waiting. */
export function complete(sums: Sums): Sums {
  return { ...sums, firstDue: sums.firstDueDone ?? 0, firstUnpaid: sums.firstUnpaidDone ?? 0 }
}

/** First instalments of first loans, and those not paid seven days later. */
export function firstDue(today: string, filters: Source['filters']): Source {
  const isDone = sql<boolean>`t.due_day + ${sql.lit(MEASURES.firstDefaultRate.age)} < ${today}::date`
  return {
    table: 'report_due',
    day: 'due_day',
    sums: {
      firstDue: total('first_due'),
      firstUnpaid: total('first_unpaid'),
      firstDueDone: total('first_due', isDone),
      firstUnpaidDone: total('first_unpaid', isDone),
    },
    filters,
  }
}
