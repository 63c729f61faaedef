import Type from 'typebox'
import { CUSTOMER_CLASSES } from '#shared/customers/customer-sets.ts'
import { endpoint, Id, OneOf } from '#shared/kernel/endpoint.ts'
import { ReportInput, ReportRows } from '#shared/kernel/report.ts'
import { measureFields } from './measures.ts'
import { PROCESS_STEPS } from './process-steps.ts'

export const PROCESS_MEASURES = ['reached', 'stepRate', 'totalRate', 'medianTime'] as const

export const processReport = endpoint({
  method: 'GET',
  path: '/report/process',
  exports: [{ code: 'process_conversion:export' }],
  file: { path: '/export/report/data', when: { report: ['process'] } },
  access: ['process_conversion:view'],
  menu: 'process_conversion',
  input: ReportInput({
    appId: Type.Optional(Id()),
    channelId: Type.Optional(Id()),
    customerClass: Type.Optional(OneOf(CUSTOMER_CLASSES)),
  }),
  // later steps are parts of the earlier ones, so their sum counts nothing
  data: ReportRows({ step: OneOf(PROCESS_STEPS) }, measureFields(PROCESS_MEASURES)),
  summary: 'Funnel of the customers of the days, from registration to disbursement',
})
