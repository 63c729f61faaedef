/** Approval of applications: how many the machine and the reviewers pass. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { approveReport } from '#shared/reports/approve-api.ts'
import { reportChanges } from '#shared/reports/changes-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { APP, CUSTOMER_CLASS, OPTIONS, PRODUCT } from './report-filters.ts'
import { APPROVE_FIGURES } from './report-figures.ts'

export const ApproveReport = reportScreen<typeof approveReport>({
  endpoint: approveReport,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    { name: 'approval', kind: 'line', measures: ['approvalRate', 'paidOutRate'] },
    {
      name: 'outcomes',
      kind: 'stacked',
      measures: ['autoPassed', 'manualPassed', 'autoFailed', 'limitFailed', 'manualFailed'],
    },
  ],
  chartWords: 'chart',
  dimensions: [
    { name: 'day', field: 'day', isDay: true },
    { name: 'product', field: 'productName' },
    {
      name: 'class',
      field: 'customerClass',
      text: ({ customerClass }, { t }) => t(`reports:class.${customerClass}`),
    },
  ],
  measures: APPROVE_FIGURES,
  filters: filtersOf({ appId: APP, productId: PRODUCT, customerClass: CUSTOMER_CLASS }),
  reads: [OPTIONS],
  changes: reportChanges,
  refreshOn: [REPORT_REFRESHED.type],
})
