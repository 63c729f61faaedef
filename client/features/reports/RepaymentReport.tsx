/** What was due by day, and whether it was paid early, on time or late. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { repaymentReport } from '#shared/reports/repayment-api.ts'
import { reportChanges } from '#shared/reports/changes-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { APP, CUSTOMER_CLASS, OPTIONS, PRODUCT, TAG } from './report-filters.ts'
import { REPAYMENT_FIGURES } from './report-figures.ts'

export const RepaymentReport = reportScreen<typeof repaymentReport>({
  endpoint: repaymentReport,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    {
      name: 'paid',
      kind: 'stacked',
      measures: ['earlyAmount', 'onTimeAmount', 'lateAmount', 'openAmount'],
    },
    { name: 'onTime', kind: 'line', measures: ['onTimeRate'] },
    { name: 'due', kind: 'bar', measures: ['dueAmount'] },
  ],
  chartWords: 'chart',
  dimensions: [
    { name: 'day', field: 'day', isDay: true, word: 'dueDay' },
    { name: 'product', field: 'productName' },
    { name: 'tag', field: 'tag', text: ({ tag }, { t }) => t(`reports:tag.${tag}`) },
    {
      name: 'class',
      field: 'customerClass',
      text: ({ customerClass }, { t }) => t(`reports:class.${customerClass}`),
    },
  ],
  measures: REPAYMENT_FIGURES,
  filters: filtersOf({ appId: APP, productId: PRODUCT, tag: TAG, customerClass: CUSTOMER_CLASS }),
  reads: [OPTIONS],
  changes: reportChanges,
  refreshOn: [REPORT_REFRESHED.type],
})
