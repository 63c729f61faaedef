/** How fast what was due comes back, from three days before the due day to thirty after. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { RECYCLING_MEASURES, recyclingTrend } from '#shared/reports/repayment-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { withGrain } from './report-grain.ts'
import { APP, CUSTOMER_CLASS, OPTIONS, PRODUCT, TAG } from './report-filters.ts'
import { measuresOf } from './report-measures.ts'

const MARKED = ['0', '7', '30']

export const Screen = reportScreen<typeof recyclingTrend>({
  endpoint: recyclingTrend,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    {
      name: 'curves',
      kind: 'line',
      measures: ['repaidShare'],
      split: 'cohort',
      ramp: { whole: 'all' },
    },
    { name: 'cohortCurves', kind: 'heat', measures: ['repaidShare'], split: 'cohort' },
  ],
  chartWords: 'chart',
  dimensions: [
    { name: 'week', field: 'at', word: 'week', head: 'at', text: pointText, isSequence: true },
    { name: 'month', field: 'at', word: 'month', head: 'at', text: pointText, isSequence: true },
    { name: 'day', field: 'at', word: 'dueDay', head: 'at', text: pointText, isSequence: true },
  ],
  measures: measuresOf(RECYCLING_MEASURES, {}),
  splitText: (cohort, { t, language }) =>
    cohort === 'all' ? t('reports:cohort.all') : formatIst(cohort, 'nearDay', language),
  marks: (_, points) => MARKED.map((at) => ({ point: points.indexOf(at), label: `T${at}` })),
  filters: filtersOf({ appId: APP, productId: PRODUCT, tag: TAG, customerClass: CUSTOMER_CLASS }),
  days: { first: 60 },
  input: (query) => withGrain(recyclingTrend, query),
  reads: [OPTIONS],
  refreshOn: [REPORT_REFRESHED.type],
})

function pointText({ at }: { at: number }, { t }: ListContext): string {
  return t('reports:cohort.at', { day: at > 0 ? `+${at}` : at })
}
