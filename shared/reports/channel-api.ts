import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ReportData, ReportInput } from '#shared/kernel/report.ts'
import { measureFields } from './measures.ts'

export const CHANNEL_MEASURES = [
  'visits',
  'registrations',
  'certified',
  'applications',
  'approved',
  'approvalRate',
  'disbursed',
  'disbursedAmount',
  'firstLoans',
  'firstDefaultRate',
  'spend',
  'costPerDisbursement',
] as const

export const channelReport = endpoint({
  method: 'GET',
  path: '/report/channel',
  exports: [{ code: 'channel_statistics:export' }],
  file: { path: '/export/report/data', when: { report: ['channel'] } },
  access: ['channel_statistics:view'],
  menu: 'channel_statistics',
  input: ReportInput({
    groupBy: Type.Optional(OneOf(['day', 'channel'])),
    channelId: Type.Optional(Id()),
    appId: Type.Optional(Id()),
  }),
  data: ReportData(
    {
      /** IST day, of rows by day. */
      day: Nullable(Type.String()),
      channelId: Nullable(Type.String()),
      channelName: Nullable(Type.String()),
    },
    measureFields(CHANNEL_MEASURES),
  ),
  summary: 'Registrations, applications and loans by day or by channel',
})
