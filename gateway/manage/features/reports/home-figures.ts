/** The headline figures of each day, and of the running one beside the same weekday before. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { HOME_MEASURES, type homeFigures as call } from '#shared/reports/home-figures-api.ts'
import { figuresOf, type Sums } from '#shared/reports/measures.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { byGrain, groupedReport } from './grouped-report.ts'
import { orderSums } from './order-sums.ts'
import { byDay, joined, type Source, sumsOf, total } from './report-parts.ts'

type Answer = DataOf<typeof call>

/** @throws Problem G-FIELD for a range that is reversed or too long */
export async function homeFigures(
  db: Db,
  { appId, channelId, ...range }: InputOf<typeof call>,
): Promise<Answer> {
  const sources = (today: string) => sourcesOf(today, { app_id: appId, channel_id: channelId })
  const report = await groupedReport(db, range, {
    measures: HOME_MEASURES,
    rank: 'disbursedAmount',
    grouping: byGrain('day', (day) => ({ day })),
    complete,
    sources,
  })
  const today = istDay(report.asOf)
  const [now, then] = await Promise.all(
    [today, addDays(today, -7)].map(async (day): Promise<Answer['today']> => {
      const parts = await Promise.all(
        sources(today).map((one) => sumsOf(db, { dateFrom: day, dateTo: day }, one, byDay)),
      )
      return { day, ...figuresOf(HOME_MEASURES, joined(parts).groups.get(day) ?? {}) }
    }),
  )
  return { ...report, today: now as Answer['today'], weekAgo: then as Answer['weekAgo'] }
}

/** What of a due day was paid in time is known when it has ended. */
function complete(sums: Sums): Sums {
  return {
    ...sums,
    toPayByDue: sums.toPayByDueDone ?? 0,
    paidByDue: sums.paidByDueDone ?? 0,
    newOverdueAmount: (sums.toPayByDueDone ?? 0) - (sums.paidByDueDone ?? 0),
  }
}

function sourcesOf(today: string, filters: Source['filters']): Source[] {
  const hasEnded = sql<boolean>`t.due_day < ${today}::date`
  return [
    {
      table: 'report_customer_day',
      day: 'day',
      sums: { registrations: total('registrations'), certified: total('certified') },
      filters,
    },
    { table: 'report_order_day', day: 'day', sums: orderSums(), filters },
    {
      table: 'report_due',
      day: 'due_day',
      sums: {
        dueAmount: total('due_amount'),
        toPayByDue: total('due_amount'),
        toPayByDueDone: total('due_amount', hasEnded),
        paidByDue: total('paid_by_due'),
        paidByDueDone: total('paid_by_due', hasEnded),
        newOverdueAmount: sql`coalesce(sum(t.due_amount - t.paid_by_due), 0)::bigint`,
      },
      filters,
    },
    {
      table: 'report_money_day',
      day: 'day',
      sums: {
        receivedAmount: total('received'),
        collectedAmount: total('collected'),
        waivedAmount: total('waived'),
        chargedOffAmount: total('written_off'),
      },
      filters,
    },
    { table: 'report_ticket_day', day: 'day', sums: { newTickets: total('tickets') }, filters },
  ]
}
