import Type from 'typebox'
import { endpoint, Id } from '#shared/kernel/endpoint.ts'
import { ReportData, ReportInput } from '#shared/kernel/report.ts'
import { measureFields } from './measures.ts'

export const HOME_MEASURES = [
  'registrations',
  'certified',
  'applications',
  'autoPassed',
  'manualPassed',
  'disbursed',
  'disbursedAmount',
  'firstLoans',
  'reLoans',
  'failedTransfers',
  'dueAmount',
  'receivedAmount',
  'onTimeRate',
  'newOverdueAmount',
  'collectedAmount',
  'waivedAmount',
  'chargedOffAmount',
  'newTickets',
] as const

const row = { day: Type.String(), ...measureFields(HOME_MEASURES) }

export const homeFigures = endpoint({
  method: 'GET',
  path: '/report/home',
  exports: [{ code: 'home:export' }],
  file: { path: '/export/list/homeExport', when: { type: ['daily'] } },
  access: ['home:view'],
  menu: 'home',
  input: ReportInput({ appId: Type.Optional(Id()), channelId: Type.Optional(Id()) }),
  data: Type.Object({
    ...ReportData({ day: Type.String() }, measureFields(HOME_MEASURES)).properties,
    /** The running day, whatever the range. */
    today: Type.Object(row),
    /** The same weekday a week ago, as a whole day. */
    weekAgo: Type.Object(row),
  }),
  summary: 'Headline figures of the business by day',
})
