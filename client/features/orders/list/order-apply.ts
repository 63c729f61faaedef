/**
 * Applies live events to the rows of the order list. The result equals a refetch: rows are patched,
 * leave and arrive, and versions decide. What an event does not carry is returned as `read` or
 * `ask`, so that the screen fetches only that. Pure.
 */
import type { LiveChange } from '#client/ui/grid/live-rows.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import type { DataOfEvent, LiveEvent, LiveEventKind } from '#shared/kernel/live.ts'
import { closeTypeOf } from '#shared/orders/close-types.ts'
import { isOrderStatus } from '#shared/orders/order-statuses.ts'
import { ORDER_CREATED, ORDER_STATUS_CHANGED, ORDER_UPDATED } from '#shared/orders/orders-live.ts'
import {
  REVIEW_CLAIMED,
  REVIEW_HANDOVER_CHANGED,
  REVIEW_QUEUED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
} from '#shared/review/review-live.ts'
import type { OrderRow } from '../order-types.ts'
import { fitsOrder, type Known } from './order-fits.ts'
import type { OrderFilters } from './order-filters.ts'

/** Review events matter only to users who see orders through reviews. */
const REVIEW_KINDS = [
  REVIEW_QUEUED,
  REVIEW_CLAIMED,
  REVIEW_RELEASED,
  REVIEW_STATE_CHANGED,
  REVIEW_HANDOVER_CHANGED,
]
export const ORDER_LIST_EVENTS: readonly string[] = [
  ORDER_CREATED,
  ORDER_UPDATED,
  ORDER_STATUS_CHANGED,
  APPROVAL_CHANGED,
  ...REVIEW_KINDS,
].map((kind) => kind.type)

export interface OrderList {
  /** Rows on the page, by id. */
  rows: ReadonlyMap<string, OrderRow>
  filters: OrderFilters
  /** Scope `all`; other users see an order as long as they see its review. */
  seesAll: boolean
}

export interface AppliedToList {
  rows: ReadonlyMap<string, OrderRow>
  changes: LiveChange[]
  /**
   * Rows to refetch because the event does not carry all that changed, with the reason to show if
   * the row is no longer found.
   */
  read: ReadonlyMap<string, string>
  /** New rows may exist whose position only the server knows. */
  needsRefetch: boolean
}

/** Why a row leaves, in the user's language. */
export type LeaveWords = (
  key: 'status' | 'claimed' | 'moved',
  params: { status?: number; name?: string },
) => string

export function applyOrderEvents(
  list: OrderList,
  events: readonly LiveEvent[],
  words: LeaveWords,
): AppliedToList {
  const rows = new Map(list.rows)
  const changes: LiveChange[] = []
  const read = new Map<string, string>()
  let needsRefetch = false
  for (const event of events) {
    const is = <Kind extends LiveEventKind>(kind: Kind) =>
      event.type === kind.type ? (event.data as DataOfEvent<Kind>) : null
    const created = is(ORDER_CREATED)
    const moved = is(ORDER_STATUS_CHANGED)
    const updated = is(ORDER_UPDATED)
    const approval = is(APPROVAL_CHANGED)
    if (created) {
      if (rows.has(created.orderId)) continue
      const fits = fitsOrder(freshOrder(created, event.time), list.filters)
      if (fits) changes.push({ kind: 'new', id: created.orderId })
      needsRefetch ||= fits === null
    } else if (moved) {
      const row = rows.get(moved.orderId)
      const fields = movedFields(moved)
      const version = event.version ?? 0
      if (!row) {
        const came = arrival(moved, fields, list.filters)
        if (came) changes.push({ kind: 'new', id: moved.orderId })
        // The row arrived and moved on within the same batch.
        if (fitsOrder({ orderId: moved.orderId, ...fields }, list.filters) === false)
          withdraw(changes, moved.orderId)
        needsRefetch ||= came === null
        continue
      }
      if (version <= row.version) continue
      const next: OrderRow = { ...row, ...fields, version }
      rows.set(row.orderId, next)
      changes.push({ kind: 'patch', id: row.orderId, version, changes: { ...fields, version } })
      const stands = onPage(next, list.filters)
      if (!stands && onPage(row, list.filters))
        changes.push({
          kind: 'leave',
          id: row.orderId,
          version,
          reason: words('status', { status: moved.to }),
        })
      // A row marked as leaving that is back keeps its mark until the page is refetched.
      if (stands && !onPage(row, list.filters)) needsRefetch = true
      // an application that ends gives its coupon back
      if (stands && (lacks(moved) || row.couponNames.length > 0))
        read.set(row.orderId, words('moved', {}))
    } else if (updated) {
      const row = rows.get(updated.orderId)
      if (row && updated.fields.some((field) => Object.hasOwn(row, field)))
        read.set(row.orderId, words('moved', {}))
    } else if (approval) {
      // an order that waits for a second approver was not changed
      if (rows.has(approval.targetId)) read.set(approval.targetId, words('moved', {}))
    } else if (!list.seesAll) {
      const shown = [...rows.values()].find(
        (row) => row.reviewId === event.data.reviewId || row.orderId === event.data.orderId,
      )
      const claimed = is(REVIEW_CLAIMED)
      // One claim produces several events; the one that names the claimant supplies the reason.
      if (shown && (claimed || !read.has(shown.orderId)))
        read.set(
          shown.orderId,
          claimed ? words('claimed', { name: claimed.reviewerName }) : words('moved', {}),
        )
      needsRefetch ||= !shown
    }
  }
  return { rows, changes, read, needsRefetch }
}

