/**
 * Figures of the review. Its list filters by the end of a review, which comes after the time to undo and
 * may be on another day than the decision, so none leads there.
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
import { measuresOf } from './report-measures.ts'

export const REVIEW_FIGURES = measuresOf<
  ReportRow<typeof reviewReport>,
  (typeof REVIEW_MEASURES)[number]
>(REVIEW_MEASURES)

export const QUALITY_FIGURES = measuresOf<
  ReportRow<typeof qualityReport>,
  (typeof QUALITY_MEASURES)[number]
>(QUALITY_MEASURES)

export const REASON_FIGURES = measuresOf<
  ReportRow<typeof reasonReport>,
  (typeof REASON_MEASURES)[number]
>(REASON_MEASURES)

export const HOUR_FIGURES = measuresOf<
  ReportRow<typeof hourReport>,
  (typeof HOUR_MEASURES)[number]
>(HOUR_MEASURES)
