/** How much of the overdue money collection brings back, and in which stages. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { recallTrend } from '#shared/reports/recall-api.ts'
import { reportChanges } from '#shared/reports/changes-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { RECALL_FIGURES } from './report-figures.ts'
import { AGENCIES, AGENCY, STAGE } from './report-filters.ts'

const PERIODS = ['week', 'day', 'month']

export const Screen = reportScreen<typeof recallTrend>({
  endpoint: recallTrend,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    {
      name: 'recalled',
      kind: 'stacked',
      measures: ['collectedAmount'],
      split: 'stageId',
      of: PERIODS,
    },
    {
      name: 'recallRate',
      kind: 'line',
      measures: ['collectedRate'],
      split: 'stageId',
      of: PERIODS,
    },
    { name: 'recalledOf', kind: 'bar', measures: ['collectedAmount'], of: ['stage', 'bucket'] },
    { name: 'recallRateOf', kind: 'bar', measures: ['collectedRate'], of: ['stage'] },
  ],
  chartWords: 'chart',
  dimensions: [
    { name: 'week', field: 'day', grain: 'week', word: 'week' },
    { name: 'day', field: 'day', isDay: true },
    { name: 'month', field: 'day', grain: 'month', word: 'month' },
    { name: 'stage', field: 'stageId' },
    { name: 'bucket', field: 'bucket', word: 'paidBucket' },
  ],
  measures: RECALL_FIGURES,
  filters: filtersOf({ stageId: STAGE, agencyId: AGENCY }),
  days: { first: 42 },
  reads: [AGENCIES],
  changes: reportChanges,
  refreshOn: [REPORT_REFRESHED.type],
})
