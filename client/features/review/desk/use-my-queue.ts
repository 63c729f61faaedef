/** The items this person holds and the figures of the queue, beside the desk; and the way to the next item. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useLive } from '#client/live/use-live.ts'
import { call } from '#client/session/call.ts'
import { CallError } from '#client/session/call-error.ts'
import { queryOf } from '#client/session/query.ts'
import { usePage } from '#client/session/page.tsx'
import { closeTab, tabsStore } from '#client/shell/tabs.ts'
import { claimReviews, listReviews, reviewDetail } from '#shared/review/review-api.ts'
import { applyReviewEvents, emptyReviewList, takeReviewPage } from '../list/review-apply.ts'
import { noteHeld } from '../lease/lease-keeper.ts'
import { REVIEW_EVENTS } from '../review-events.ts'
import type { QueueStats, ReviewCounts, ReviewRow, Viewer } from '../review-types.ts'
import { detailPath } from '../review-words.ts'

const REREAD_MS = 1_500
const MINE = { tab: 'mine' as const, pageSize: 20 }

/** The item that was reached from a decision: its bar takes the focus. */
let arriving: string | null = null
export function takeArrival(reviewId: string): boolean {
  const arrived = arriving === reviewId
  if (arrived) arriving = null
  return arrived
}

export interface MyQueue {
  items: readonly ReviewRow[]
  counts: ReviewCounts | null
  stats: QueueStats | null
  /** Opens another item of his, J and K. */
  step: (by: 1 | -1) => void
  /** Leaves this item: to the next of his, else claims one; `empty` = the queue is clear. */
  next: (options: { claim: boolean; closing: boolean }) => Promise<'moved' | 'empty' | 'full' | 'failed'>
}

export function useMyQueue(reviewId: string, viewer: Viewer): MyQueue {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const { tab } = usePage()
  const { data, refetch } = useQuery(queryOf(listReviews, MINE, { quiet: true }))
  const [figures, setFigures] = useState<{ counts: ReviewCounts; stats: QueueStats } | null>(null)
  const list = useRef(emptyReviewList('mine', viewer))
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)

  useEffect(() => {
    if (!data) return
    list.current = takeReviewPage({ ...emptyReviewList('mine', viewer), known: list.current.known }, data)
    setFigures({ counts: data.counts, stats: data.stats })
    noteHeld(data.rows)
    // The next one of his opens without waiting for the network.
    const following = data.rows.find((row) => row.reviewId !== reviewId)
    if (following) void queries.prefetchQuery({ ...queryOf(reviewDetail, { reviewId: following.reviewId }, { quiet: true }), staleTime: 20_000 })
  }, [data, viewer, reviewId, queries])
  useLive(REVIEW_EVENTS, (events) => {
    const { list: next, changes, incomplete, recount } = applyReviewEvents(list.current, events, () => '')
    list.current = next
    setFigures({ counts: next.counts, stats: next.stats })
    if (!changes.length && !incomplete.size && !recount) return
    timer.current ??= setTimeout(() => {
      timer.current = null
      void refetch()
    }, REREAD_MS)
  })
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])

  const items = data?.rows ?? []
  function go(target: string, closing: boolean): void {
    arriving = target
    if (closing) tabsStore.set((tabs) => closeTab(tabs, tab))
    navigate(detailPath(target))
  }
  return {
    items,
    counts: figures?.counts ?? null,
    stats: figures?.stats ?? null,
    step(by) {
      const at = items.findIndex((row) => row.reviewId === reviewId)
      const target = items[(at + by + items.length) % items.length]
      if (target && target.reviewId !== reviewId) go(target.reviewId, false)
    },
    async next({ claim, closing }) {
      const own = items.find((row) => row.reviewId !== reviewId && (row.state === 'toAudit' || row.state === 'underReview'))
      if (own) {
        go(own.reviewId, closing)
        return 'moved'
      }
      if (!claim) return 'empty'
      try {
        const { ok } = await call(claimReviews, { count: 1 }, { quiet: true })
        const [taken] = ok
        if (!taken) return 'empty'
        noteHeld(ok)
        void queries.prefetchQuery(queryOf(reviewDetail, { reviewId: taken.reviewId }, { quiet: true }))
        go(taken.reviewId, closing)
        return 'moved'
      } catch (error) {
        const problem = error instanceof CallError ? error.problem?.id : undefined
        return problem === 'V-EMPTY' ? 'empty' : problem === 'V-MAX' ? 'full' : 'failed'
      }
    },
  }
}
