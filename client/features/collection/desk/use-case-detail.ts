/**
 * One case with its surroundings, kept current by events. The contact gate of the server decides
 * here too, by this clock.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { CallError } from '#client/session/call-error.ts'
import { queryKeyOf, recordQueryOf } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { useSession } from '#client/session/session-store.ts'
import { useSecond } from '#client/ui/value/clock.ts'
import { caseDetail } from '#shared/collection/cases-api.ts'
import { CASE_ALLOCATED } from '#shared/collection/collection-live.ts'
import { contactGate } from '#shared/collection/contact-gate.ts'
import type { DataOfEvent } from '#shared/kernel/live.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
import { VOICE_CALL_CHANGED } from '#shared/voice-calls/voice-calls-live.ts'
import { CASE_EVENTS } from './case-apply.ts'
import { type CaseNews, concernsCase, namesCase, newsOf } from './case-news.ts'
import type { CaseDetail, CaseRow } from './case-types.ts'

export interface CaseNow {
  detail: CaseDetail | undefined
  error: unknown
  isFetching: boolean
  /** It left the viewer's scope while it was open; `detail` is the last state seen. */
  isGone: boolean
  news: CaseNews | null
  /** Dismisses the news. */
  readNews: () => void
  /** Why no contact is possible now: problem id and parameters; null = possible. */
  refusal: { id: string; params: Record<string, string | number>; openTime: string | null } | null
  take: (row: CaseRow) => void
  reread: () => void
}

export function useCaseDetail(caseId: string): CaseNow {
  const queries = useQueryClient()
  const { user } = useSession()
  const {
    data: detail,
    error,
    isFetching,
    refetch,
  } = useQuery(recordQueryOf(caseDetail, { caseId }))
  const [news, setNews] = useState<{ of: string; news: CaseNews } | null>(null)
  const reread = useThrottled(useCallback(() => void refetch(), [refetch]))
  useSecond()
  useLive(
    [
      ...CASE_EVENTS,
      VOICE_CALL_CHANGED.type,
      'plan.changed',
      'repayment.changed',
      'ticket.state.changed',
      'order.status.changed',
      'customer.changed',
      'dict.changed',
    ],
    (events) => {
      for (const event of events.filter((one) => namesCase(one, caseId))) {
        const found = newsOf(event, user.userId)
        if (found) setNews({ of: caseId, news: found })
        // the case came back to the viewer
        else if (
          event.type === CASE_ALLOCATED.type &&
          (event.data as DataOfEvent<typeof CASE_ALLOCATED>).to === user.userId
        )
          setNews(null)
      }
      if (events.some((event) => concernsCase(event, caseId, detail))) reread()
    },
  )
  const take = useCallback(
    (row: CaseRow) => {
      queries.setQueryData<CaseDetail>(queryKeyOf(caseDetail, { caseId }), (now) =>
        now ? { ...now, case: row } : now,
      )
      void refetch()
    },
    [queries, caseId, refetch],
  )
  const readNews = useCallback(() => setNews(null), [])
  const gate = detail
    ? contactGate(detail.gateFacts, { now: new Date(serverNow()).toISOString(), isBorrower: true })
    : null
  const isGone =
    detail !== undefined && error instanceof CallError && error.problem?.id === NOT_FOUND.id
  return {
    detail,
    error,
    isFetching,
    isGone,
    news: news?.of === caseId ? news.news : null,
    readNews,
    refusal:
      gate === null ? null : { id: gate.problem.id, params: gate.params, openTime: gate.openTime },
    take,
    reread,
  }
}
