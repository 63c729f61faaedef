/**
 * The screens that apply live events, each as a list that was read, the result of applying events,
 * and a new read.
 */
import { expect } from 'vitest'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { listOrders } from '#shared/orders/orders-api.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { listReviews, REVIEW_TABS } from '#shared/review/review-api.ts'
import { currentRole, userInfo } from '#shared/session/session-api.ts'
import { applyToDetail, ORDER_DETAIL_EVENTS } from '#client/features/orders/detail/detail-apply.ts'
import {
  applyOrderEvents,
  onPage,
  ORDER_LIST_EVENTS,
} from '#client/features/orders/list/order-apply.ts'
import type { OrderFilters } from '#client/features/orders/list/order-filters.ts'
import {
  applyReviewEvents,
  emptyReviewList,
  takeReviewPage,
} from '#client/features/review/list/review-apply.ts'
import { REVIEW_EVENTS } from '#client/features/review/review-events.ts'
import type { ReviewRow } from '#client/features/review/review-types.ts'
import { seesOf } from '#client/features/review/review-words.ts'
import type { Person } from '#tests/support/manage.ts'

export interface Shown {
  /** The effect of the events: types that changed something without a read by the screen. */
  applied: Set<string>
}

export interface Screen {
  name: string
  events: readonly string[]
  /**
   * Reads it now; the returned function applies the events received since and compares with a new
   * read.
   */
  read(): Promise<(events: readonly LiveEvent[]) => Promise<Shown>>
}

const BIG = { pageSize: 200 }

export async function reviewScreens(person: Person, who: string): Promise<Screen[]> {
  const { user } = await person.call(userInfo, {})
  const { permissions } = await person.call(currentRole, {})
  const codes = permissions.filter((code) => code.startsWith('review_list:'))
  const viewer = { userId: user.userId, codes, sees: seesOf(user.scope.kind, codes) }
  return REVIEW_TABS.map((tab) => ({
    name: `reviews of ${who}, tab ${tab}`,
    events: REVIEW_EVENTS,
    async read() {
      const stale = takeReviewPage(
        emptyReviewList(tab, viewer),
        await person.call(listReviews, { tab, ...BIG }),
      )
      return async (events) => {
        const { list, changes, incomplete, recount } = applyReviewEvents(
          stale,
          events,
          (key) => key,
        )
        const fresh = await person.call(listReviews, { tab, ...BIG })
        const arrivals = new Set(
          changes.flatMap((change) => (change.kind === 'new' ? [change.id] : [])),
        )
        for (const row of fresh.rows) {
          expect(
            list.page.has(row.reviewId) ||
              arrivals.has(row.reviewId) ||
              incomplete.has(row.reviewId) ||
              recount,
            `${row.reviewId} is in the tab and was not announced`,
          ).toBe(true)
          // A row that must be read is read; the others must be right already.
          if (list.page.has(row.reviewId) && !incomplete.has(row.reviewId))
            expect(withoutLease(list.known.get(row.reviewId)?.row ?? {}, viewer.userId)).toEqual(
              withoutLease(row, viewer.userId),
            )
        }
        const now = new Set(fresh.rows.map((row) => row.reviewId))
        for (const id of list.page)
          expect(now.has(id) || incomplete.has(id), `${id} should have left`).toBe(true)
        for (const id of arrivals)
          expect(now.has(id), `${id} was announced and is not there`).toBe(true)
        if (!recount)
          expect(
            list.counts,
            `counts [were, are, shown]: ${JSON.stringify([stale.counts, fresh.counts, list.counts])}`,
          ).toEqual(fresh.counts)
        // Changes after the figures were sent are sent with the next ones.
        const figures = events.at(-1)?.type === 'review.queue.stats' ? events.at(-1) : undefined
        if (figures)
          expect(list.stats).toMatchObject({
            waiting: fresh.stats.waiting,
            oldestTime: fresh.stats.oldestTime,
            held: fresh.stats.held,
            reviewersOnline: fresh.stats.reviewersOnline,
          })
        return {
          applied: new Set(
            events
              .filter(
                (event) =>
                  changes.some(
                    (change) => 'reviewId' in event.data && change.id === event.data.reviewId,
                  ) ||
                  event === figures ||
                  event.type === 'order.created' ||
                  list.counts !== stale.counts,
              )
              .map((event) => event.type),
          ),
        }
      }
    },
  }))
}

