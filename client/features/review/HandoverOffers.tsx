/**
 * A hand-over offered to this person, on whatever page they are: taken, or left for the list and
 * the notification centre.
 */
import { useText } from '#client/base/use-text.ts'
import { useLocation } from 'wouter'
import { useLive } from '#client/live/use-live.ts'
import { call } from '#client/session/call.ts'
import { problemText } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSession } from '#client/session/session-store.ts'
import type { DataOfEvent } from '#shared/kernel/live.ts'
import { decideHandover } from '#shared/review/review-handover-api.ts'
import { REVIEW_HANDOVER_CHANGED } from '#shared/review/review-live.ts'
import { reviewPath } from '#shared/review/review-path.ts'

type Offer = DataOfEvent<typeof REVIEW_HANDOVER_CHANGED>

const EVENTS = [REVIEW_HANDOVER_CHANGED.type]

export function HandoverOffers(): null {
  const t = useText('review')
  const { user } = useSession()
  const [, navigate] = useLocation()

  async function take({ handoverId, reviewId }: Offer): Promise<void> {
    try {
      const { failed } = await call(decideHandover, {
        handoverIds: [handoverId],
        result: 'approved',
      })
      const [refusal] = failed
      if (refusal === undefined) return navigate(reviewPath(reviewId))
      const { problem, params = {}, msg } = refusal
      void showMessage({
        intent: 'warning',
        message: problemText(problem ? { id: problem, params } : null) ?? msg,
      })
    } catch {
      // the call has shown why
    }
  }

  useLive(EVENTS, (events) => {
    for (const { data, actor } of events) {
      const offer = data as Offer
      if (offer.toUserId !== user.userId || offer.state !== 'pending') continue
      void showMessage({
        intent: 'warning',
        key: `handover:${offer.handoverId}`,
        message: t('handover.offered', {
          name: actor?.userName ?? '',
          reviewId: offer.reviewId,
        }),
        action: { text: t('handover.take'), onClick: () => void take(offer) },
        dismissText: t('handover.notNow'),
      })
    }
  })
  return null
}
