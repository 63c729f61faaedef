/** Whether more or less is lent than before, to whom, and how often a payout fails. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { lendingTrend } from '#shared/reports/trends-api.ts'
import { reportChanges } from '#shared/reports/changes-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { byGrain, withGrain } from './report-grain.ts'
import { APP, OPTIONS, PRODUCT } from './report-filters.ts'
import { LENDING_FIGURES } from './report-figures.ts'

export const Screen = reportScreen<typeof lendingTrend>({
  endpoint: lendingTrend,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    { name: 'amount', kind: 'bar', measures: ['disbursedAmount'] },
    { name: 'loans', kind: 'line', measures: ['disbursed', 'firstLoans', 'reLoans'] },
    { name: 'average', kind: 'line', measures: ['averageAmount'] },
    { name: 'payouts', kind: 'line', measures: ['payoutFailRate'] },
  ],
  chartWords: 'chart',
  dimensions: byGrain(),
  measures: LENDING_FIGURES,
  filters: filtersOf({ appId: APP, productId: PRODUCT }),
  days: { first: 60 },
  input: (query) => withGrain(lendingTrend, query),
  reads: [OPTIONS],
  changes: reportChanges,
  refreshOn: [REPORT_REFRESHED.type],
})