/**
 * Renewals send no event: a screen reads the leases of others every half minute
 * (use-review-list.ts).
 */
function withoutLease(row: Partial<ReviewRow>, userId: string): Partial<ReviewRow> {
  return { ...row, version: 0, ...(row.reviewerId === userId ? {} : { leaseUntil: null }) }
}

export function orderScreens(
  person: Person,
  who: string,
  seesAll: boolean,
  filterSets: readonly OrderFilters[],
): Screen[] {
  return filterSets.map((filters) => {
    const input = { ...BIG, ...(filters.status ? { status: filters.status.join(',') } : {}) }
    return {
      name: `orders of ${who}${filters.status ? ` with status ${filters.status.join(', ')}` : ''}`,
      events: ORDER_LIST_EVENTS,
      async read() {
        const stale = await person.call(listOrders, input)
        return async (events) => {
          const { rows, changes, read, needsRefetch } = applyOrderEvents(
            { rows: new Map(stale.rows.map((row) => [row.orderId, row])), filters, seesAll },
            events,
            (key) => key,
          )
          const fresh = await person.call(listOrders, input)
          const left = new Set(
            changes.flatMap((change) => (change.kind === 'leave' ? [change.id] : [])),
          )
          const arrivals = new Set(
            changes.flatMap((change) => (change.kind === 'new' ? [change.id] : [])),
          )
          for (const row of fresh.rows) {
            const shown = rows.get(row.orderId)
            expect(
              (shown !== undefined && !left.has(row.orderId)) ||
                arrivals.has(row.orderId) ||
                needsRefetch,
              `${row.orderId} is in the list and was not announced`,
            ).toBe(true)
            if (shown && !read.has(row.orderId)) expect(shown).toEqual(row)
          }
          const now = new Set(fresh.rows.map((row) => row.orderId))
          for (const [id, row] of rows)
            if (!left.has(id) && !read.has(id))
              expect(now.has(id) && onPage(row, filters), `${id} should have left`).toBe(true)
          for (const id of arrivals)
            expect(now.has(id), `${id} was announced and is not there`).toBe(true)
          return {
            applied: new Set(
              events
                .filter(
                  (event) =>
                    changes.some((change) => change.id === event.data.orderId) ||
                    read.has(String(event.data.orderId ?? event.data.targetId)) ||
                    event.type === 'order.updated',
                )
                .map((event) => event.type),
            ),
          }
        }
      },
    }
  })
}

/**
 * One open order. Each event is followed by a read, so only fields contained in events are
 * compared.
 */
export function orderDetailScreen(person: Person, orderId: string): Screen {
  return {
    name: `order ${orderId}`,
    events: ORDER_DETAIL_EVENTS,
    async read() {
      const stale = await person.call(orderDetail, { orderId })
      return async (events) => {
        const now = events
          .filter((event) => event.data.orderId === orderId)
          .reduce(applyToDetail, stale)
        const fresh = await person.call(orderDetail, { orderId })
        const {
          status,
          tags,
          outstanding,
          closeType,
          closeTime,
          dueTime,
          disburseTime,
          failReason,
          version,
        } = fresh.order
        // An update of figures only names them; their values come with the following read.
        const named = events.flatMap((event) =>
          event.type === 'order.updated' && event.data.orderId === orderId
            ? (event.data.fields as string[])
            : [],
        )
        const carried = {
          status,
          tags,
          closeType,
          closeTime,
          dueTime,
          disburseTime,
          failReason,
          ...(named.includes('outstanding') ? {} : { outstanding, version }),
        }
        expect(now.order).toMatchObject(carried)
        for (const row of now.transfers) {
          const same = fresh.transfers.find((other) => other.transferId === row.transferId)
          expect(row).toMatchObject({
            payState: same?.payState,
            attemptNo: same?.attemptNo,
            failReason: same?.failReason,
            handlingMethod: same?.handlingMethod,
          })
        }
        for (const row of now.plans)
          expect(row).toMatchObject({
            outstanding: fresh.plans.find((plan) => plan.planId === row.planId)?.outstanding,
          })
        for (const name of now.allowed) expect(fresh.allowed).toContain(name)
        return { applied: new Set(now === stale ? [] : events.map((event) => event.type)) }
      }
    },
  }
}
