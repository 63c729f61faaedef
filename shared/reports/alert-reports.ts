/** Reports whose figures may get a limit, and which of their figures that are. */
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { REJECT_CODES } from '#shared/review/reject-reasons.ts'
import {
  APPROVE_MEASURES,
  approveReport,
  RISK_GROUPS,
  RISK_MEASURES,
  riskReport,
} from './approve-api.ts'
import { BUCKET_NAMES, CURVE_FIRST, CURVE_LAST } from './buckets.ts'
import { CHANNEL_MEASURES, channelReport } from './channel-api.ts'
import { DELIVERY_MEASURES, deliveryReport } from './delivery-api.ts'
import { HOME_MEASURES, homeFigures } from './home-figures-api.ts'
import type { MeasureName } from './measures.ts'
import { PROCESS_MEASURES, processReport } from './process-api.ts'
import { PROCESS_STEPS } from './process-steps.ts'
import { RECALL_MEASURES, recallTrend } from './recall-api.ts'
import { RELOAN_MEASURES, reloanReport } from './reloan-api.ts'
import { REMIND_FIRST, REMIND_MEASURES, remindReport } from './remind-api.ts'
import {
  BUCKET_MEASURES,
  bucketReport,
  RECYCLING_MEASURES,
  recyclingTrend,
  REPAYMENT_MEASURES,
  repaymentReport,
} from './repayment-api.ts'
import {
  HOUR_MEASURES,
  hourReport,
  QUALITY_MEASURES,
  qualityReport,
  REASON_MEASURES,
  reasonReport,
  REVIEW_MEASURES,
  reviewReport,
} from './review-report-api.ts'
import {
  ACQUISITION_MEASURES,
  acquisitionTrend,
  LENDING_MEASURES,
  lendingTrend,
} from './trends-api.ts'

export interface AlertReport {
  endpoint: Endpoint
  measures: readonly MeasureName[]
  /** Where the report is shown, with its tab. */
  route: string
  /** A row of the report that is judged by itself. */
  part?: {
    field: string
    /** Its closed set; else any, such as a rule. */
    values?: readonly (string | number)[]
    /** Groups of the report that have such rows; it has one group when left out. */
    groups?: readonly string[]
    /** The sum may be judged, too: the rows are no parts of one another. */
    hasSum?: boolean
  }
  /** Who leads a unit, or reviews, sees only a part of its figures, so is not notified of all. */
  isScoped?: boolean
}

const data = '/data_analysis'
const charts = `${data}/graphical_report`
const scoped = { isScoped: true }
const review = (tab: string) => ({ route: `${data}/review_report?tab=${tab}`, ...scoped })

export const ALERT_REPORTS = {
  home: { endpoint: homeFigures, measures: HOME_MEASURES, route: '/home_manage/home' },
  channel: {
    endpoint: channelReport,
    measures: CHANNEL_MEASURES,
    route: `${data}/channel_statistics`,
  },
  process: {
    endpoint: processReport,
    measures: PROCESS_MEASURES,
    route: `${data}/process_conversion`,
    part: { field: 'step', values: PROCESS_STEPS },
  },
  approve: {
    endpoint: approveReport,
    measures: APPROVE_MEASURES,
    route: `${data}/approve_conversions?tab=conversion`,
  },
  risk: {
    endpoint: riskReport,
    measures: RISK_MEASURES,
    route: `${data}/approve_conversions?tab=risk`,
    part: { field: 'key', groups: RISK_GROUPS },
  },
  repayment: {
    endpoint: repaymentReport,
    measures: REPAYMENT_MEASURES,
    route: `${data}/repayment_statistics?tab=repayment`,
    ...scoped,
  },
  preRemind: {
    endpoint: remindReport,
    measures: REMIND_MEASURES,
    route: `${data}/repayment_statistics?tab=preRemind`,
    part: { field: 'at', values: numbers(REMIND_FIRST, 0) },
    ...scoped,
  },
  bucket: {
    endpoint: bucketReport,
    measures: BUCKET_MEASURES,
    route: `${data}/repayment_statistics?tab=bucket`,
    part: { field: 'bucket', values: BUCKET_NAMES },
    ...scoped,
  },
  acquisition: {
    endpoint: acquisitionTrend,
    measures: ACQUISITION_MEASURES,
    route: `${charts}/Acquisition_trends`,
  },
  lending: {
    endpoint: lendingTrend,
    measures: LENDING_MEASURES,
    route: `${charts}/Lending_trends`,
  },
  recycling: {
    endpoint: recyclingTrend,
    measures: RECYCLING_MEASURES,
    route: `${charts}/Recycling_trend`,
    part: { field: 'at', values: numbers(CURVE_FIRST + 1, CURVE_LAST - 1) },
    ...scoped,
  },
  recall: {
    endpoint: recallTrend,
    measures: RECALL_MEASURES,
    route: `${charts}/Recall_trend`,
    ...scoped,
  },
  delivery: {
    endpoint: deliveryReport,
    measures: DELIVERY_MEASURES,
    route: `${data}/delivery_data?tab=delivery`,
  },
  reloan: { endpoint: reloanReport, measures: RELOAN_MEASURES, route: `${data}/reloan_report` },
  review: { endpoint: reviewReport, measures: REVIEW_MEASURES, ...review('reviewer') },
  quality: { endpoint: qualityReport, measures: QUALITY_MEASURES, ...review('quality') },
  reason: {
    endpoint: reasonReport,
    measures: REASON_MEASURES,
    part: { field: 'code', values: REJECT_CODES, hasSum: true },
    ...review('reason'),
  },
  hour: { endpoint: hourReport, measures: HOUR_MEASURES, ...review('hour') },
} as const satisfies Record<string, AlertReport>

export type AlertReportName = keyof typeof ALERT_REPORTS
// the keys of a closed set
export const ALERT_REPORT_NAMES = Object.keys(ALERT_REPORTS) as [
  AlertReportName,
  ...AlertReportName[],
]

export function alertReport(name: AlertReportName): AlertReport {
  return ALERT_REPORTS[name]
}

/** Inputs of a report that choose days and rows: a limit has its own. */
const OWN = new Set(['dateFrom', 'dateTo', 'grain', 'series', 'groupBy'])

/** Filters a limit may keep, by the name in the report's call. */
export function alertFilters(name: AlertReportName): string[] {
  return Object.keys(ALERT_REPORTS[name].endpoint.input.properties).filter((one) => !OWN.has(one))
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n)
}
