import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { APPROVE_MEASURES, type approveReport as call } from '#shared/reports/approve-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { byColumn, byGrain, groupedReport, type Grouping } from './grouped-report.ts'
import { classOf, ORDER_CLASS, tagsOf } from './order-class.ts'
import { orderSums } from './order-sums.ts'
import { productNames } from './report-names.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>
type Keys = Pick<Answer['rows'][number], 'day' | 'productId' | 'productName' | 'customerClass'>

const NO_KEYS: Keys = { day: null, productId: null, productName: null, customerClass: null }

/** @throws Problem G422 for a range that is reversed or too long */
export async function approveReport(db: Db, input: Input): Promise<Answer> {
  const { groupBy = 'day', appId, productId, customerClass } = input
  return groupedReport(db, input, {
    measures: APPROVE_MEASURES,
    rank: 'applications',
    grouping: await groupingOf(db, groupBy),
    sources: () => [
      {
        table: 'report_order_day',
        day: 'day',
        sums: orderSums(),
        filters: { app_id: appId, product_id: productId, tag: tagsOf(customerClass) },
      },
    ],
  })
}

async function groupingOf(db: Db, groupBy: NonNullable<Input['groupBy']>): Promise<Grouping<Keys>> {
  if (groupBy === 'day') return byGrain('day', (day) => ({ ...NO_KEYS, day }))
  if (groupBy === 'class')
    return {
      key: () => ORDER_CLASS,
      keysOf: (key) => ({ ...NO_KEYS, customerClass: classOf(key) }),
    }
  const names = await productNames(db)
  return byColumn('product_id', (id) => ({
    ...NO_KEYS,
    productId: id,
    productName: names.get(id) ?? id,
  }))
}
