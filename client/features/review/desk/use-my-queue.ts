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
import { isHeld } from '../list/review-tabs.ts'
import { noteHeld } from '../lease/lease-keeper.ts'
import { REVIEW_EVENTS } from '../review-events.ts'
import type { QueueStats, ReviewCounts, ReviewPage, ReviewRow, Viewer } from '../review-types.ts'
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
  /** Leaves this item, which is no longer his: to the next of his, else claims one; `empty` = the queue is clear. */
  leave: (claim: boolean) => Promise<'moved' | 'empty' | 'full' | 'failed'>
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
    list.current = takeReviewPage(
      { ...emptyReviewList('mine', viewer), known: list.current.known },
      data,
    )
    setFigures({ counts: data.counts, stats: data.stats })
    noteHeld(data.rows)
    // The next one of his opens without waiting for the network.
    const following = data.rows.find((row) => row.reviewId !== reviewId)
    if (following)
      void queries.prefetchQuery({
        ...queryOf(reviewDetail, { reviewId: following.reviewId }, { quiet: true }),
        staleTime: 20_000,
      })
  }, [data, viewer, reviewId, queries])
  useLive(REVIEW_EVENTS, (events) => {
    const {
      list: next,
      changes,
      incomplete,
      recount,
    } = applyReviewEvents(list.current, events, () => '')
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
  function go(target: string): void {
    arriving = target
    navigate(detailPath(target))
  }
  /** A day's work would leave a hundred tabs behind. */
  function goClosing(target: string): void {
    tabsStore.set((tabs) => closeTab(tabs, tab))
    go(target)
  }
  return {
    items,
    counts: figures?.counts ?? null,
    stats: figures?.stats ?? null,
    step(by) {
      const at = items.findIndex((row) => row.reviewId === reviewId)
      const target = items[(at + by + items.length) % items.length]
      if (target && target.reviewId !== reviewId) go(target.reviewId)
    },
    async leave(claim) {
      const { queryKey } = queryOf(listReviews, MINE)
      // The next desk must not lead back here while its list is still on the way.
      queries.setQueryData<ReviewPage>(
        [...queryKey],
        (page) => page && { ...page, rows: page.rows.filter((row) => row.reviewId !== reviewId) },
      )
      const own = items.find((row) => row.reviewId !== reviewId && isHeld(row))
      if (own) {
        goClosing(own.reviewId)
        return 'moved'
      }
      if (!claim) return 'empty'
      try {
        const { ok } = await call(claimReviews, { count: 1 }, { quiet: true })
        const [taken] = ok
        if (!taken) return 'empty'
        noteHeld(ok)
        void queries.prefetchQuery(
          queryOf(reviewDetail, { reviewId: taken.reviewId }, { quiet: true }),
        )
        goClosing(taken.reviewId)
        return 'moved'
      } catch (error) {
        const problem = error instanceof CallError ? error.problem?.id : undefined
        return problem === 'V-EMPTY' ? 'empty' : problem === 'V-MAX' ? 'full' : 'failed'
      }
    },
  }
}
