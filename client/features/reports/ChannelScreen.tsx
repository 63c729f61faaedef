/** Which channel brings loans, and how these perform. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { channelReport } from '#shared/reports/channel-api.ts'
import { reportChanges } from '#shared/reports/changes-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { APP, CHANNEL, OPTIONS } from './report-filters.ts'
import { CHANNEL_FIGURES } from './report-figures.ts'

export const Screen = reportScreen<typeof channelReport>({
  endpoint: channelReport,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    { name: 'funnel', kind: 'line', measures: ['registrations', 'applications', 'disbursed'] },
    { name: 'amount', kind: 'bar', measures: ['disbursedAmount'] },
    { name: 'channelCost', kind: 'bar', measures: ['spend'] },
    { name: 'costPerLoan', kind: 'bar', measures: ['costPerDisbursement'] },
    { name: 'quality', kind: 'line', measures: ['approvalRate', 'firstDefaultRate'] },
  ],
  chartWords: 'chart',
  dimensions: [
    { name: 'day', field: 'day', isDay: true },
    { name: 'channel', field: 'channelName' },
  ],
  measures: CHANNEL_FIGURES,
  filters: filtersOf({ channelId: CHANNEL, appId: APP }),
  reads: [OPTIONS],
  changes: reportChanges,
  refreshOn: [REPORT_REFRESHED.type],
})
