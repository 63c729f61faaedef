import { endpoint, OneOf } from '#shared/kernel/endpoint.ts'
import { ReportChanges, ReportInput } from '#shared/kernel/report.ts'

/** What may bend a curve. */
export const CHANGE_KINDS = [
  'rule',
  'table',
  'share',
  'product',
  'parameter',
  'spend',
  'outage',
] as const

export const reportChanges = endpoint({
  method: 'GET',
  path: '/report/changes',
  // everybody who reads figures of the whole business over time
  access: [
    'home:view',
    'channel_statistics:view',
    'approve_conversions:view',
    'Acquisition_trends:view',
    'Lending_trends:view',
    'delivery_data:view',
  ],
  menu: 'home',
  input: ReportInput({}),
  data: ReportChanges(OneOf(CHANGE_KINDS)),
  summary:
    'Changes of rules, tables, shares, products, parameters and spend, and outages of vendors, by time',
})
