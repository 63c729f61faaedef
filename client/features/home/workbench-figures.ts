/** How a figure is formatted, and which events change it. */
import type { Text } from '#client/base/use-text.ts'
import { durationText } from '#client/ui/value/duration-text.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import {
  CASE_ALLOCATED,
  CASE_ENDED,
  CASE_FOLLOWED,
  CASE_PTP_CHANGED,
  CASE_RECALLED,
  CASE_STOP_CHANGED,
  CASES_ALLOCATED,
  CASES_RECALLED,
} from '#shared/collection/collection-live.ts'
import type { workDay } from '#shared/home/day-api.ts'
import type { workbench } from '#shared/home/home-api.ts'
import { WORKBENCH_CARDS } from '#shared/home/workbench-cards.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { formatPaiseShort } from '#shared/kernel/money.ts'
import { TOTAL_CAP } from '#shared/kernel/page.ts'
import { ORDER_CREATED, ORDER_STATUS_CHANGED } from '#shared/orders/orders-live.ts'
import {
  PROOF_CHANGED,
  REDUCTION_CHANGED,
  REPAYMENT_CHANGED,
} from '#shared/repayments/repayments-live.ts'
import {
  REVIEW_CLAIMED,
  REVIEW_HANDOVER_CHANGED,
  REVIEW_QUALITY_CHANGED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
} from '#shared/review/review-live.ts'
import { TELE_FOLLOWED, TELE_TASK_ASSIGNED } from '#shared/telemarketing/tele-live.ts'
import {
  TICKET_ASSIGNED,
  TICKET_CREATED,
  TICKET_REPLIED,
  TICKET_SLA_DUE,
  TICKET_STATE_CHANGED,
} from '#shared/tickets/tickets-live.ts'

type Day = DataOf<typeof workDay>
type Card = DataOf<typeof workbench>['cards'][number]

/** The count of the review queue has its own event (`count-work.ts`, `withQueue`). */
export const CARD_EVENTS: readonly string[] = [
  ORDER_CREATED,
  ORDER_STATUS_CHANGED,
  REPAYMENT_CHANGED,
  REVIEW_CLAIMED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
  REVIEW_QUALITY_CHANGED,
  REVIEW_HANDOVER_CHANGED,
  TELE_TASK_ASSIGNED,
  TELE_FOLLOWED,
  REDUCTION_CHANGED,
  PROOF_CHANGED,
  TICKET_CREATED,
  TICKET_ASSIGNED,
  TICKET_REPLIED,
  TICKET_STATE_CHANGED,
  TICKET_SLA_DUE,
  CASE_ALLOCATED,
  CASES_ALLOCATED,
  CASE_RECALLED,
  CASES_RECALLED,
  CASE_FOLLOWED,
  CASE_PTP_CHANGED,
  CASE_ENDED,
  CASE_STOP_CHANGED,
  APPROVAL_CHANGED,
].map(({ type }) => type)

/** The day after the queue of reviews changed, without a call; null where one must be made. */
export function withQueue(day: Day, waiting: number): Day | null {
  const hasStep = day.next.some(({ key }) => key === 'review')
  if (!hasStep || waiting === 0) return hasStep === waiting > 0 ? day : null
  return {
    ...day,
    next: day.next.map((step) => (step.key === 'review' ? { ...step, count: waiting } : step)),
  }
}

export function cardFigure({ key, value }: Card, t: Text): string {
  if (value === null) return '—'
  switch (WORKBENCH_CARDS[key]) {
    case 'money':
      return formatPaiseShort(value)
    case 'seconds':
      return durationText(value * 1_000, t)
    case 'rank':
      return `#${value}`
    case 'count':
      return value > TOTAL_CAP ? `${formatCount(TOTAL_CAP)}+` : formatCount(value)
  }
}
