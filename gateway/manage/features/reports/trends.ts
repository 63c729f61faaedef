/** Trends of acquisition and lending, by day, week or month. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { Grain } from '#shared/kernel/grain.ts'
import {
  ACQUISITION_MEASURES,
  type acquisitionTrend as acquisitionCall,
  LENDING_MEASURES,
  type lendingTrend as lendingCall,
} from '#shared/reports/trends-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { byGrain, groupedReport, type Grouping } from './grouped-report.ts'
import { channelNames } from './report-names.ts'
import { orderSums } from './order-sums.ts'
import { type Source, total } from './report-parts.ts'

type AcquisitionRow = DataOf<typeof acquisitionCall>['rows'][number]

/** @throws Problem G422 for a range that is reversed or too long */
export async function acquisitionTrend(
  db: Db,
  input: InputOf<typeof acquisitionCall>,
): Promise<DataOf<typeof acquisitionCall>> {
  const { grain = 'day', series = 'measure', appId, channelId } = input
  const filters = { app_id: appId, channel_id: channelId }
  return groupedReport(db, input, {
    measures: ACQUISITION_MEASURES,
    rank: 'registrations',
    grouping:
      series === 'channel'
        ? await byGrainAndChannel(db, grain, channelId)
        : byGrain(grain, (day) => ({ day, channelId: null, channelName: null })),
    sources: () => [
      customersOf(filters),
      { table: 'report_order_day', day: 'day', sums: orderSums(), filters },
    ],
  })
}

/** @throws Problem G422 for a range that is reversed or too long */
export function lendingTrend(
  db: Db,
  input: InputOf<typeof lendingCall>,
): Promise<DataOf<typeof lendingCall>> {
  const { grain = 'day', appId, productId } = input
  const filters = { app_id: appId, product_id: productId }
  return groupedReport(db, input, {
    measures: LENDING_MEASURES,
    rank: 'disbursed',
    grouping: byGrain(grain, (day) => ({ day })),
    sources: () => [{ table: 'report_order_day', day: 'day', sums: orderSums(), filters }],
  })
}

/** Also periods without figures, so that each channel is a whole line. */
async function byGrainAndChannel(
  db: Db,
  grain: Grain,
  only: string | undefined,
): Promise<Grouping<Pick<AcquisitionRow, 'day' | 'channelId' | 'channelName'>>> {
  const names = await channelNames(db)
  const channels = [...names.keys()].filter((id) => only === undefined || id === only)
  const periods = byGrain(grain, (day) => ({ day }))
  return {
    key: (day) => sql`${periods.key(day)} || ' ' || t.channel_id`,
    keysOf: (key) => {
      const [day = '', id = ''] = key.split(' ')
      return { day, channelId: id, channelName: names.get(id) ?? id }
    },
    all: (range) =>
      (periods.all?.(range) ?? []).flatMap((day) => channels.map((id) => `${day} ${id}`)),
  }
}

function customersOf(filters: Source['filters']): Source {
  return {
    table: 'report_customer_day',
    day: 'day',
    sums: { registrations: total('registrations'), certified: total('certified') },
    filters,
  }
}
