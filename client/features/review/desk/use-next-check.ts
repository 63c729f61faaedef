/** Opens the oldest decision that nobody has checked, so that an inspector goes from one to the next. */
import { useText } from '#client/base/use-text.ts'
import { call } from '#client/session/call.ts'
import { showMessage } from '#client/session/messages.ts'
import { listReviews } from '#shared/review/review-api.ts'
import { useGoToReview } from './go-to-review.ts'

export function useNextCheck(reviewId: string): () => Promise<void> {
  const t = useText('review')
  const { goClosing } = useGoToReview()
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
    if (next === undefined)
      void showMessage({ intent: 'success', message: t('quality.noneLeft'), key: 'next-check' })
    else goClosing(next.reviewId)
  }
}
