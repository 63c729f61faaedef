/** Refusals of review commands, with the current row and its holder for the screen. */
import { sql } from 'kysely'
import { CHANGED_BY_OTHER, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import {
  reviewLifecycle,
  type ReviewEvent,
  type ReviewState,
} from '#shared/review/review-lifecycle.ts'
import { CLAIM_EXPIRED, REVIEW_STATE } from '#shared/review/review-problems.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { PENDING_HANDOVER, REVIEW_JSON, type ReviewRow } from './review-row.ts'

/** The row's fields a refusal needs. */
export interface RefusedReview {
  id: string
  state: ReviewState
  reviewer_name: string | null
  /** Claimed, and the lease is still running. */
  is_held: boolean
  finished_at: string | null
}

/** @throws Problem G404 for an unknown review */
export async function freshRow(db: Db, reviewId: string): Promise<ReviewRow> {
  const { rows } = await sql<{
    row: ReviewRow
  }>`select ${REVIEW_JSON} as row from review r ${PENDING_HANDOVER} where r.id = ${reviewId}`.execute(
    db,
  )
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  return found.row
}

/**
 * V-LEASE: the caller does not hold the claim, or has an older token; `userName` is the current
 * holder, absent when there is none.
 */
export async function claimLost(db: Db, review: RefusedReview): Promise<Problem> {
  const params =
    review.is_held && review.reviewer_name !== null ? { userName: review.reviewer_name } : undefined
  return new Problem(CLAIM_EXPIRED, params, await freshRow(db, review.id))
}

/** V-STATE: the state does not allow the event. */
export async function wrongState(
  db: Db,
  review: RefusedReview,
  event: string,
  allowed: readonly string[] = reviewLifecycle.allowed(review.state),
  shown: string = review.state,
): Promise<Problem> {
  return new Problem(
    REVIEW_STATE,
    { state: shown },
    { ...(await freshRow(db, review.id)), event, allowed },
  )
}

/** G409: somebody changed the row since the caller read it. */
export async function changedByOther(db: Db, reviewId: string): Promise<Problem> {
  const { rows } = await sql<{
    by_name: string | null
  }>`select l.by_name from review_log l where l.review_id = ${reviewId} order by l.at desc, l.id desc limit 1`.execute(
    db,
  )
  return new Problem(
    CHANGED_BY_OTHER,
    { userName: rows[0]?.by_name ?? '' },
    await freshRow(db, reviewId),
  )
}

/**
 * Checks the lifecycle. The review of a cancelled order accepts no event, whatever its state.
 * @throws Problem V-STATE
 */
export async function nextState(
  db: Db,
  review: RefusedReview,
  event: ReviewEvent,
): Promise<ReviewState> {
  if (review.finished_at !== null) throw await wrongState(db, review, event.type, [])
  try {
    return reviewLifecycle.next(review.state, event)
  } catch (error) {
    if (error instanceof IllegalTransition) throw await wrongState(db, review, event.type)
    throw error
  }
}
