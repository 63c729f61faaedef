/**
 * SUBMIT by the holder under review, DECIDE by a second person in manual check. The same decision repeated by the same person
 * with the same token - the answer was lost - is answered again instead of refused (domain.md 2.7).
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import { isRejectCode, needsRemark } from '#shared/review/reject-reasons.ts'
import type { decideReview as decideCall } from '#shared/review/review-api.ts'
import type { DecisionFacts, ReviewEvent } from '#shared/review/review-lifecycle.ts'
import { OWN_REVIEW, REASON_NEEDED } from '#shared/review/review-problems.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { logReview, notifyOf, tellMoved } from '../review-events.ts'
import { freshRow, nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import {
  afterStep,
  lockReview,
  type LockedReview,
  moveReview,
  NO_LEASE,
  requireHolder,
  requireVersion,
} from '../review-store.ts'
import { failReview } from './finish-review.ts'

type Decision = InputOf<typeof decideCall>

/** @throws Problem G404, V-LEASE, G409, V-STATE, V-REA, V-SELF, G403 (manual check without the code), and what the order refuses (O-STATE) */
export async function decideReview(cx: Cx, input: Decision): Promise<ReviewRow> {
  const actor = staff(cx.actor)
  const review = await lockReview(cx, input.reviewId)
  if (isRepeated(review, actor, input)) return freshRow(cx.db, review.id)
  const facts: DecisionFacts = {
    result: input.result,
    rejectCode: input.result === 'failed' ? (input.rejectCode ?? null) : null,
    remark: input.remark ?? '',
  }
  const event =
    review.state === 'manualCheck'
      ? await secondLevel(cx, actor, review, input, facts)
      : await firstLevel(cx, review, input, facts)
  const to = await nextState(cx.db, review, event)
  const decided = await moveReview(cx, review, {
    event: event.type,
    to,
    set: await decisionColumns(cx, review, actor, input, facts),
    note: facts.rejectCode ?? facts.result,
  })
  tellMoved(cx, review.state, decided)
  const row =
    facts.result === 'passed'
      ? waitForChecks(cx, decided)
      : await rejectAtOnce(cx, review, decided, facts)
  logReview(cx, 'decide', review, row, { result: facts.result, rejectCode: facts.rejectCode })
  if (review.state === 'manualCheck')
    notifyOf(cx, review.first_reviewer_id, 'decision', 'decided', row, { result: facts.result })
  return row
}

function isRepeated(
  review: LockedReview,
  actor: StaffActor,
  { token, result, rejectCode }: Decision,
): boolean {
  const isDecided =
    review.state === 'audited' || review.state === 'passed' || review.state === 'failed'
  return (
    isDecided &&
    review.reviewer_id === actor.userId &&
    review.token === token &&
    review.manual_result === result &&
    review.reject_code === (result === 'failed' ? (rejectCode ?? null) : null)
  )
}

async function firstLevel(
  cx: Cx,
  review: LockedReview,
  { token, version }: Decision,
  facts: DecisionFacts,
): Promise<ReviewEvent> {
  const holder = await requireHolder(cx, review, token)
  await requireVersion(cx, review, version)
  // whether the state takes it comes first: a wrong state is not the reason's fault
  if (review.state === 'underReview') requireReason(facts)
  return { type: 'SUBMIT', ...holder, versionCurrent: true, ...facts }
}

async function secondLevel(
  cx: Cx,
  actor: StaffActor,
  review: LockedReview,
  { token, version }: Decision,
  facts: DecisionFacts,
): Promise<ReviewEvent> {
  if (!actor.rights.permissions.has('review_list:check')) throw new Problem(FORBIDDEN)
  if (review.first_reviewer_id === actor.userId) throw new Problem(OWN_REVIEW)
  await requireHolder(cx, review, token)
  await requireVersion(cx, review, version)
  requireReason(facts)
  return {
    type: 'DECIDE',
    deciderId: actor.userId,
    firstReviewerId: review.first_reviewer_id ?? '',
    ...facts,
  }
}

function requireReason({ result, rejectCode, remark }: DecisionFacts): void {
  if (result === 'passed') return
  if (!isRejectCode(rejectCode) || (needsRemark(rejectCode) && remark === ''))
    throw new Problem(REASON_NEEDED)
}

/** The decider keeps the review as its reviewer, and the token stays: nobody holds it after him. */
async function decisionColumns(
  cx: Cx,
  review: LockedReview,
  actor: StaffActor,
  { checklist }: Decision,
  { result, rejectCode, remark }: DecisionFacts,
) {
  return [
    sql`manual_id = 'M' || substr(r.id, 2), manual_result = ${result}, reject_code = ${rejectCode}, remark = ${remark || null}`,
    sql`checklist = ${checklist === undefined ? null : JSON.stringify(checklist)}::jsonb, decided_at = clock_timestamp()`,
    sql`reviewer_id = ${actor.userId}, reviewer_name = ${actor.userName}, first_reviewer_id = coalesce(r.first_reviewer_id, ${actor.userId})`,
    NO_LEASE,
    ...(await closePendingHandover(cx, review)),
  ]
}

function waitForChecks(cx: Cx, row: ReviewRow): ReviewRow {
  cx.afterCommit(() => cx.house.wakeSchedule('postCheck'))
  return row
}

function rejectAtOnce(
  cx: Cx,
  review: LockedReview,
  decided: ReviewRow,
  { rejectCode }: DecisionFacts,
): Promise<ReviewRow> {
  // the lifecycle refuses a rejection without a code
  return failReview(
    cx,
    afterStep(review, decided),
    { type: 'POST_CHECK_FAIL', decision: 'failed', tele: 'notRun', preTransaction: 'notRun' },
    rejectCode ?? '',
  )
}
