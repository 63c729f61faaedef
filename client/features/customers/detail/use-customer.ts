/** One customer: his sections as they are asked for, read again behind every event that concerns him. */
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryOf } from '#client/session/query.ts'
import type { CustomerDetail } from '#shared/customers/customer-detail-api.ts'
import { customerDetail } from '#shared/customers/customer-detail-api.ts'
import type { CustomerSection } from '#shared/customers/customer-sets.ts'
import { BLACKLIST_CHANGED, CUSTOMER_CHANGED } from '#shared/customers/customers-live.ts'
import { ORDER_CREATED, ORDER_STATUS_CHANGED } from '#shared/orders/orders-live.ts'
import { REVIEW_STATE_CHANGED } from '#shared/review/review-live.ts'

const EVENTS = [
  CUSTOMER_CHANGED,
  BLACKLIST_CHANGED,
  ORDER_CREATED,
  ORDER_STATUS_CHANGED,
  REVIEW_STATE_CHANGED,
].map((kind) => kind.type)

export interface CustomerNow {
  detail: CustomerDetail | undefined
  error: unknown
  isFetching: boolean
  reread: () => void
}

/** Each opening is logged, so sections are asked for when they are looked at, and not again for a minute. */
export function useCustomer(userId: string, sections: readonly CustomerSection[]): CustomerNow {
  const asked = useQuery({
    ...queryOf(customerDetail, { userId, sections: [...sections] }, { quiet: true }),
    staleTime: 60_000,
    enabled: userId !== '',
  })
  const { data, error, isFetching, refetch } = asked
  return { detail: data, error, isFetching, reread: () => void refetch() }
}

/** Reads what is shown of the customer again, now and behind his events. */
export function useCustomerNews(userId: string): () => void {
  const queries = useQueryClient()
  const his = useMemo(
    () => ({
      predicate: ({ queryKey: [path, input] }: Query) =>
        path === customerDetail.path &&
        (input as { userId?: string } | undefined)?.userId === userId,
    }),
    [userId],
  )
  const reread = useCallback(() => void queries.invalidateQueries(his), [queries, his])
  const soon = useThrottled(reread)
  useLive(EVENTS, (events) => {
    // a review names its order, and whose that is stands in what was read
    const orders = new Set(
      queries
        .getQueriesData<CustomerDetail>(his)
        .flatMap(([, detail]) =>
          [...(detail?.orders ?? []), ...(detail?.review ?? [])].map(({ orderId }) => orderId),
        ),
    )
    if (
      events.some(
        (event) =>
          event.data.userId === userId ||
          (event.type === REVIEW_STATE_CHANGED.type && orders.has(String(event.data.orderId))),
      )
    )
      soon()
  })
  return reread
}
