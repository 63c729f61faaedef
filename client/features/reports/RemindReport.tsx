/** Who is reminded before an instalment falls due, and whether it is paid in time. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { remindReport } from '#shared/reports/remind-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { APP, CUSTOMER_CLASS, OPTIONS, PRODUCT, TAG } from './report-filters.ts'
import { REMIND_FIGURES } from './report-figures.ts'

export const RemindReport = reportScreen<typeof remindReport>({
  endpoint: remindReport,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    { name: 'reminded', kind: 'bar', measures: ['openBefore', 'remindedPlans'], of: ['at'] },
    {
      name: 'remindedPaid',
      kind: 'bar',
      measures: ['paidBeforeDueRate', 'remindedPaidRate'],
      of: ['at'],
    },
    { name: 'remindedByDay', kind: 'heat', measures: ['remindedRate'], split: 'day', of: ['day'] },
    {
      name: 'paidByDay',
      kind: 'heat',
      measures: ['paidBeforeDueRate'],
      split: 'day',
      of: ['day'],
    },
  ],
  chartWords: 'chart',
  dimensions: [
    {
      name: 'at',
      field: 'at',
      word: 'remindDay',
      text: ({ at }, { t }) => t('reports:cohort.at', { day: at }),
    },
    {
      name: 'day',
      field: 'at',
      word: 'dueDay',
      head: 'remindDay',
      text: ({ at }, { t }) => t('reports:cohort.at', { day: at }),
    },
  ],
  measures: REMIND_FIGURES,
  filters: filtersOf({ appId: APP, productId: PRODUCT, tag: TAG, customerClass: CUSTOMER_CLASS }),
  reads: [OPTIONS],
  refreshOn: [REPORT_REFRESHED.type],
})
