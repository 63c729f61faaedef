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
import {
  CASE_ALLOCATED,
  CASE_AMOUNT_CHANGED,
  CASE_ENDED,
  CASE_FOLLOWED,
  CASE_RECALLED,
  CASE_STOP_CHANGED,
  CASES_RECALLED,
} from '#shared/collection/collection-live.ts'
import { contactGate } from '#shared/collection/contact-gate.ts'
import type { DataOfEvent, LiveEvent, LiveEventKind } from '#shared/kernel/live.ts'
import { NOT_FOUND } from '#shared/kernel/problem.ts'
import { VOICE_CALL_CHANGED } from '#shared/voice-calls/voice-calls-live.ts'
import { CASE_EVENTS } from './case-apply.ts'
import type { CaseDetail, CaseRow } from './case-types.ts'

/** What happened to the case while it was open, for the banner above the form. */
export type CaseNews =
  | { kind: 'paid'; amount: number; whole: boolean }
  | { kind: 'moved'; name: string }
  | { kind: 'takenBack'; reason: string }
  | { kind: 'held'; reason: string }
  | { kind: 'ended'; reason: string }

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
      const own = events.filter(
        (event) =>
          (event.data as { caseId?: string }).caseId === caseId ||
          (event.data as { caseIds?: string[] }).caseIds?.includes(caseId) === true ||
          // a result recorded elsewhere may have freed the caller's line
          (event.type === CASE_FOLLOWED.type && detail?.busyLine != null) ||
          (event.data as { orderId?: string }).orderId === detail?.order.orderId ||
          (event.type === 'customer.changed' &&
            (event.data as { userId?: string }).userId === detail?.customer.userId) ||
          (event.type === 'dict.changed' &&
            (event.data as { typeCodes?: string[] }).typeCodes?.includes('holiday') === true),
      )
      for (const event of own) {
        const found = newsOf(event, user.userId)
        if (found) setNews({ of: caseId, news: found })
        // the case came back to the viewer
        else if (
          event.type === CASE_ALLOCATED.type &&
          (event.data as DataOfEvent<typeof CASE_ALLOCATED>).to === user.userId
        )
          setNews(null)
      }
      if (own.length > 0) reread()
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

function newsOf(event: LiveEvent, userId: string): CaseNews | null {
  const is = <K extends LiveEventKind>(kind: K) =>
    event.type === kind.type ? (event.data as DataOfEvent<K>) : null
  const ended = is(CASE_ENDED)
  if (ended)
    return ended.endReason === 'repaid' || ended.endReason === 'repaidReduced'
      ? { kind: 'paid', amount: ended.recovered, whole: true }
      : { kind: 'ended', reason: ended.endReason }
  const amount = is(CASE_AMOUNT_CHANGED)
  if (amount && amount.paid > 0)
    return { kind: 'paid', amount: amount.paid, whole: amount.outstanding === 0 }
  const allocated = is(CASE_ALLOCATED)
  if (
    allocated &&
    allocated.from !== null &&
    allocated.from !== allocated.to &&
    allocated.to !== userId
  )
    return { kind: 'moved', name: allocated.toName ?? allocated.agencyName ?? '' }
  const recalled = is(CASE_RECALLED)
  if (recalled) return { kind: 'takenBack', reason: recalled.reason }
  const taken = is(CASES_RECALLED)
  if (taken) return { kind: 'takenBack', reason: taken.reason }
  const stop = is(CASE_STOP_CHANGED)
  return stop?.caseState === 'held' ? { kind: 'held', reason: stop.reason } : null
}
