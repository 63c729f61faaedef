import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import {
  qualityLifecycle,
  type QualityEvent,
  type QualityState,
} from '#shared/review/quality-lifecycle.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { wrongState } from '../review-refusals.ts'
import type { LockedReview } from '../review-store.ts'

/** @throws Problem V-STATE naming the state of the quality check */
export async function nextQuality(
  cx: Cx,
  review: LockedReview,
  event: QualityEvent,
): Promise<QualityState> {
  try {
    return qualityLifecycle.next(review.quality, event)
  } catch (error) {
    if (error instanceof IllegalTransition)
      throw await wrongState(cx.db, review, event.type, error.allowed, review.quality)
    throw error
  }
}

/** There is something to check once a person has decided. @throws Problem V-STATE */
export async function requireDecided(cx: Cx, review: LockedReview, event: string): Promise<void> {
  const isDecided =
    review.state === 'audited' || review.state === 'passed' || review.state === 'failed'
  if (!isDecided || review.manual_result === null) throw await wrongState(cx.db, review, event)
}
