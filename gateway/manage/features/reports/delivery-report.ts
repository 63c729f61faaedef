import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DELIVERY_MEASURES, type deliveryReport as call } from '#shared/reports/delivery-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { complete, firstDue } from './channel-report.ts'
import { byColumn, byGrain, groupedReport, type Grouping } from './grouped-report.ts'
import { orderSums } from './order-sums.ts'
import { channelNames } from './report-names.ts'
import { type Source, total } from './report-parts.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>
type Keys = Pick<Answer['rows'][number], 'day' | 'channelId' | 'channelName' | 'campaign'>

const NO_KEYS: Keys = { day: null, channelId: null, channelName: null, campaign: null }
/**
 * Spend is read as it was entered. Results of a campaign are those of the customers whose campaign
 * the customer app reported; of a channel or a day, those of all its customers.
 * @throws Problem G-FIELD for a range that is reversed or too long
 */
export async function deliveryReport(
  db: Db,
  { groupBy = 'channel', channelId, campaign, ...range }: Input,
): Promise<Answer> {
  const filters = { channel_id: channelId }
  const spend: Source = {
    table: 'delivery_spend',
    day: 'day',
    sums: { spend: total('spend'), impressions: total('impressions'), clicks: total('clicks') },
    filters: { ...filters, campaign },
  }
  const isOfCampaigns = groupBy === 'campaign' || campaign !== undefined
  return groupedReport(db, range, {
    measures: DELIVERY_MEASURES,
    rank: 'spend',
    grouping: await groupingOf(db, groupBy),
    complete,
    sources: (today) => [
      spend,
      ...(isOfCampaigns
        ? campaignResults(today, { ...filters, campaign })
        : resultsOf(today, filters)),
    ],
  })
}

function campaignResults(today: string, filters: Source['filters']): Source[] {
  return [
    {
      table: 'report_campaign_day',
      day: 'day',
      sums: {
        registrations: total('registrations'),
        certified: total('certified'),
        disbursed: total('disbursed'),
        disbursedAmount: total('disbursed_amount'),
      },
      filters,
    },
    { ...firstDue(today, filters), table: 'report_campaign_due' },
  ]
}

function resultsOf(today: string, filters: Source['filters']): Source[] {
  return [
    {
      table: 'report_customer_day',
      day: 'day',
      sums: { registrations: total('registrations'), certified: total('certified') },
      filters,
    },
    { table: 'report_order_day', day: 'day', sums: orderSums(), filters },
    firstDue(today, filters),
  ]
}

async function groupingOf(db: Db, groupBy: NonNullable<Input['groupBy']>): Promise<Grouping<Keys>> {
  if (groupBy === 'day') return byGrain('day', (day) => ({ ...NO_KEYS, day }))
  if (groupBy === 'campaign') return byColumn('campaign', (campaign) => ({ ...NO_KEYS, campaign }))
  const names = await channelNames(db)
  return byColumn('channel_id', (id) => ({
    ...NO_KEYS,
    channelId: id,
    channelName: names.get(id) ?? id,
  }))
}
