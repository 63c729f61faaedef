/** One ticket with its steps: fetched once, patched at once by live events, then fetched again. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { CLIENT_ID } from '#client/session/ids.ts'
import { queryKeyOf, recordQueryOf } from '#client/session/query.ts'
import { ticketDetail, ticketSteps } from '#shared/tickets/tickets-api.ts'
import { TICKET_LIST_EVENTS } from '../ticket-apply.ts'
import { trackTickets, onTicketLease } from '../ticket-lease.ts'
import type { TicketDetail, TicketRow, TicketStep } from '../ticket-types.ts'
import { applyToTicket, concernsTicket, updateOf, type TicketUpdate } from './ticket-update.ts'

export interface TicketNow {
  detail: TicketDetail | undefined
  steps: readonly TicketStep[] | undefined
  error: unknown
  isFetching: boolean
  /** The last thing others did while it was open. */
  update: TicketUpdate | null
  clearUpdate: () => void
  take: (row: TicketRow) => void
  reread: () => void
}

export function useTicketDetail(feedbackId: string, userId: string): TicketNow {
  const queries = useQueryClient()
  const life = useQuery(recordQueryOf(ticketDetail, { feedbackId }))
  const talk = useQuery(recordQueryOf(ticketSteps, { feedbackId }))
  const [update, setUpdate] = useState<TicketUpdate | null>(null)
  const { refetch: refetchLife } = life
  const { refetch: refetchTalk } = talk
  const readAgain = useCallback(() => {
    void refetchLife()
    void refetchTalk()
  }, [refetchLife, refetchTalk])
  const reread = useThrottled(readAgain)
  const put = useCallback(
    (change: (row: TicketRow) => TicketRow) =>
      queries.setQueryData<TicketDetail>(
        queryKeyOf(ticketDetail, { feedbackId }),
        (now) => now && { ...now, ticket: change(now.ticket) },
      ),
    [queries, feedbackId],
  )
  const take = useCallback(
    (row: TicketRow) => {
      trackTickets([row])
      put((now) => (row.version >= now.version ? row : now))
      readAgain()
    },
    [put, readAgain],
  )

  const row = life.data?.ticket
  useEffect(() => {
    if (row) trackTickets([row])
  }, [row])
  useLive(TICKET_LIST_EVENTS, (events) => {
    const own = events.filter((event) => concernsTicket(event, feedbackId, row?.caseId ?? null))
    if (own.length === 0) return
    put((now) => own.reduce(applyToTicket, now))
    for (const event of own) {
      const latest = event.clientId === CLIENT_ID ? null : updateOf(event, userId)
      if (latest) setUpdate(latest)
    }
    reread()
  })
  useEffect(
    () =>
      onTicketLease((lease) => {
        if (lease.id !== feedbackId) return
        if (lease.type === 'RENEWED')
          put((now) =>
            now.token === lease.token && lease.leaseUntil !== ''
              ? { ...now, leaseUntil: lease.leaseUntil }
              : now,
          )
        else reread()
      }),
    [feedbackId, put, reread],
  )

  return {
    detail: life.data,
    steps: talk.data?.steps,
    error: life.error ?? talk.error,
    isFetching: life.isFetching || talk.isFetching,
    update,
    clearUpdate: () => setUpdate(null),
    take,
    reread: readAgain,
  }
}
