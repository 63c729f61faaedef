/** Filters of the review list: URL, filter bar and request query. */
import type { Text } from '#client/base/use-text.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters, GridView } from '#client/ui/grid/grid-url.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { QUALITY_STATES } from '#shared/review/quality-lifecycle.ts'
import { QUALITY_CLASSES, REJECT_CODES } from '#shared/review/reject-reasons.ts'
import { type listReviewers, listReviews, REVIEW_TABS } from '#shared/review/review-api.ts'
import { REVIEW_DEMANDS } from '#shared/review/review-demands.ts'
import { REVIEW_STATES } from '#shared/review/review-lifecycle.ts'
import { TELE_STATES } from '#shared/review/tele-lifecycle.ts'
import type { ReviewTab, Viewer } from '../review-types.ts'
import type { LiveFilters } from './review-tabs.ts'

export const REVIEW_FILTERS = {
  userName: 'text',
  reviewId: 'text',
  orderId: 'text',
  userId: 'text',
  state: 'many',
  machineState: 'one',
  rejectCode: 'one',
  reviewerId: 'one',
  quality: 'one',
  teleCallState: 'one',
  demand: 'one',
  queuedTime: 'day',
  finishTime: 'day',
  result: 'one',
  decidedTime: 'day',
  qualityClass: 'one',
  checkedTime: 'day',
} as const
export type ReviewFilters = Filters<typeof REVIEW_FILTERS>

export const MACHINE_STATES = ['passed', 'undecided', 'failed', 'limitFailed', 'error'] as const
export const REVIEW_VIEW: Partial<GridView> = {}

export function tabOf(text: string | null, viewer: Viewer): ReviewTab {
  return (
    REVIEW_TABS.find((tab) => tab === text) ?? (viewer.sees === 'decided' ? 'quality' : 'queue')
  )
}

/** What the call of a tab is asked. */
export function reviewInput(
  tab: ReviewTab,
  query: Record<string, unknown>,
): InputOf<typeof listReviews> {
  return listInput(listReviews, { ...query, tab })
}

export function liveFilters({
  state,
  reviewerId,
  quality,
  teleCallState,
  rejectCode,
}: ReviewFilters): LiveFilters {
  return { state, reviewerId, quality, teleCallState, rejectCode }
}

export function filterFields(
  t: Text,
  reviewers: DataOf<typeof listReviewers>,
  viewer: Viewer,
): FilterField<keyof typeof REVIEW_FILTERS>[] {
  const options = (set: string, codes: readonly string[], withCode = false) =>
    codes.map((code) => ({
      value: code,
      label: withCode ? `${code} ${t(`review:${set}.${code}`)}` : t(`review:${set}.${code}`),
    }))
  const col = (name: string) => t(`review:col.${name}`)
  return [
    { name: 'userName', kind: 'text', label: col('customer'), place: 'quick' },
    {
      name: 'state',
      kind: 'many',
      label: col('state'),
      place: 'bar',
      options: options('state', REVIEW_STATES),
    },
    {
      name: 'machineState',
      kind: 'one',
      label: col('machine'),
      options: options('machine', MACHINE_STATES),
    },
    { name: 'reviewId', kind: 'text', label: col('review') },
    { name: 'orderId', kind: 'text', label: col('order') },
    { name: 'userId', kind: 'text', label: col('customerId') },
    ...(viewer.sees === 'own' || reviewers.length === 0
      ? []
      : [
          {
            name: 'reviewerId',
            kind: 'one',
            label: col('reviewer'),
            options: reviewers.map((one) => ({ value: one.userId, label: one.userName })),
          } as const,
        ]),
    {
      name: 'result',
      kind: 'one',
      label: col('result'),
      options: options('result', ['passed', 'failed']),
    },
    {
      name: 'rejectCode',
      kind: 'one',
      label: col('rejectReason'),
      options: options('reject', REJECT_CODES, true),
    },
    {
      name: 'quality',
      kind: 'one',
      label: col('quality'),
      options: options('qualityState', QUALITY_STATES),
    },
    {
      name: 'qualityClass',
      kind: 'one',
      label: col('qualityClass'),
      options: options('qualityClass', QUALITY_CLASSES),
    },
    {
      name: 'teleCallState',
      kind: 'one',
      label: col('tele'),
      options: options('tele', TELE_STATES),
    },
    {
      name: 'demand',
      kind: 'one',
      label: col('demand'),
      options: options('demand', REVIEW_DEMANDS),
    },
    { name: 'queuedTime', kind: 'day', label: col('queuedTime') },
    { name: 'decidedTime', kind: 'day', label: col('decidedTime') },
    { name: 'finishTime', kind: 'day', label: col('finishTime') },
    { name: 'checkedTime', kind: 'day', label: col('checkedTime') },
  ]
}
