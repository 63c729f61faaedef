/** One customer: sections loaded on demand and refetched after every event about the customer. */
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

/**
 * Each read is logged, so a section is read when it becomes visible and then at most once a minute.
 */
export function useCustomer(userId: string, sections: readonly CustomerSection[]): CustomerNow {
  const { data, error, isFetching, refetch } = useQuery({
    ...queryOf(customerDetail, { userId, sections: [...sections] }, { quiet: true }),
    staleTime: 60_000,
    enabled: userId !== '',
  })
  return { detail: data, error, isFetching, reread: () => void refetch() }
}

/** Refetches the visible sections, now and after events. */
export function useCustomerRefetch(userId: string): () => void {
  const queries = useQueryClient()
  const key = useMemo(
    () => ({
      predicate: ({ queryKey: [path, input] }: Query) =>
        path === customerDetail.path &&
        (input as { userId?: string } | undefined)?.userId === userId,
    }),
    [userId],
  )
  const reread = useCallback(() => void queries.invalidateQueries(key), [queries, key])
  const soon = useThrottled(reread)
  useLive(EVENTS, (events) => {
    // a review event names its order; whether that is the customer's is in the loaded data
    const orders = new Set(
      queries
        .getQueriesData<CustomerDetail>(key)
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
