/**
 * Figures of the review. What a review may go through more than once, such as a claim, leads to no
 * list, because a list shows the review once.
 */
import type { ReportRow } from '#client/screen/report/report-types.ts'
import {
  HOUR_MEASURES,
  type hourReport,
  QUALITY_MEASURES,
  type qualityReport,
  REASON_MEASURES,
  type reasonReport,
  REVIEW_MEASURES,
  type reviewReport,
} from '#shared/reports/review-report-api.ts'
import { type Group, measuresOf, type Rows, type WhyNot } from './report-measures.ts'
import {
  CHECKED_REVIEWS,
  DECIDED_REVIEWS,
  mistakes,
  QUEUED_REVIEWS,
  rejectedFor,
} from './rows-behind.ts'

export const REVIEW_FIGURES = measuresOf<
  ReportRow<typeof reviewReport>,
  (typeof REVIEW_MEASURES)[number]
>(REVIEW_MEASURES, {
  claimedReviews: 'events',
  decidedReviews: DECIDED_REVIEWS,
  expiredLeases: 'events',
  askedHandovers: 'events',
  askedCustomers: 'events',
})

export const QUALITY_FIGURES = measuresOf<
  ReportRow<typeof qualityReport>,
  (typeof QUALITY_MEASURES)[number]
>(QUALITY_MEASURES, {
  checkedReviews: CHECKED_REVIEWS,
  wrongRejections: mistakes('wrongRejection'),
  wrongPasses: mistakes('wrongPass'),
  otherMistakes: mistakes('other'),
})

export const REASON_FIGURES = measuresOf<
  ReportRow<typeof reasonReport>,
  (typeof REASON_MEASURES)[number]
>(REASON_MEASURES, { rejections: ({ code }) => rejectedFor(code) })

export const HOUR_FIGURES = measuresOf<
  ReportRow<typeof hourReport>,
  (typeof HOUR_MEASURES)[number]
>(HOUR_MEASURES, {
  queuedReviews: ofAllHours(QUEUED_REVIEWS),
  decidedReviews: ofAllHours(DECIDED_REVIEWS),
  longestWait: 'time',
})

/** A list has days, and no hours of them. */
function ofAllHours(rows: Rows): (row: Group) => Rows | WhyNot {
  return ({ hour }) => (hour === undefined ? rows : 'noFilter')
}
