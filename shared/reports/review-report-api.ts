/** Reports of the review: people, their quality, reasons of rejection, and the hours of the day. */
import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { ReportData, ReportInput } from '#shared/kernel/report.ts'
import { REJECT_CODES } from '#shared/review/reject-reasons.ts'
import { measureFields } from './measures.ts'

const text = Nullable(Type.String())
const filters = { reviewerId: Type.Optional(Id()) }
const groups = { groupBy: Type.Optional(OneOf(['reviewer', 'day'])), ...filters }
const keys = {
  /** IST day, of rows by day. */
  day: text,
  reviewerId: text,
  reviewerName: text,
}

export const REVIEW_MEASURES = [
  'claimedReviews',
  'decidedReviews',
  'passedShare',
  'reviewTime',
  'expiredLeases',
  'askedHandovers',
  'askedCustomers',
] as const

export const reviewReport = endpoint({
  method: 'GET',
  path: '/report/review',
  exports: [{ code: 'review_report:export' }],
  file: { path: '/export/report/data', when: { report: ['review'] } },
  access: ['review_report:view'],
  menu: 'review_report',
  input: ReportInput(groups),
  data: ReportData(keys, measureFields(REVIEW_MEASURES)),
  summary: 'Work of reviewers, by person or day; a reviewer sees only the own row',
})

export const QUALITY_MEASURES = [
  'checkedReviews',
  'qualityRate',
  'wrongRejections',
  'wrongPasses',
  'otherMistakes',
  'passedOverdueRate',
] as const

export const qualityReport = endpoint({
  method: 'GET',
  path: '/report/review/quality',
  exports: [{ code: 'review_report:export' }],
  file: { path: '/export/report/data', when: { report: ['reviewQuality'] } },
  access: ['review_report:view'],
  menu: 'review_report',
  input: ReportInput(groups),
  data: ReportData(keys, measureFields(QUALITY_MEASURES)),
  summary: 'Quality of decisions: checks, mistakes, and repayment of passed applications',
})

export const REASON_MEASURES = ['rejections', 'rejectionShare'] as const

export const reasonReport = endpoint({
  method: 'GET',
  path: '/report/review/reason',
  exports: [{ code: 'review_report:export' }],
  file: { path: '/export/report/data', when: { report: ['reviewReason'] } },
  access: ['review_report:view'],
  menu: 'review_report',
  input: ReportInput(filters),
  data: ReportData({ code: OneOf(REJECT_CODES) }, measureFields(REASON_MEASURES)),
  summary: 'Why reviewers rejected applications',
})

export const HOUR_MEASURES = ['queuedReviews', 'decidedReviews', 'longestWait'] as const

export const hourReport = endpoint({
  method: 'GET',
  path: '/report/review/hour',
  exports: [{ code: 'review_report:export' }],
  file: { path: '/export/report/data', when: { report: ['reviewHour'] } },
  access: ['review_report:view'],
  menu: 'review_report',
  input: ReportInput(filters),
  data: ReportData(
    { hour: Type.Integer({ minimum: 0, maximum: 23 }) },
    measureFields(HOUR_MEASURES),
  ),
  summary: 'How the review queue runs through the hours of the day',
})
