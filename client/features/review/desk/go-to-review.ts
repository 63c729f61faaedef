/** From one review to another: the bar of the one that is reached gets the focus. */
import { useLocation } from 'wouter'
import { closeTab, tabsStore } from '#client/screen/tabs.ts'
import { usePage } from '#client/session/page.tsx'
import { reviewPath } from '#shared/review/review-path.ts'

/** The item reached after a decision, or after its decision was taken back. */
let arriving: string | null = null
export function expectArrival(reviewId: string): void {
  arriving = reviewId
}
export function takeArrival(reviewId: string): boolean {
  const arrived = arriving === reviewId
  if (arrived) arriving = null
  return arrived
}

export interface GoToReview {
  go: (reviewId: string) => void
  /** Limits open tabs, which would grow to a hundred within a day. */
  goClosing: (reviewId: string) => void
}

export function useGoToReview(): GoToReview {
  const [, navigate] = useLocation()
  const { tab } = usePage()
  const go = (reviewId: string): void => {
    expectArrival(reviewId)
    navigate(reviewPath(reviewId))
  }
  return {
    go,
    goClosing(reviewId) {
      tabsStore.set((tabs) => closeTab(tabs, tab))
      go(reviewId)
    },
  }
}