function withdraw(changes: LiveChange[], id: string): void {
  const at = changes.findIndex((change) => change.kind === 'new' && change.id === id)
  if (at >= 0) changes.splice(at, 1)
}

/**
 * Whether a row of the page still matches the filters. Fields that only the server can compare do
 * not change by events.
 */
export function onPage(row: OrderRow, filters: OrderFilters): boolean {
  return fitsOrder(row, filters) !== false
}

function freshOrder(
  { orderId, userId, status, tags, amount }: DataOfEvent<typeof ORDER_CREATED>,
  createTime: string,
): Known {
  return {
    orderId,
    userId,
    status,
    tags,
    amount,
    createTime,
    closeType: 'notClosed',
    closeTime: null,
    dueTime: null,
    overdueDays: 0,
  }
}

type Moved = DataOfEvent<typeof ORDER_STATUS_CHANGED>

function movedFields({
  to,
  tags,
  outstanding,
  closeType,
  closeTime,
  dueTime,
  disburseTime,
  failReason,
}: Moved): Pick<
  OrderRow,
  | 'status'
  | 'tags'
  | 'outstanding'
  | 'closeType'
  | 'closeTime'
  | 'dueTime'
  | 'disburseTime'
  | 'failReason'
> {
  return { status: to, tags, outstanding, closeType, closeTime, dueTime, disburseTime, failReason }
}

/**
 * Whether an order that is not on the page entered the list with this change. If it matched before,
 * it was already on another page.
 */
function arrival(moved: Moved, fields: Known, filters: OrderFilters): boolean | null {
  const { orderId, userId, tags, from } = moved
  const before: Known = {
    orderId,
    userId,
    tags,
    status: from,
    dueTime: moved.disburseTime === null || isFirstDay(moved) ? null : moved.dueTime,
    ...(isOrderStatus(from) ? { closeType: closeTypeOf(from) } : {}),
    // Before "awaiting repayment" nothing can be overdue.
    ...(from < 40 ? { overdueDays: 0 } : {}),
  }
  if (fitsOrder(before, filters) !== false) return false
  return fitsOrder({ orderId, userId, ...fields }, filters)
}

/** The loan starts: it had no due day before. */
function isFirstDay({ from, to }: Moved): boolean {
  return from === 29 && to === 30
}

/**
 * Whether the status change altered fields that the event does not carry: review, cooling-off,
 * overdue days and overdue class.
 */
function lacks(moved: Moved): boolean {
  const counted = [43, 50, 90]
  return (
    moved.to === 22 ||
    isFirstDay(moved) ||
    counted.includes(moved.from) ||
    counted.includes(moved.to)
  )
}
