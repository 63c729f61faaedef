/** Opens the oldest decision that nobody has checked, so that an inspector goes from one to the next. */
import { useLocation } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { closeTab, tabsStore } from '#client/screen/tabs.ts'
import { call } from '#client/session/call.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePage } from '#client/session/page.tsx'
import { listReviews } from '#shared/review/review-api.ts'
import { reviewPath } from '#shared/review/review-path.ts'

export function useNextCheck(reviewId: string): () => Promise<void> {
  const t = useText('review')
  const [, navigate] = useLocation()
  const { tab } = usePage()
  return async () => {
    const page = await call(listReviews, {
      tab: 'quality',
      quality: 'notChecked',
      sort: 'finishTime:asc',
      // the open one may be the oldest; no page is smaller
      pageSize: 10,
    }).catch(() => null)
    // the call has shown why
    if (page === null) return
    const next = page.rows.find((row) => row.reviewId !== reviewId)
    if (next === undefined) {
      void showMessage({ intent: 'success', message: t('quality.noneLeft'), key: 'next-check' })
      return
    }
    // an inspector's day would grow to a hundred tabs
    tabsStore.set((tabs) => closeTab(tabs, tab))
    navigate(reviewPath(next.reviewId))
  }
}
