/** Whether customers come back after paying off a loan, and how soon. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { reloanReport } from '#shared/reports/reloan-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { RELOAN_FIGURES } from './report-figures.ts'
import { APP, OPTIONS, PRODUCT } from './report-filters.ts'

export const Screen = reportScreen<typeof reloanReport>({
  endpoint: reloanReport,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    {
      name: 'reloanRates',
      kind: 'line',
      measures: ['reloanRate1', 'reloanRate7', 'reloanRate30'],
    },
    { name: 'settledLoans', kind: 'bar', measures: ['settledLoans', 'reborrowed30'] },
    { name: 'reloanAmount', kind: 'bar', measures: ['reloanAmount'] },
  ],
  chartWords: 'chart',
  dimensions: [
    { name: 'day', field: 'day', isDay: true, word: 'settledDay' },
    {
      name: 'class',
      field: 'customerClass',
      text: ({ customerClass }, { t }) => t(`reports:class.${customerClass}`),
    },
    {
      name: 'orderNo',
      field: 'orderNo',
      text: ({ orderNo }, { t }) =>
        orderNo === 5 ? t('reports:loanNo.fromFifth') : t('reports:loanNo.nth', { nr: orderNo }),
    },
    { name: 'channel', field: 'channelName' },
  ],
  measures: RELOAN_FIGURES,
  filters: filtersOf({ appId: APP, productId: PRODUCT }),
  days: { first: 60 },
  reads: [OPTIONS],
  refreshOn: [REPORT_REFRESHED.type],
})
