/** A lived review as rows of the desk. */
import { istDay } from '#shared/kernel/time.ts'
import type { Life } from './life.ts'
import type { Person } from './people.ts'
import type { ReviewLife } from './review-life-types.ts'
import type { Batch } from './tables.ts'

export interface ReviewIds {
  reviewId: string
  orderId: string
  customerId: string
  handoverId: () => string
}

export function addReview(
  batch: Batch,
  { reviewId, orderId, customerId, handoverId }: ReviewIds,
  life: Life,
  review: ReviewLife,
  person: Person,
  hasBoundCard: boolean,
): void {
  const { quality, appeal, data, tele, reviewer } = review
  const lastAt = review.steps.at(-1)?.at ?? life.createdAt
  batch.add('review', {
    id: reviewId,
    order_id: orderId,
    customer_id: customerId,
    customer_name: person.name,
    amount: life.amount,
    customer_class: life.tags.includes('reLoan') ? 'old' : 'new',
    state: review.state,
    machine_id: review.machineAt === null ? null : `MR${reviewId.slice(1)}`,
    machine_state: review.machineState,
    machine_at: review.machineAt,
    machine_interval_sec:
      review.machineAt === null ? null : Math.round((review.machineAt - life.createdAt) / 1_000),
    need_manual: review.queuedAt !== null,
    machine_report: review.report,
    manual_id: review.decidedAt === null ? null : `MN${reviewId.slice(1)}`,
    manual_result: review.result,
    reviewer_id: reviewer?.id ?? null,
    reviewer_name: reviewer?.name ?? null,
    first_reviewer_id: review.firstReviewer?.id ?? null,
    token: review.token,
    idle_until: review.idleUntil,
    live_until: review.liveUntil,
    retry_count: review.retryCount,
    reject_code: review.rejectCode,
    remark: review.remark,
    checklist: review.checklist,
    pre_reject_code: review.preRejectCode,
    bind_state: hasBoundCard ? 'bound' : 'notBound',
    name_similarity: person.bank.nameSimilarity,
    tele_call_state: tele.state,
    tele_answers: tele.answers,
    tele_attempts: tele.attempts,
    tele_day: tele.attempts === 0 ? null : istDay(review.decidedAt ?? lastAt),
    data_items: data?.items ?? null,
    data_message: data?.message ?? null,
    data_until: data?.until ?? null,
    quality: quality?.state ?? 'notChecked',
    quality_code: quality?.code ?? null,
    quality_class: quality?.class ?? null,
    quality_remark: quality?.remark ?? null,
    quality_by: quality?.by.id ?? null,
    quality_by_name: quality?.by.name ?? null,
    quality_at: quality?.at ?? null,
    appeal_state: appeal?.state ?? null,
    appeal_reason: appeal?.reason ?? null,
    appeal_by: appeal ? (reviewer?.id ?? null) : null,
    appeal_at: appeal?.at ?? null,
    appeal_decide_reason: appeal?.decideReason ?? null,
    handover_state: review.handover ? 'pending' : null,
    priority: review.priority,
    queued_at: review.queuedAt,
    claimed_at: review.claimedAt,
    opened_at: review.openedAt,
    decided_at: review.decidedAt,
    finished_at: review.finishedAt,
    created_at: life.createdAt,
    updated_at: lastAt,
    version: review.steps.length,
  })
  for (const step of review.steps) {
    batch.add('review_log', {
      review_id: reviewId,
      event: step.event,
      from_state: step.from,
      to_state: step.to,
      token: step.token,
      by_user_id: step.by.id,
      by_name: step.by.name,
      holder_id: step.holder?.id ?? null,
      note: step.note,
      at: step.at,
    })
  }
  if (!review.handover || !reviewer) return
  const { to, reason, at, expiresAt } = review.handover
  batch.add('review_handover', {
    id: handoverId(),
    review_id: reviewId,
    from_user_id: reviewer.id,
    from_name: reviewer.name,
    to_user_id: to.id,
    to_name: to.name,
    requested_by: reviewer.id,
    reason,
    item_token: review.token,
    expires_at: expiresAt,
    created_at: at,
  })
}
