/** Where customers are lost between registration and disbursement. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { processReport } from '#shared/reports/process-api.ts'
import type { ProcessStep } from '#shared/reports/process-steps.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { APP, CHANNEL, CUSTOMER_CLASS, OPTIONS } from './report-filters.ts'
import { PROCESS_FIGURES } from './report-figures.ts'

/** Where those are worked on who have not taken the step. */
const SEGMENTS: Readonly<Record<ProcessStep, string | null>> = {
  registered: null,
  idCheck: 'no_certified',
  photos: 'no_certified',
  contacts: 'no_certified',
  bankCard: 'unrequished',
  creditPassed: 'unrequished',
  applied: 'unrequished',
  reviewPassed: null,
  disbursed: 'loan_failed',
}

export const Screen = reportScreen<typeof processReport>({
  endpoint: processReport,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    { name: 'process', kind: 'funnel', measures: ['reached'] },
    { name: 'medianTime', kind: 'bar', measures: ['medianTime'] },
  ],
  chartWords: 'chart',
  dimensions: [
    {
      name: 'step',
      field: 'step',
      text: ({ step }, { t }) => t(`reports:step.${step}`),
      href: ({ step }, { hasMenu }) => {
        const menu = SEGMENTS[step]
        return menu !== null && hasMenu(menu)
          ? `/customer_management/marketing_center/${menu}`
          : null
      },
    },
  ],
  measures: PROCESS_FIGURES,
  filters: filtersOf({ channelId: CHANNEL, appId: APP, customerClass: CUSTOMER_CLASS }),
  reads: [OPTIONS],
  refreshOn: [REPORT_REFRESHED.type],
})
