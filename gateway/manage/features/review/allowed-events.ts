/**
 * The events the caller may send now: those the lifecycles allow in this state, less those their
 * codes or ownership forbid. Facts entered in a form (a reason, a code) are ignored.
 */
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { handoverLifecycle, type HandoverEventType } from '#shared/handovers/handover-lifecycle.ts'
import { qualityLifecycle, type QualityEventType } from '#shared/review/quality-lifecycle.ts'
import {
  MAX_MACHINE_RETRIES,
  reviewLifecycle,
  type ReviewEventType,
} from '#shared/review/review-lifecycle.ts'
import { teleLifecycle } from '#shared/review/tele-lifecycle.ts'
import type { ReviewRow } from './review-row.ts'

export interface AllowedFacts {
  /** The lease is running. */
  isHeld: boolean
  handoverRequester: string | null
}

type Shown = ReviewRow & { qualityById: string | null; retryCount: number }

export function allowedEvents(
  actor: StaffActor,
  review: Shown,
  { isHeld, handoverRequester }: AllowedFacts,
): string[] {
  const { userId, rights } = actor
  const may = (...codes: string[]) =>
    codes.some((code) => rights.permissions.has(`review_list:${code}`))
  const isHolder = isHeld && review.reviewerId === userId
  const isStranger = review.reviewerId !== userId && review.firstReviewerId !== userId
  const isClaimed = review.state === 'toAudit' || review.state === 'underReview'
  // includes reviews the machine decided: they stay initial and accept no event
  const isEnded = review.finishTime !== null
  const desk: Partial<Record<ReviewEventType, boolean>> = {
    CLAIM: may('claim'),
    ASSIGN: may('assign'),
    OPEN: isHolder && may('decide', 'takeOver'),
    RELEASE: isHolder,
    HEARTBEAT: isHolder,
    TAKE_OVER: may('takeOver') && review.reviewerId !== userId,
    REQUEST_DATA: isHolder && may('ask'),
    ESCALATE: isHolder && may('escalate'),
    SUBMIT: isHolder && may('decide', 'check'),
    DECIDE: may('check') && review.firstReviewerId !== userId,
    RETRY: may('retry') && review.retryCount < MAX_MACHINE_RETRIES,
    SEND_MANUAL: may('retry') && review.retryCount >= MAX_MACHINE_RETRIES,
  }
  const handover: Partial<Record<HandoverEventType, boolean>> = {
    REQUEST: isClaimed && (isHolder || may('approve')),
    APPROVE: handoverRequester !== userId && (review.handoverToId === userId || may('approve')),
    REJECT: handoverRequester !== userId && (review.handoverToId === userId || may('approve')),
    CANCEL: handoverRequester === userId,
  }
  const quality: Partial<Record<QualityEventType, boolean>> = {
    SAMPLE_OPEN: may('quality') && isStranger,
    QC_PASS: may('quality') && isStranger,
    QC_FAIL: may('quality') && isStranger,
  }
  const canAppeal =
    may('appeal') &&
    review.reviewerId === userId &&
    review.quality === 'fail' &&
    review.appealState === null
  const canDecideAppeal =
    may('appealDecide') &&
    review.appealState === 'open' &&
    review.quality === 'fail' &&
    review.qualityById !== userId &&
    review.reviewerId !== userId
  const isDecided =
    ['audited', 'passed', 'failed'].includes(review.state) && review.manualResult !== null
  return [
    ...(isEnded ? [] : reviewLifecycle.allowed(review.state).filter((event) => desk[event])),
    ...(isEnded || !isClaimed
      ? []
      : handoverLifecycle
          .allowed(review.handoverId === null ? 'new' : 'pending')
          .filter((event) => handover[event])),
    ...(isHolder && review.state === 'underReview' && may('tele')
      ? teleLifecycle.allowed(review.teleCallState)
      : []),
    ...(isDecided
      ? qualityLifecycle.allowed(review.quality).filter((event) => quality[event])
      : []),
    ...(canAppeal ? ['APPEAL'] : []),
    ...(canDecideAppeal ? ['APPEAL_UPHELD', 'APPEAL_DISMISSED'] : []),
  ]
}
