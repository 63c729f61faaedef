import Type from 'typebox'
import { endpoint } from '#shared/kernel/endpoint.ts'

const named = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }))

export const reportOptions = endpoint({
  method: 'GET',
  path: '/report/options',
  // one report is enough to read the options of the filters
  access: [
    'home:view',
    'channel_statistics:view',
    'process_conversion:view',
    'approve_conversions:view',
    'Acquisition_trends:view',
    'Lending_trends:view',
    'repayment_statistics:view',
    'Recycling_trend:view',
    'delivery_data:view',
    'review_report:view',
    'reloan_report:view',
  ],
  menu: 'channel_statistics',
  input: Type.Object({}),
  data: Type.Object({
    apps: named,
    channels: named,
    products: named,
    reviewers: named,
    campaigns: named,
  }),
  summary: 'Apps, channels, products and reviewers for the filters of reports',
})
