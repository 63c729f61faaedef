/** Figures of the review, counted from its rows by plain arithmetic. */
import { sql } from 'kysely'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import type { BookOrder } from './report-book.ts'
import { add, rate, TODAY } from './report-counts.ts'

interface Review {
  id: string
  orderId: string
  reviewerId: string | null
  result: string | null
  code: string | null
  quality: string
  qualityClass: string | null
  queuedAt: string | null
  claimedAt: string | null
  openedAt: string | null
  decidedAt: string | null
  qualityAt: string | null
}
interface Step {
  reviewId: string
  event: string
  byId: string | null
  holderId: string | null
  at: string
}
export interface ReviewBook {
  reviews: Review[]
  /** In the order they were written. */
  steps: Step[]
  handovers: { fromId: string; at: string }[]
}

export async function readReviews({ kysely: db }: Database): Promise<ReviewBook> {
  const { rows: reviews } = await sql<Review>`
    select r.id, r.order_id as "orderId", r.reviewer_id as "reviewerId", r.manual_result as result,
      r.reject_code as code, r.quality, r.quality_class as "qualityClass",
      r.queued_at::text as "queuedAt", r.claimed_at::text as "claimedAt",
      r.opened_at::text as "openedAt", r.decided_at::text as "decidedAt",
      r.quality_at::text as "qualityAt"
    from review r`.execute(db)
  const { rows: steps } = await sql<Step>`
    select l.review_id as "reviewId", l.event, l.by_user_id as "byId", l.holder_id as "holderId",
      l.at::text as at
    from review_log l order by l.id`.execute(db)
  const { rows: handovers } = await sql<{ fromId: string; at: string }>`
    select h.from_user_id as "fromId", h.created_at::text as at from review_handover h`.execute(db)
  return { reviews, steps, handovers }
}

type On = (day: string | null) => boolean

const dayOf = (at: string | null) => (at === null ? null : istDay(at))
const seconds = (from: string, to: string) =>
  Math.floor((Date.parse(to) - Date.parse(from)) / 1_000)

/** @param reviewer null counts all of them */
export function countReview(
  { reviews, steps, handovers }: ReviewBook,
  orders: readonly BookOrder[],
  reviewer: string | null,
  on: On,
  isCompleteOnly: boolean,
) {
  const isOf = (id: string | null) => id !== null && (reviewer === null || id === reviewer)
  const own = reviews.filter(({ reviewerId }) => isOf(reviewerId))
  const decided = own.filter(({ decidedAt }) => on(dayOf(decidedAt)))
  const opened = decided.filter(({ openedAt }) => openedAt !== null)
  const checked = own.filter(
    ({ quality, qualityAt }) => on(dayOf(qualityAt)) && (quality === 'pass' || quality === 'fail'),
  )
  const mistakes = (kind: string) =>
    checked.filter(
      ({ quality, qualityClass }) => quality === 'fail' && (qualityClass ?? 'other') === kind,
    ).length
  const did = (...events: string[]) =>
    steps.filter(({ event, at }) => events.includes(event) && on(dayOf(at)))
  const lost = did('LEASE_EXPIRED').filter((step) =>
    isOf(
      steps.slice(0, steps.indexOf(step)).findLast(({ reviewId }) => reviewId === step.reviewId)
        ?.holderId ?? null,
    ),
  )
  const passed = new Set(
    own.filter(({ result }) => result === 'passed').map(({ orderId }) => orderId),
  )
  const firsts = orders
    .filter(({ id }) => passed.has(id))
    .flatMap(({ plans }) => plans.filter(({ serialNo, dueDay }) => serialNo === 1 && on(dueDay)))
    .filter(({ dueDay }) => !isCompleteOnly || addDays(dueDay, 7) < TODAY)
  const unpaid = firsts.filter(
    ({ status, settledOn, dueDay }) =>
      !(status === 'paid' && settledOn !== null && settledOn <= addDays(dueDay, 7)),
  )
  const time = add(opened, (one) => seconds(one.openedAt ?? '', one.decidedAt ?? ''))
  return {
    claimedReviews: did('CLAIM', 'ASSIGN').filter(({ holderId }) => isOf(holderId)).length,
    decidedReviews: decided.length,
    passedShare: rate(decided.filter(({ result }) => result === 'passed').length, decided.length),
    reviewTime:
      opened.length === 0 ? null : Math.floor((2 * time + opened.length) / (2 * opened.length)),
    expiredLeases: lost.length,
    askedHandovers: handovers.filter(({ fromId, at }) => isOf(fromId) && on(dayOf(at))).length,
    askedCustomers: did('REQUEST_DATA').filter(({ byId }) => isOf(byId)).length,
    checkedReviews: checked.length,
    qualityRate: rate(checked.filter(({ quality }) => quality === 'pass').length, checked.length),
    wrongRejections: mistakes('wrongRejection'),
    wrongPasses: mistakes('wrongPass'),
    otherMistakes: mistakes('other'),
    passedOverdueRate: rate(unpaid.length, firsts.length),
  }
}

export function countRejections({ reviews }: ReviewBook, code: string, on: On): number {
  return reviews.filter(
    (one) => one.result === 'failed' && one.code === code && on(dayOf(one.decidedAt)),
  ).length
}

/** @param hour of the day in India */
export function countHour({ reviews }: ReviewBook, hour: number, on: On) {
  const isIn = (at: string | null) =>
    at !== null &&
    on(istDay(at)) &&
    new Date(Date.parse(at) + 5.5 * 3_600_000).getUTCHours() === hour
  const waits = reviews.flatMap(({ claimedAt, queuedAt }) =>
    claimedAt !== null && queuedAt !== null && isIn(claimedAt)
      ? [Math.max(0, seconds(queuedAt, claimedAt))]
      : [],
  )
  return {
    queuedReviews: reviews.filter(({ queuedAt }) => isIn(queuedAt)).length,
    decidedReviews: reviews.filter(({ decidedAt }) => isIn(decidedAt)).length,
    longestWait: Math.max(0, ...waits),
  }
}
