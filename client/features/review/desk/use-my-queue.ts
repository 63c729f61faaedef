/** The reviews this user holds, the queue figures, and navigation to the next review. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { call } from '#client/session/call.ts'
import { CallError } from '#client/session/call-error.ts'
import { queryOf } from '#client/session/query.ts'
import { claimReviews, listReviews, reviewDetail } from '#shared/review/review-api.ts'
import {
  applyReviewEvents,
  emptyReviewList,
  shownCounts,
  takeReviewPage,
} from '../list/review-apply.ts'
import { isHeld } from '../list/review-tabs.ts'
import { trackClaims } from '../lease/lease-keeper.ts'
import { REVIEW_EVENTS } from '../review-events.ts'
import { useGoToReview } from './go-to-review.ts'
import type { QueueStats, ReviewCounts, ReviewPage, ReviewRow, Viewer } from '../review-types.ts'

const REREAD_MS = 1_500
const MINE = { tab: 'mine' as const, pageSize: 20 }

export interface MyQueue {
  items: readonly ReviewRow[]
  counts: ReviewCounts | null
  stats: QueueStats | null
  /** Opens another held item (keys J and K). */
  step: (by: 1 | -1) => void
  /**
   * Leaves an item that is no longer held: opens the next held one, or claims one; `empty` = empty
   * queue.
   */
  leave: (claim: boolean) => Promise<'moved' | 'empty' | 'full' | 'failed'>
}

export function useMyQueue(reviewId: string, viewer: Viewer): MyQueue {
  const queries = useQueryClient()
  const { go, goClosing } = useGoToReview()
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
    trackClaims(data.rows)
    // Opens the next held item without waiting for the network.
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
    // before the first answer there are no counts that an event could change
    setFigures((shown) => shown && { counts: shownCounts(next.counts), stats: next.stats })
    if (!changes.length && !incomplete.size && !recount) return
    timer.current ??= setTimeout(() => {
      timer.current = null
      void refetch()
    }, REREAD_MS)
  })
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])

  const items = data?.rows ?? []
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
      // Prevents the next item from leading back here while its list is still loading.
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
        trackClaims(ok)
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
