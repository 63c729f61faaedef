/** Whether more or fewer people come than before. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import type { ReportRow } from '#client/screen/report/report-types.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { acquisitionTrend } from '#shared/reports/trends-api.ts'
import { reportChanges } from '#shared/reports/changes-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { byGrain, withGrain } from './report-grain.ts'
import { APP, CHANNEL, OPTIONS } from './report-filters.ts'
import { ACQUISITION_FIGURES } from './report-figures.ts'

const PERIODS = ['day', 'week', 'month']

/** A line per channel, of one measure each. */
const BY_CHANNEL = (['registrations', 'certified', 'applications', 'disbursed'] as const).map(
  (measure) =>
    ({
      name: measure,
      kind: 'line',
      measures: [measure],
      split: 'channelName',
      of: ['channel'],
    }) as const,
)

export const Screen = reportScreen<typeof acquisitionTrend>({
  endpoint: acquisitionTrend,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    {
      name: 'acquisition',
      kind: 'line',
      measures: ['registrations', 'certified', 'applications', 'disbursed'],
      of: PERIODS,
    },
    { name: 'registrations', kind: 'bar', measures: ['registrations'], of: PERIODS },
    ...BY_CHANNEL,
  ],
  chartWords: 'chart',
  dimensions: [
    ...byGrain<ReportRow<typeof acquisitionTrend>>(),
    { name: 'channel', field: 'day', grain: 'week', word: 'channelByWeek' },
  ],
  measures: ACQUISITION_FIGURES,
  filters: filtersOf({ channelId: CHANNEL, appId: APP }),
  days: { first: 60 },
  input: (query) =>
    query.groupBy === 'channel'
      ? withGrain(acquisitionTrend, { ...query, groupBy: 'week', series: 'channel' })
      : withGrain(acquisitionTrend, query),
  reads: [OPTIONS],
  changes: reportChanges,
  refreshOn: [REPORT_REFRESHED.type],
})
