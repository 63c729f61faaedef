/**
 * Applies live events to the open order and its timeline. What an event does not carry arrives with
 * the refetch that follows each event. Pure.
 */
import type { DataOfEvent, LiveEvent, LiveEventKind } from '#shared/kernel/live.ts'
import { allowedOrderEvents } from '#shared/orders/order-lifecycle.ts'
import { isOrderStatus } from '#shared/orders/order-statuses.ts'
import {
  ORDER_STATUS_CHANGED,
  ORDER_UPDATED,
  PAYOUT_CHANGED,
  PLAN_CHANGED,
} from '#shared/orders/orders-live.ts'
import {
  CASE_ALLOCATED,
  CASE_CREATED,
  CASES_ALLOCATED,
  CASES_RECALLED,
} from '#shared/collection/collection-live.ts'
import { REVIEW_STATE_CHANGED } from '#shared/review/review-live.ts'
import type { OrderDetail, OrderRow, OrderTimeline } from '../order-types.ts'

/**
 * Review events go to the order's room; case events go to the rooms of users who may see the case.
 */
export const ORDER_DETAIL_EVENTS: readonly string[] = [
  ORDER_STATUS_CHANGED,
  ORDER_UPDATED,
  PAYOUT_CHANGED,
  PLAN_CHANGED,
  REVIEW_STATE_CHANGED,
  CASE_CREATED,
  CASE_ALLOCATED,
  CASES_ALLOCATED,
  CASES_RECALLED,
].map((kind) => kind.type)

function read<Kind extends LiveEventKind>(event: LiveEvent, kind: Kind): DataOfEvent<Kind> | null {
  return event.type === kind.type ? (event.data as DataOfEvent<Kind>) : null
}

/** @param caseId the order's newest case; a bulk event lists only case ids */
export function concernsOrder(
  { data }: LiveEvent,
  orderId: string,
  caseId: string | null,
): boolean {
  return (
    data.orderId === orderId ||
    (caseId !== null && Array.isArray(data.caseIds) && data.caseIds.includes(caseId))
  )
}

export function applyToDetail(detail: OrderDetail, event: LiveEvent): OrderDetail {
  const version = event.version ?? 0
  const moved = read(event, ORDER_STATUS_CHANGED)
  if (moved) {
    if (version <= detail.order.version) return detail
    const { to, tags, outstanding, closeType, closeTime, dueTime, disburseTime, failReason } = moved
    return withOrder(detail, {
      ...detail.order,
      status: to,
      tags,
      outstanding,
      closeType,
      closeTime,
      dueTime,
      disburseTime,
      failReason,
      version,
    })
  }
  const payout = read(event, PAYOUT_CHANGED)
  if (payout) {
    const { payState, attemptNo, failReason, handlingMethod } = payout
    return {
      ...detail,
      transfers: detail.transfers.map((row) =>
        row.transferId === payout.transferId && version > row.version
          ? { ...row, payState, attemptNo, failReason, handlingMethod, version }
          : row,
      ),
    }
  }
  const plan = read(event, PLAN_CHANGED)
  if (plan) {
    const { paymentStatus, outstanding, overdueDays } = plan
    return {
      ...detail,
      plans: detail.plans.map((row) =>
        row.planId === plan.planId && version > row.version
          ? { ...row, paymentStatus, outstanding, overdueDays, version }
          : row,
      ),
    }
  }
  return detail
}

/** Applies a fresher row and drops the actions its status does not allow. */
export function withOrder(detail: OrderDetail, order: OrderRow): OrderDetail {
  if (order.version < detail.order.version) return detail
  const { status } = order
  const takes = isOrderStatus(status) ? allowedOrderEvents(status) : []
  return {
    ...detail,
    order,
    allowed: detail.allowed.filter((event) => takes.some((type) => type === event)),
  }
}

export function applyToTimeline(timeline: OrderTimeline, event: LiveEvent): OrderTimeline {
  const moved = read(event, ORDER_STATUS_CHANGED)
  if (!moved) return timeline
  const { from, to, cause } = moved
  // A timeline that was read after the change contains the line already.
  const isKnown = timeline.some(
    (entry) =>
      entry.from === from &&
      entry.to === to &&
      Math.abs(Date.parse(entry.time) - Date.parse(event.time)) < SAME_MS,
  )
  return isKnown
    ? timeline
    : [
        ...timeline,
        { time: event.time, from, to, by: event.actor?.userName ?? null, cause, note: null },
      ]
}

/** The event and its log line are written in one transaction, moments apart. */
const SAME_MS = 10_000
