/**
 * SUBMIT by the holder under review, DECIDE by a second person in manual check. If the response was
 * lost, the same decision by the same person with the same token is answered again, not refused.
 */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, Problem } from '#shared/kernel/problem.ts'
import { isRejectCode, needsRemark } from '#shared/review/reject-reasons.ts'
import type { decideReview as decideCall } from '#shared/review/review-api.ts'
import { isIdentityChecked } from '#shared/review/review-demands.ts'
import type { DecisionFacts, ReviewEvent } from '#shared/review/review-lifecycle.ts'
import { IDENTITY_UNCHECKED, OWN_REVIEW, REASON_NEEDED } from '#shared/review/review-problems.ts'
import { type StaffActor, staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { parameterIn } from '#gateway/manage/kernel/parameters.ts'
import { closePendingHandover } from '../handovers/handover-store.ts'
import { logReview, notifyAboutReview, emitMoved } from '../review-events.ts'
import { freshRow, nextState } from '../review-refusals.ts'
import type { ReviewRow } from '../review-row.ts'
import {
  afterStep,
  CLAIMS,
  type LockedReview,
  lockReview,
  moveReview,
  requireHolder,
  requireVersion,
} from '../review-store.ts'
import { rejectReview } from './finish-review.ts'

type Decision = InputOf<typeof decideCall>

/**
 * @throws Problem G404, V-LEASE, G409, V-STATE, V-REA, V-IDENT, V-SELF, G403 (manual check without the
 * code), and refusals of the order (O-STATE)
 */
export async function decideReview(tx: CommandTx, input: Decision): Promise<ReviewRow> {
  const actor = staff(tx.actor)
  const review = await lockReview(tx, input.reviewId)
  if (isRepeated(review, actor, input)) return freshRow(tx.db, review.id)
  const facts: DecisionFacts = {
    result: input.result,
    rejectCode: input.result === 'failed' ? (input.rejectCode ?? null) : null,
    remark: input.remark ?? '',
  }
  const event =
    review.state === 'manualCheck'
      ? await secondLevel(tx, actor, review, input, facts)
      : await firstLevel(tx, review, input, facts)
  const to = await nextState(tx.db, review, event)
  const decided = await moveReview(tx, review, {
    event: event.type,
    to,
    set: await decisionColumns(tx, review, actor, input, facts),
    note: facts.rejectCode ?? facts.result,
  })
  emitMoved(tx, review.state, decided)
  const undoSeconds = Number(await parameterIn(tx.db, 'review.undoSeconds'))
  const row =
    facts.result === 'passed' || undoSeconds > 0
      ? waitForChecks(tx, decided, undoSeconds)
      : await rejectReview(tx, afterStep(review, decided))
  logReview(tx, 'decide', review, row, { result: facts.result, rejectCode: facts.rejectCode })
  if (review.state === 'manualCheck')
    notifyAboutReview(tx, review.first_reviewer_id, 'decision', 'decided', row, {
      result: facts.result,
    })
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
  tx: CommandTx,
  review: LockedReview,
  { token, version, checklist }: Decision,
  facts: DecisionFacts,
): Promise<ReviewEvent> {
  const holder = await requireHolder(tx, review, token)
  await requireVersion(tx, review, version)
  // the state is checked first: a wrong state must not be reported as a wrong reason
  if (review.state === 'underReview') requireReason(facts)
  if (review.state === 'underReview') requireIdentity(review, facts, checklist)
  return { type: 'SUBMIT', ...holder, versionCurrent: true, ...facts }
}

async function secondLevel(
  tx: CommandTx,
  actor: StaffActor,
  review: LockedReview,
  { token, version, checklist }: Decision,
  facts: DecisionFacts,
): Promise<ReviewEvent> {
  if (!actor.rights.permissions.has('review_list:check')) throw new Problem(FORBIDDEN)
  if (review.first_reviewer_id === actor.userId) throw new Problem(OWN_REVIEW)
  await requireHolder(tx, review, token)
  await requireVersion(tx, review, version)
  requireReason(facts)
  requireIdentity(review, facts, checklist)
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

/** An application under identity check is passed only with each point of the check ticked. */
function requireIdentity(
  { demands }: LockedReview,
  { result }: DecisionFacts,
  checklist: Decision['checklist'],
): void {
  if (result === 'passed' && demands.includes('identity') && !isIdentityChecked(checklist ?? {}))
    throw new Problem(IDENTITY_UNCHECKED)
}

/**
 * The decider stays recorded as reviewer, and the token stays, because nobody holds the review
 * next.
 */
async function decisionColumns(
  tx: CommandTx,
  review: LockedReview,
  actor: StaffActor,
  { checklist }: Decision,
  { result, rejectCode, remark }: DecisionFacts,
) {
  return [
    sql`
      manual_id = 'M' || substr(r.id, 2), manual_result = ${result}, reject_code = ${rejectCode},
        remark = ${remark || null}`,
    sql`
      checklist = ${checklist === undefined ? null : JSON.stringify(checklist)}::jsonb,
        decided_at = clock_timestamp()`,
    sql`
      reviewer_id = ${actor.userId}, reviewer_name = ${actor.userName},
        first_reviewer_id = coalesce(r.first_reviewer_id, ${actor.userId})`,
    CLAIMS.noLease,
    ...(await closePendingHandover(tx, review)),
  ]
}

/** The job takes it when it can no longer be undone. */
function waitForChecks(tx: CommandTx, row: ReviewRow, undoSeconds: number): ReviewRow {
  if (undoSeconds === 0) tx.afterCommit(() => tx.context.wakeSchedule('postCheck'))
  return row
}
