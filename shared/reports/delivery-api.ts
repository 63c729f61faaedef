/** Advertising: what it cost, and what came of it. */
import Type from 'typebox'
import { Day, endpoint, Id, Nullable, OneOf, Paise, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { ReportData, ReportInput } from '#shared/kernel/report.ts'
import { Campaign } from './campaign.ts'
import { measureFields } from './measures.ts'

const text = Type.String()
const Count = () => Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const menu = 'delivery_data'

export const DELIVERY_MEASURES = [
  'spend',
  'impressions',
  'clicks',
  'registrations',
  'certified',
  'disbursed',
  'disbursedAmount',
  'costPerRegistration',
  'costPerDisbursement',
  'firstDefaultRate',
] as const

export const deliveryReport = endpoint({
  method: 'GET',
  path: '/report/delivery',
  exports: [{ code: 'delivery_data:export' }],
  file: { path: '/export/report/campaign' },
  access: ['delivery_data:view'],
  menu,
  input: ReportInput({
    groupBy: Type.Optional(OneOf(['day', 'channel', 'campaign'])),
    channelId: Type.Optional(Id()),
    campaign: Type.Optional(Campaign()),
  }),
  data: ReportData(
    {
      /** IST day, of rows by day. */
      day: Nullable(text),
      channelId: Nullable(text),
      channelName: Nullable(text),
      campaign: Nullable(text),
    },
    measureFields(DELIVERY_MEASURES),
  ),
  summary: 'Advertising spend against registrations and loans',
})

export const SpendRow = Type.Object({
  spendId: text,
  date: text,
  channelId: text,
  channelName: text,
  campaign: text,
  spend: Type.Integer(),
  impressions: Nullable(Type.Integer()),
  clicks: Nullable(Type.Integer()),
  updatedBy: text,
  updatedTime: text,
  version: Type.Integer(),
})

export const listSpend = endpoint({
  method: 'GET',
  path: '/report/delivery/spend/list',
  access: ['delivery_data:view'],
  menu,
  input: ListInput({
    dateFrom: Type.Optional(Day()),
    dateTo: Type.Optional(Day()),
    channelId: Type.Optional(Id()),
    campaign: Type.Optional(Campaign()),
  }),
  data: ListData(SpendRow),
  summary: 'Entries of advertising spend',
})

export const enterSpend = endpoint({
  method: 'POST',
  path: '/report/delivery/spend',
  access: ['delivery_data:spend'],
  menu,
  input: Type.Object(
    {
      /** IST day, today at the latest. */
      date: Day(),
      channelId: Id(),
      campaign: Campaign(),
      spend: Paise({ minimum: 0 }),
      impressions: Type.Optional(Count()),
      clicks: Type.Optional(Count()),
      /** Of the entry that is corrected; a new one has none. */
      version: Type.Optional(Version()),
    },
    { additionalProperties: false },
  ),
  data: SpendRow,
  audit: 'spend',
  summary: 'Enters or corrects what a campaign cost on a day',
})
