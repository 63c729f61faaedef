/** Which rows belong to which tab, by the same rules as on the server. Pure. */
import type { ReviewState } from '#shared/review/review-lifecycle.ts'
import type { ReviewRow, ReviewTab, Viewer } from '../review-types.ts'

/** The fields membership depends on. */
export type TabFacts = Pick<
  ReviewRow,
  | 'state'
  | 'reviewerId'
  | 'firstReviewerId'
  | 'handoverState'
  | 'handoverToId'
  | 'finishTime'
  | 'manualResult'
>

export const HELD_STATES: readonly ReviewState[] = ['toAudit', 'underReview']
export const DECIDED_STATES: readonly ReviewState[] = ['audited', 'passed', 'failed']

export function isHeld(row: Pick<ReviewRow, 'state'>): boolean {
  return HELD_STATES.includes(row.state)
}

export function belongsTo(tab: ReviewTab, row: TabFacts, viewer: Viewer): boolean {
  switch (tab) {
    case 'queue':
      return viewer.sees !== 'decided' && row.state === 'unclaimed' && row.finishTime === null
    case 'mine':
      return isHeld(row) && row.reviewerId === viewer.userId
    case 'handover':
      return (
        viewer.sees !== 'decided' &&
        row.handoverState === 'pending' &&
        (viewer.sees === 'all' ||
          row.handoverToId === viewer.userId ||
          row.reviewerId === viewer.userId)
      )
    case 'quality':
      return (
        DECIDED_STATES.includes(row.state) &&
        row.manualResult !== null &&
        (viewer.sees !== 'own' || row.reviewerId === viewer.userId)
      )
    case 'all':
      return (
        viewer.sees === 'all' ||
        (viewer.sees === 'decided'
          ? DECIDED_STATES.includes(row.state)
          : row.state === 'unclaimed' ||
            [row.reviewerId, row.firstReviewerId, row.handoverToId].includes(viewer.userId))
      )
  }
}

/** Filters that live events alone can decide; the server decides the others. */
export interface LiveFilters {
  state?: readonly string[]
  reviewerId?: string
  quality?: string
  teleCallState?: string
  rejectCode?: string
}

export function fitsFilters(
  row: Pick<ReviewRow, 'state' | 'reviewerId' | 'quality' | 'teleCallState' | 'rejectCode'>,
  filters: LiveFilters,
): boolean {
  if (filters.state?.length && !filters.state.includes(row.state)) return false
  if (filters.reviewerId && filters.reviewerId !== row.reviewerId) return false
  if (filters.quality && filters.quality !== row.quality) return false
  if (filters.teleCallState && filters.teleCallState !== row.teleCallState) return false
  return !filters.rejectCode || filters.rejectCode === row.rejectCode
}
