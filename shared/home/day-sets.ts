/** Closed sets of a person's day. */
import type { MeasureName } from '#shared/reports/measures.ts'

/**
 * What a person could do next, in the order in which it is offered; the value defines what its time
 * is: when it is due, or since when it waits.
 */
export const NEXT_WORK = {
  handover: 'due',
  decide: 'due',
  ownReview: 'due',
  review: 'waiting',
  check: 'waiting',
  ownTicket: 'due',
  case: 'due',
  ticket: 'due',
  teleFollow: 'due',
  teleNext: 'waiting',
  payoutFailed: 'waiting',
  allocate: 'waiting',
  reduction: 'waiting',
  proof: 'waiting',
  teleAssign: 'waiting',
  teamCases: 'due',
  failedTask: 'waiting',
} as const satisfies Record<string, 'due' | 'waiting'>
export type NextKey = keyof typeof NEXT_WORK
// the object has at least one key
export const NEXT_KEYS = Object.keys(NEXT_WORK) as [NextKey, ...NextKey[]]

/** What a lane of the day shows. */
export const LANE_KINDS = ['promise', 'follow', 'ticket', 'call', 'request', 'task'] as const
export type LaneKind = (typeof LANE_KINDS)[number]
/** The lane begins and ends at these hours (IST). */
export const LANE_HOURS = { from: 8, to: 19 } as const

export interface DayRule {
  unit: 'count' | 'money' | 'seconds' | 'percent'
  /** It grows over the day, or is the mean of what happened so far; a percent is a mean. */
  per: 'sum' | 'mean'
  /** Which change is for the better; null = neither. */
  better: 'more' | 'less' | null
  /** The measure of the reports that it is, within the caller's scope. */
  measure?: MeasureName
}

/** Figures of a day; a name of a workbench card is the same measure. */
export const DAY_FIGURES = {
  disbursedToday: { unit: 'money', per: 'sum', better: 'more', measure: 'disbursedAmount' },
  repaidToday: { unit: 'money', per: 'sum', better: 'more', measure: 'receivedAmount' },
  recoveredToday: { unit: 'money', per: 'sum', better: 'more', measure: 'collectedAmount' },
  applicationsToday: { unit: 'count', per: 'sum', better: 'more', measure: 'applications' },
  payoutFailRate: { unit: 'percent', per: 'mean', better: 'less', measure: 'payoutFailRate' },
  checkedToday: { unit: 'count', per: 'sum', better: 'more' },
  faultShare: { unit: 'percent', per: 'mean', better: 'less' },
  decidedToday: { unit: 'count', per: 'sum', better: 'more', measure: 'decidedReviews' },
  averageTime: { unit: 'seconds', per: 'mean', better: 'less', measure: 'reviewTime' },
  passedShare: { unit: 'percent', per: 'mean', better: null, measure: 'passedShare' },
  resolvedToday: { unit: 'count', per: 'sum', better: 'more' },
  firstReplies: { unit: 'count', per: 'sum', better: 'more' },
  firstReplyTime: { unit: 'seconds', per: 'mean', better: 'less' },
  contactsToday: { unit: 'count', per: 'sum', better: 'more' },
  promisesMade: { unit: 'count', per: 'sum', better: 'more' },
  promisesKept: { unit: 'percent', per: 'mean', better: 'more' },
  followUpsToday: { unit: 'count', per: 'sum', better: 'more' },
  agreedShare: { unit: 'percent', per: 'mean', better: 'more' },
  convertedToday: { unit: 'count', per: 'sum', better: 'more' },
  signInsToday: { unit: 'count', per: 'sum', better: null },
  changesToday: { unit: 'count', per: 'sum', better: null },
  browserErrors: { unit: 'count', per: 'sum', better: 'less' },
} as const satisfies Record<string, DayRule>
export type DayFigureKey = keyof typeof DAY_FIGURES
// the object has at least one key
export const DAY_FIGURE_KEYS = Object.keys(DAY_FIGURES) as [DayFigureKey, ...DayFigureKey[]]

/** What came while a person was away. */
export const ARRIVALS = [
  'casesAllocated',
  'paidToCases',
  'promisesBroken',
  'reviewsQueued',
  'faultsFound',
  'ticketsNew',
  'requestsNew',
  'requestsDecided',
  'payoutsFailed',
  'repaid',
  'converted',
  'browserErrors',
] as const
export type Arrival = (typeof ARRIVALS)[number]
