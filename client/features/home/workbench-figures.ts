/** How a figure is formatted, which events change it, and which rows a to-do counts. */
import { formatCount, formatDuration } from '#client/ui/value/ist-format.ts'
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
import type { workbench } from '#shared/home/home-api.ts'
import { WORKBENCH_CARDS } from '#shared/home/workbench-cards.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { formatPaiseShort } from '#shared/kernel/money.ts'
import { TOTAL_CAP } from '#shared/kernel/page.ts'
import { ORDER_CREATED, ORDER_STATUS_CHANGED } from '#shared/orders/orders-live.ts'
import { REPAYMENT_CHANGED } from '#shared/repayments/repayments-live.ts'
import {
  REVIEW_CLAIMED,
  REVIEW_QUALITY_CHANGED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
} from '#shared/review/review-live.ts'
import {
  TICKET_ASSIGNED,
  TICKET_CREATED,
  TICKET_REPLIED,
  TICKET_SLA_DUE,
  TICKET_STATE_CHANGED,
} from '#shared/tickets/tickets-live.ts'

type Card = DataOf<typeof workbench>['cards'][number]

/** The figure of the review queue has its own event (`count-work.ts`). */
export const CARD_EVENTS: readonly string[] = [
  ORDER_CREATED,
  ORDER_STATUS_CHANGED,
  REPAYMENT_CHANGED,
  REVIEW_CLAIMED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
  REVIEW_QUALITY_CHANGED,
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

export function cardFigure({ key, value }: Card): string {
  if (value === null) return '—'
  switch (WORKBENCH_CARDS[key]) {
    case 'money':
      return formatPaiseShort(value)
    case 'seconds':
      return formatDuration(value * 1_000)
    case 'rank':
      return `#${value}`
    case 'count':
      return value > TOTAL_CAP ? `${formatCount(TOTAL_CAP)}+` : formatCount(value)
  }
}

/**
 * The rows a to-do counts, as the address of their list; a leader's list holds more than their own
 * cases.
 */
export function todoQuery(menu: string, userId: string): string {
  switch (menu) {
    case 'home_page':
      return '?tab=decide'
    case 'review_list':
      return '?tab=queue'
    case 'pedding_list':
      return `?view=dueNow&collectorId=${encodeURIComponent(userId)}`
    default:
      return '?tab=mine'
  }
}
