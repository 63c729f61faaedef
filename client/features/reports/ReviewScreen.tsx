/** What reviewers do, how good it is, why they reject, and when the queue grows. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { reportScreen } from '#client/screen/report/report-screen.tsx'
import { reportTabs } from '#client/screen/report/report-tabs.tsx'
import { REPORT_REFRESHED } from '#shared/reports/reports-live.ts'
import {
  hourReport,
  qualityReport,
  reasonReport,
  reviewReport,
} from '#shared/reports/review-report-api.ts'
import { OPTIONS, REVIEWER } from './report-filters.ts'
import { HOUR_FIGURES, QUALITY_FIGURES, REASON_FIGURES, REVIEW_FIGURES } from './review-figures.ts'
import { hourText } from '#client/ui/value/ist-format.ts'

const COMMON = {
  texts: ['reports', 'review'],
  words: 'measure',
  help: 'help',
  chartWords: 'chart',
  filters: filtersOf({ reviewerId: REVIEWER }),
  reads: [OPTIONS],
  refreshOn: [REPORT_REFRESHED.type],
} as const

const People = reportScreen<typeof reviewReport>({
  ...COMMON,
  endpoint: reviewReport,
  charts: [
    { name: 'reviewWork', kind: 'bar', measures: ['claimedReviews', 'decidedReviews'] },
    { name: 'reviewTime', kind: 'bar', measures: ['reviewTime'] },
    { name: 'reviewPassed', kind: 'bar', measures: ['passedShare'] },
  ],
  dimensions: [
    { name: 'reviewer', field: 'reviewerName' },
    { name: 'day', field: 'day', isDay: true },
  ],
  measures: REVIEW_FIGURES,
})

const Quality = reportScreen<typeof qualityReport>({
  ...COMMON,
  endpoint: qualityReport,
  charts: [
    { name: 'qualityRate', kind: 'bar', measures: ['qualityRate'] },
    {
      name: 'mistakes',
      kind: 'stacked',
      measures: ['wrongRejections', 'wrongPasses', 'otherMistakes'],
    },
    { name: 'passedOverdue', kind: 'bar', measures: ['passedOverdueRate'] },
  ],
  dimensions: [
    { name: 'reviewer', field: 'reviewerName' },
    { name: 'day', field: 'day', isDay: true },
  ],
  measures: QUALITY_FIGURES,
})

const Reasons = reportScreen<typeof reasonReport>({
  ...COMMON,
  endpoint: reasonReport,
  charts: [{ name: 'rejections', kind: 'bar', measures: ['rejections'] }],
  dimensions: [
    {
      name: 'code',
      field: 'code',
      text: ({ code }, { t }) => `${code} ${t(`review:reject.${code}`)}`,
    },
  ],
  measures: REASON_FIGURES,
})

const Hours = reportScreen<typeof hourReport>({
  ...COMMON,
  endpoint: hourReport,
  charts: [
    { name: 'hours', kind: 'bar', measures: ['queuedReviews', 'decidedReviews'] },
    { name: 'longestWait', kind: 'bar', measures: ['longestWait'] },
  ],
  dimensions: [
    {
      name: 'hour',
      field: 'hour',
      isSequence: true,
      text: ({ hour }) => hourText(hour),
    },
  ],
  measures: HOUR_FIGURES,
})

export const Screen = reportTabs('reports', 'reports:tab', [
  { name: 'reviewer', Screen: People },
  { name: 'quality', Screen: Quality },
  { name: 'reason', Screen: Reasons },
  { name: 'hour', Screen: Hours },
])
