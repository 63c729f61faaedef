/**
 * The decision form: kept as a draft, validated, sent once. Without a response the same decision
 * may be sent again.
 */
import { useText } from '#client/base/use-text.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '#client/session/call.ts'
import { isRefusal, messageOf } from '#client/session/call-error.ts'
import { uuid } from '#client/session/ids.ts'
import { showMessage } from '#client/session/messages.ts'
import { decideReview, undoDecision } from '#shared/review/review-api.ts'
import { needsRemark, type RejectCode, type Verdict } from '#shared/review/reject-reasons.ts'
import type { ReviewRow } from '../review-types.ts'
import { type Draft, dropDraft, keepDraft, NO_DRAFT, readDraft, sweepDrafts } from './draft.ts'
import { hasOpenFailed } from './review-desk-machine.ts'
import { type Desk, nameOf } from './use-desk.ts'
import { expectArrival } from './go-to-review.ts'
import { reviewPath } from '#shared/review/review-path.ts'

export interface Decision {
  draft: Draft
  change: (change: Partial<Draft>) => void
  choose: (choice: Verdict) => void
  chooseReason: (code: RejectCode) => void
  /** Why it was not sent or was refused; null = no error. */
  fault: string | null
  /** The form field the error belongs to. */
  faultAt: 'choice' | 'reason' | 'remark' | 'server' | null
  isRestored: boolean
  /** It was committed while the review opened, and is sent when that is done. */
  isWaiting: boolean
  commit: () => Promise<void>
}

export function useDecision(
  reviewId: string,
  userId: string,
  desk: Desk,
  onDecided: (row: ReviewRow) => void,
): Decision {
  const t = useText('review')
  const [, navigate] = useLocation()
  const [restored] = useState(() => readDraft(localStorage, userId, reviewId, Date.now()))
  const [draft, setDraft] = useState<Draft>(restored ?? NO_DRAFT)
  const [isRestored, setRestored] = useState(restored !== null)
  const [fault, setFault] = useState<{ at: NonNullable<Decision['faultAt']>; text: string } | null>(
    null,
  )
  const unanswered = useRef<{ text: string; key: string } | null>(null)
  const isDone = useRef(false)
  const [isWaiting, setWaiting] = useState(false)
  const isOpening = desk.place === 'opening' && !hasOpenFailed(desk.known)

  useEffect(() => sweepDrafts(localStorage, Date.now()), [])
  useEffect(() => {
    if (!isDone.current) keepDraft(localStorage, userId, reviewId, draft, Date.now())
  }, [draft, userId, reviewId])

  const change = (part: Partial<Draft>) => {
    setFault(null)
    setRestored(false)
    setWaiting(false)
    setDraft((now) => ({ ...now, ...part }))
  }

  async function commit(): Promise<void> {
    if ((desk.place !== 'deciding' && !isOpening) || desk.offline !== null) return
    const missing = missingOf(draft)
    if (missing) return setFault({ at: missing, text: t(`decide.missing.${missing}`) })
    if (isOpening) return setWaiting(true)
    const { choice, rejectCode, remark, checklist } = draft
    const input = {
      reviewId,
      version: desk.known.version,
      token: desk.known.token,
      result: choice as Verdict,
      ...(choice === 'failed' && rejectCode ? { rejectCode } : {}),
      ...(remark.trim() ? { remark: remark.trim() } : {}),
      ...(Object.keys(checklist).length ? { checklist: { ...checklist } } : {}),
    }
    const text = JSON.stringify(input)
    const key = unanswered.current?.text === text ? unanswered.current.key : uuid()
    unanswered.current = { text, key }
    setFault(null)
    desk.send({ type: 'SUBMIT', key })
    try {
      const row = await call(decideReview, input, { quiet: true, idempotencyKey: key })
      isDone.current = true
      dropDraft(localStorage, userId, reviewId)
      desk.send({ type: 'SUBMITTED', key })
      desk.take(row)
      showDecided(row, draft)
      onDecided(row)
    } catch (error) {
      const isRefused = isRefusal(error)
      desk.send({ type: isRefused ? 'REFUSED' : 'UNANSWERED', key })
      if (isRefused) unanswered.current = null
      if (isRefused && error.problem?.id === 'V-LEASE')
        desk.send({ type: 'RENEW_REFUSED', token: input.token, holderName: nameOf(error) })
      desk.takeRefusal(error)
      setFault({ at: 'server', text: isRefused ? messageOf(error) : t('decide.unanswered') })
    }
  }

  /** The decision by its review and reason, with the way back while nothing has followed from it. */
  function showDecided(row: ReviewRow, sent: Draft): void {
    const isPassed = row.manualResult === 'passed'
    void showMessage({
      intent: 'success',
      key: `decided:${reviewId}`,
      message: t(isPassed ? 'done.passed' : 'done.rejected', {
        reviewId,
        code: row.rejectCode ?? '',
      }),
      ...(row.state === 'audited' && row.firstReviewerId === userId
        ? { undo: () => void undo(row, sent) }
        : {}),
    })
  }

  async function undo({ version, token }: ReviewRow, sent: Draft): Promise<void> {
    // the event may come before the answer
    expectArrival(reviewId)
    try {
      const row = await call(undoDecision, { reviewId, version, token }, { idempotencyKey: uuid() })
      keepDraft(localStorage, userId, reviewId, sent, Date.now())
      isDone.current = false
      desk.take(row)
      navigate(reviewPath(reviewId))
    } catch {
      // the call has shown why: it took effect, or somebody checks it
    }
  }

  const sendWaiting = useEffectEvent(() => {
    setWaiting(false)
    void commit()
  })
  useEffect(() => {
    if (isWaiting && !isOpening && desk.offline === null) sendWaiting()
  }, [isWaiting, isOpening, desk.offline])

  return {
    draft,
    change,
    fault: fault?.text ?? null,
    faultAt: fault?.at ?? null,
    isRestored,
    isWaiting,
    commit,
    choose: (choice) => change({ choice, ...(choice === 'passed' ? { rejectCode: null } : {}) }),
    chooseReason: (rejectCode) => change({ choice: 'failed', rejectCode }),
  }
}

function missingOf({ choice, rejectCode, remark }: Draft): 'choice' | 'reason' | 'remark' | null {
  if (choice === null) return 'choice'
  if (choice === 'passed') return null
  if (rejectCode === null) return 'reason'
  return needsRemark(rejectCode) && remark.trim() === '' ? 'remark' : null
}
