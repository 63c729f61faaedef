/** Which channel brings loans, and what becomes of them. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { CHANNEL_MEASURES, channelReport } from '#shared/reports/channel-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { APP, CHANNEL, OPTIONS } from './report-filters.ts'
import { measuresOf } from './report-measures.ts'
import { APPLICATIONS, CERTIFIED, DISBURSED, REGISTRATIONS } from './rows-behind.ts'

export const Screen = reportScreen<typeof channelReport>({
  endpoint: channelReport,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    { name: 'funnel', kind: 'line', measures: ['registrations', 'applications', 'disbursed'] },
    { name: 'amount', kind: 'bar', measures: ['disbursedAmount'] },
    { name: 'quality', kind: 'line', measures: ['approvalRate', 'firstDefaultRate'] },
  ],
  chartWords: 'chart',
  dimensions: [
    { name: 'day', field: 'day', isDay: true },
    { name: 'channel', field: 'channelName' },
  ],
  measures: measuresOf(
    CHANNEL_MEASURES,
    {
      registrations: REGISTRATIONS,
      certified: CERTIFIED,
      applications: APPLICATIONS,
      disbursed: DISBURSED,
      disbursedAmount: DISBURSED,
    },
    ['channelId', 'appId'],
  ),
  filters: filtersOf({ channelId: CHANNEL, appId: APP }),
  reads: [OPTIONS],
  refreshOn: [REPORT_REFRESHED.type],
})
