/** The open instalment: read once, then again after every event of its order. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { queryKeyOf, recordQueryOf } from '#client/session/query.ts'
import { APPROVAL_CHANGED } from '#shared/approvals/approvals-live.ts'
import { ORDER_STATUS_CHANGED, ORDER_UPDATED, PLAN_CHANGED } from '#shared/orders/orders-live.ts'
import { planDetail } from '#shared/repayments/repayments-api.ts'
import { REDUCTION_CHANGED, REPAYMENT_CHANGED } from '#shared/repayments/repayments-live.ts'
import type { PlanDetail, RecordRow } from '../payment-types.ts'

const EVENTS = [
  PLAN_CHANGED,
  REPAYMENT_CHANGED,
  REDUCTION_CHANGED,
  ORDER_STATUS_CHANGED,
  ORDER_UPDATED,
].map((kind) => kind.type)
const APPROVALS = [APPROVAL_CHANGED.type]

export interface PlanDetailNow {
  detail: PlanDetail | undefined
  error: unknown
  isFetching: boolean
  reread: () => void
  /** Takes over the payment returned by a call. */
  takeRecord: (row: RecordRow) => void
}

export function usePlanDetail(planId: string): PlanDetailNow {
  const queries = useQueryClient()
  const { data, error, isFetching } = useQuery(recordQueryOf(planDetail, { planId }))
  const orderId = data?.order.orderId
  const reread = useCallback(
    () => void queries.invalidateQueries({ queryKey: queryKeyOf(planDetail, { planId }) }),
    [queries, planId],
  )
  const rereadSoon = useThrottled(reread)
  const takeRecord = useCallback(
    (row: RecordRow) => {
      queries.setQueryData<PlanDetail>(
        queryKeyOf(planDetail, { planId }),
        (detail) =>
          detail && {
            ...detail,
            records: detail.records.map((one) =>
              one.recordId === row.recordId && row.version >= one.version ? row : one,
            ),
          },
      )
      reread()
    },
    [queries, planId, reread],
  )
  useLive(EVENTS, (events) => {
    // before the first answer it may be any order's
    if (orderId === undefined || events.some((event) => event.data.orderId === orderId))
      rereadSoon()
  })
  // the event names the payment only
  useLive(APPROVALS, (events) => {
    const isOurs = (targetId: unknown) =>
      data?.records.some(({ recordId }) => recordId === targetId) ?? true
    if (events.some((event) => isOurs(event.data.targetId))) rereadSoon()
  })
  return { detail: data, error, isFetching, reread, takeRecord }
}
