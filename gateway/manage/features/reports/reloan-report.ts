import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { MEASURES, type Sums } from '#shared/reports/measures.ts'
import { RELOAN_MEASURES, type reloanReport as call } from '#shared/reports/reloan-api.ts'
import { RELOAN_DAYS } from '#shared/reports/reloan-days.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { byColumn, byGrain, groupedReport, type Grouping } from './grouped-report.ts'
import { classOf } from './order-class.ts'
import { channelNames } from './report-names.ts'
import { type Source, total } from './report-parts.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>
type Keys = Pick<
  Answer['rows'][number],
  'day' | 'customerClass' | 'orderNo' | 'channelId' | 'channelName'
>

const NO_KEYS: Keys = {
  day: null,
  customerClass: null,
  orderNo: null,
  channelId: null,
  channelName: null,
}
/** Loans of new customers are their first. */
const CLASS: RawBuilder<unknown> = sql`case when t.loan_no = 1 then 'new' else 'old' end`

/** What a group looks at, beside the day. */
const COLUMNS: Record<NonNullable<Input['groupBy']>, readonly string[]> = {
  day: [],
  class: ['loan_no'],
  orderNo: ['loan_no'],
  channel: ['channel_id'],
}

/** @throws Problem G-FIELD for a range that is reversed or too long */
export async function reloanReport(
  db: Db,
  { groupBy = 'day', appId, productId, ...range }: Input,
): Promise<Answer> {
  const filters = { app_id: appId, product_id: productId }
  const report = await groupedReport(db, range, {
    measures: RELOAN_MEASURES,
    rank: 'settledLoans',
    grouping: await groupingOf(db, groupBy),
    complete,
    sources: (today) => [
      settledOf(today, filters, COLUMNS[groupBy]),
      // an instalment has no number of its loan
      ...(groupBy === 'day' || groupBy === 'channel'
        ? [dueOf(today, filters, COLUMNS[groupBy])]
        : []),
    ],
  })
  if (groupBy !== 'orderNo') return report
  return {
    ...report,
    rows: report.rows.toSorted((a, b) => (a.orderNo ?? 0) - (b.orderNo ?? 0)),
  }
}

/** A share counts loans that were paid off long enough ago. */
function complete(sums: Sums): Sums {
  const done: Record<string, number> = {
    reDue: sums.reDueDone ?? 0,
    reUnpaid: sums.reUnpaidDone ?? 0,
  }
  for (const days of RELOAN_DAYS) {
    done[`settled${days}`] = sums[`settledDone${days}`] ?? 0
    done[`again${days}`] = sums[`againDone${days}`] ?? 0
  }
  return { ...sums, ...done }
}

function settledOf(today: string, filters: Source['filters'], by: readonly string[]): Source {
  const sums: Record<string, RawBuilder<unknown>> = {
    settledLoans: total('settled'),
    reloanAmount: total('amount'),
    limitBefore: total('limit_before'),
    limitGrowth: sql`coalesce(sum(t.limit_after - t.limit_before), 0)::bigint`,
  }
  for (const days of RELOAN_DAYS) {
    const isDone = sql<boolean>`t.day + ${sql.lit(days)} < ${today}::date`
    sums[`reborrowed${days}`] = total(`within_${days}`)
    sums[`settled${days}`] = total('settled')
    sums[`again${days}`] = total(`within_${days}`)
    sums[`settledDone${days}`] = total('settled', isDone)
    sums[`againDone${days}`] = total(`within_${days}`, isDone)
  }
  const columns = [
    'settled',
    'amount',
    'limit_before',
    'limit_after',
    ...RELOAN_DAYS.map((days) => `within_${days}`),
  ]
  return { table: 'report_settled', day: 'day', sums, filters, summedFirst: { by, columns } }
}

/** First instalments of re-loans that fell due in the range. */
function dueOf(today: string, filters: Source['filters'], by: readonly string[]): Source {
  const isDone = sql<boolean>`
    t.due_day + ${sql.lit(MEASURES.reloanOverdueRate.age)} < ${today}::date`
  return {
    table: 'report_due',
    day: 'due_day',
    sums: {
      reDue: total('re_due'),
      reUnpaid: total('re_unpaid'),
      reDueDone: total('re_due', isDone),
      reUnpaidDone: total('re_unpaid', isDone),
    },
    filters,
    summedFirst: { by, columns: ['re_due', 're_unpaid'] },
  }
}

async function groupingOf(db: Db, groupBy: NonNullable<Input['groupBy']>): Promise<Grouping<Keys>> {
  if (groupBy === 'day') return byGrain('day', (day) => ({ ...NO_KEYS, day }))
  if (groupBy === 'class')
    return { key: () => CLASS, keysOf: (key) => ({ ...NO_KEYS, customerClass: classOf(key) }) }
  if (groupBy === 'orderNo')
    return byColumn('loan_no', (key) => ({ ...NO_KEYS, orderNo: Number(key) }))
  const names = await channelNames(db)
  return byColumn('channel_id', (id) => ({
    ...NO_KEYS,
    channelId: id,
    channelName: names.get(id) ?? id,
  }))
}
