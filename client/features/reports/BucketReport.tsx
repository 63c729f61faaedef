/** How much of what was due is overdue after so many days, and how much of that came back. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import type { ReportRow } from '#client/screen/report/report-types.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { uiNow } from '#client/ui/value/clock.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { BUCKETS } from '#shared/reports/buckets.ts'
import { bucketReport } from '#shared/reports/repayment-api.ts'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import { APP, CUSTOMER_CLASS, OPTIONS, PRODUCT, TAG } from './report-filters.ts'
import { BUCKET_FIGURES } from './report-figures.ts'

type Row = ReportRow<typeof bucketReport>

export const BucketReport = reportScreen<typeof bucketReport>({
  endpoint: bucketReport,
  texts: ['reports'],
  words: 'measure',
  help: 'help',
  charts: [
    { name: 'buckets', kind: 'bar', measures: ['overdueRate', 'recoveryRate'], of: ['bucket'] },
    {
      name: 'bucketsByCount',
      kind: 'bar',
      measures: ['overdueCountRate', 'recoveryCountRate'],
      of: ['bucket'],
    },
    { name: 'cohorts', kind: 'heat', measures: ['overdueRate'], split: 'day', of: ['day'] },
    {
      name: 'cohortsRecovered',
      kind: 'heat',
      measures: ['recoveryRate'],
      split: 'day',
      of: ['day'],
    },
  ],
  chartWords: 'chart',
  dimensions: [
    { name: 'bucket', field: 'bucket' },
    { name: 'day', field: 'bucket', word: 'dueDay', head: 'bucket' },
  ],
  measures: BUCKET_FIGURES.map((measure) => ({
    ...measure,
    isHollow: isYoung,
  })),
  filters: filtersOf({ appId: APP, productId: PRODUCT, tag: TAG, customerClass: CUSTOMER_CLASS }),
  days: { first: 45 },
  reads: [OPTIONS],
  refreshOn: [REPORT_REFRESHED.type],
})

/** The due day is not old enough for the bucket. */
function isYoung({ day, bucket }: Row): boolean {
  const rule = BUCKETS[bucket]
  return day !== null && 'day' in rule && addDays(day, rule.day) >= istDay(uiNow())
}
