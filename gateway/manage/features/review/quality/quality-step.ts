import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import {
  qualityLifecycle,
  type QualityEvent,
  type QualityState,
} from '#shared/review/quality-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { wrongState } from '../review-refusals.ts'
import type { LockedReview } from '../review-store.ts'

/** @throws Problem V-STATE naming the state of the quality check */
export async function nextQuality(
  tx: CommandTx,
  review: LockedReview,
  event: QualityEvent,
): Promise<QualityState> {
  try {
    return qualityLifecycle.next(review.quality, event)
  } catch (error) {
    if (error instanceof IllegalTransition)
      throw await wrongState(tx.db, review, event.type, error.allowed, review.quality)
    throw error
  }
}

/** Only decisions by people are checked. @throws Problem V-STATE */
export async function requireDecided(
  tx: CommandTx,
  review: LockedReview,
  event: string,
): Promise<void> {
  const isDecided =
    review.state === 'audited' || review.state === 'passed' || review.state === 'failed'
  if (!isDecided || review.manual_result === null) throw await wrongState(tx.db, review, event)
}
