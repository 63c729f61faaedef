/** One review in the workspace: its data, the machine for the right to decide, and its requests. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMachine } from '@xstate/react'
import { useCallback, useEffect, useRef } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { leaseOf } from '#client/live/lease-knowledge.ts'
import { useLive } from '#client/live/use-live.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { call } from '#client/session/call.ts'
import { CallError } from '#client/session/call-error.ts'
import { queryKeyOf, queryOf } from '#client/session/query.ts'
import { useSecond } from '#client/ui/value/clock.ts'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { ORDER_STATUS_CHANGED } from '#shared/orders/orders-live.ts'
import { openReview, reviewDetail } from '#shared/review/review-api.ts'
import { trackClaims, onLease, startLeaseKeeper } from '../lease/lease-keeper.ts'
import { REVIEW_EVENTS } from '../review-events.ts'
import { can, type ReviewDetail, type ReviewRow, type Viewer } from '../review-types.ts'
import { messageOfEvent, messageOfRow } from './desk-messages.ts'
import type { placeOf } from './review-desk-machine.ts'
import {
  type DeskContext,
  type DeskEvent,
  hasOpenFailed,
  reviewDeskMachine,
} from './review-desk-machine.ts'

export interface Desk {
  detail: ReviewDetail | undefined
  error: unknown
  retry: () => void
  place: ReturnType<typeof placeOf>
  known: DeskContext
  leaseUntil: string | null
  /** Why nothing can be changed now (offline); null = online. */
  offline: string | null
  others: readonly PresenceMember[]
  send: (event: DeskEvent) => void
  /** Applies the row of a response. */
  take: (row: ReviewRow) => void
  /** Applies the data of a refusal: the current row, or the lost claim. */
  takeRefusal: (error: unknown) => void
  reload: () => void
}

const EVENTS = [...REVIEW_EVENTS, ORDER_STATUS_CHANGED.type]

export function useDesk(reviewId: string, viewer: Viewer): Desk {
  const queries = useQueryClient()
  const {
    data: detail,
    error,
    refetch,
  } = useQuery(queryOf(reviewDetail, { reviewId }, { quiet: true }))
  const [snapshot, send] = useMachine(reviewDeskMachine, {
    input: { userId: viewer.userId, mayCheck: can(viewer, 'check') },
  })
  const known = snapshot.context
  const place = snapshot.value
  const openFailed = hasOpenFailed(known)
  const { reason: offline } = useConnection()
  const members = useWatch('review', reviewId)
  useWatch('menu', 'review_list')
  const leaseUntil = leaseOf(known)
  const second = useSecond()
  const opened = useRef('')

  const reload = useCallback(
    () => void queries.invalidateQueries({ queryKey: queryKeyOf(reviewDetail, { reviewId }) }),
    [queries, reviewId],
  )
  const take = useCallback(
    (row: ReviewRow) => {
      trackClaims([row])
      send({ type: 'MESSAGE', ...messageOfRow(row) })
      reload()
    },
    [send, reload],
  )
  const takeRefusal = useCallback(
    (refusal: unknown) => {
      if (!(refusal instanceof CallError) || refusal.kind !== 'refused') return
      if (refusal.problem?.id === 'G404') return send({ type: 'NOT_FOUND' })
      const row = refusal.data as Partial<ReviewRow> | null
      if (row?.reviewId === reviewId && typeof row.version === 'number' && row.state)
        send({ type: 'MESSAGE', ...messageOfRow(row as ReviewRow) })
      reload()
    },
    [send, reload, reviewId],
  )

  useEffect(() => startLeaseKeeper(viewer.userId), [viewer.userId])
  useEffect(() => {
    if (detail) send({ type: 'MESSAGE', ...messageOfRow(detail.review) })
    if (detail) trackClaims([detail.review])
  }, [detail, send])
  useEffect(() => {
    // After a lost claim a reviewer may no longer be allowed to read the review; the loaded data
    // stays on the screen.
    if (error instanceof CallError && error.problem?.id === 'G404' && detail === undefined)
      send({ type: 'NOT_FOUND' })
  }, [error, detail, send])
  useLive(EVENTS, (events) => {
    let concerns = false
    for (const event of events) {
      const message = messageOfEvent(event, { reviewId, orderId: detail?.order.orderId ?? null })
      if (message) send({ type: 'MESSAGE', ...message })
      concerns ||= message !== null || event.data.reviewId === reviewId
    }
    if (concerns) reload()
  })
  useEffect(
    () => onLease((message) => message.reviewId === reviewId && send(message)),
    [reviewId, send],
  )
  useEffect(() => {
    if (
      leaseUntil !== null &&
      Date.parse(leaseUntil) <= second &&
      (place === 'opening' || place === 'deciding' || place === 'submitting')
    )
      send({ type: 'LEASE_OVER', until: leaseUntil })
  }, [leaseUntil, second, place, send])
  useEffect(() => {
    if (place !== 'opening' || offline !== null || openFailed) return
    // One request per row state: StrictMode and rapid events run this effect repeatedly.
    const attempt = `${known.version} ${known.token}`
    if (opened.current === attempt) return
    opened.current = attempt
    call(
      openReview,
      { reviewId, version: known.version, token: known.token },
      { quiet: true },
    ).then(take, (refusal: unknown) => {
      takeRefusal(refusal)
      if (refusal instanceof CallError && refusal.problem?.id === 'V-LEASE')
        send({ type: 'RENEW_REFUSED', token: known.token, holderName: nameOf(refusal) })
      else if (!(refusal instanceof CallError) || refusal.kind !== 'refused')
        send({ type: 'OPEN_FAILED', token: known.token })
    })
  }, [place, offline, openFailed, known.token, known.version, reviewId, take, takeRefusal, send])
  useEffect(() => {
    if (place !== 'deciding') return
    setEditing('review', reviewId, true)
    return () => setEditing('review', reviewId, false)
  }, [place, reviewId])

  return {
    detail,
    error,
    place,
    known,
    leaseUntil,
    offline,
    send,
    take,
    takeRefusal,
    reload,
    retry: () => {
      opened.current = ''
      send({ type: 'OPEN_AGAIN' })
      void refetch()
    },
    others: members.filter((member) => member.userId !== viewer.userId),
  }
}

export function nameOf(refusal: CallError): string | null {
  const name = refusal.problem?.params.userName
  return typeof name === 'string' && name ? name : null
}
