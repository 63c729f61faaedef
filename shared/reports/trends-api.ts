import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ReportData, ReportInput } from '#shared/kernel/report.ts'
import { GRAINS } from '#shared/kernel/grain.ts'
import { measureFields } from './measures.ts'

/** First IST day of the period. */
const period = { day: Type.String() }

export const ACQUISITION_MEASURES = [
  'registrations',
  'certified',
  'applications',
  'approved',
  'disbursed',
] as const

export const acquisitionTrend = endpoint({
  method: 'GET',
  path: '/report/trend/acquisition',
  exports: [{ code: 'Acquisition_trends:export' }],
  file: { path: '/export/report/data', when: { report: ['acquisition'] } },
  access: ['Acquisition_trends:view'],
  menu: 'Acquisition_trends',
  input: ReportInput({
    grain: Type.Optional(OneOf(GRAINS)),
    /** A row per period, or one per period and channel. */
    series: Type.Optional(OneOf(['measure', 'channel'])),
    appId: Type.Optional(Id()),
    channelId: Type.Optional(Id()),
  }),
  data: ReportData(
    {
      ...period,
      /** Of rows by channel. */
      channelId: Nullable(Type.String()),
      channelName: Nullable(Type.String()),
    },
    measureFields(ACQUISITION_MEASURES),
  ),
  summary: 'Registrations, certified customers and applications over time',
})

export const LENDING_MEASURES = [
  'disbursed',
  'disbursedAmount',
  'firstLoans',
  'reLoans',
  'averageAmount',
  'failedTransfers',
  'payoutFailRate',
] as const

export const lendingTrend = endpoint({
  method: 'GET',
  path: '/report/trend/lending',
  exports: [{ code: 'Lending_trends:export' }],
  file: { path: '/export/report/data', when: { report: ['lending'] } },
  access: ['Lending_trends:view'],
  menu: 'Lending_trends',
  input: ReportInput({
    grain: Type.Optional(OneOf(GRAINS)),
    appId: Type.Optional(Id()),
    productId: Type.Optional(Id()),
  }),
  data: ReportData(period, measureFields(LENDING_MEASURES)),
  summary: 'Loans, their amounts and failed payouts over time',
})
