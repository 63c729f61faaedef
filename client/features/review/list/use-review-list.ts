/**
 * Rows, counts and figures of the review list, kept current by live events: patched where the event
 * suffices, refetched where it does not.
 */
import { useText } from '#client/base/use-text.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { call } from '#client/session/call.ts'
import { useListQuery } from '#client/screen/use-list-query.ts'
import type { GridView } from '#client/ui/grid/grid-url.ts'
import { type GridQuery, type LiveRows, useLiveRows } from '#client/ui/grid/use-live-rows.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { listReviews } from '#shared/review/review-api.ts'
import { REVIEW_EVENTS } from '../review-events.ts'
import type { QueueStats, ReviewCounts, ReviewRow, ReviewTab, Viewer } from '../review-types.ts'
import { trackClaims, onLease } from '../lease/lease-keeper.ts'
import {
  applyReviewEvents,
  emptyReviewList,
  type LeaveWords,
  shownCounts,
  takeReviewPage,
  takeReviewRow,
} from './review-apply.ts'
import { HELD_STATES, type LiveFilters } from './review-tabs.ts'

/** Renewals of other users' leases are not sent: tabs that show them refetch at this interval. */
const LEASES_EVERY_MS = 30_000

export interface ReviewListNow {
  query: GridQuery<ReviewRow>
  live: LiveRows<ReviewRow>
  counts: ReviewCounts | null
  stats: QueueStats | null
  /** Patches a row from a response that contains it. */
  takeRow: (row: ReviewRow) => void
}

export function useReviewList(
  tab: ReviewTab,
  viewer: Viewer,
  input: InputOf<typeof listReviews>,
  view: { filters: LiveFilters; grid: GridView; key: string },
): ReviewListNow {
  const t = useText('review')
  const { query, data, isPlaceholder, refetch } = useListQuery<typeof listReviews, ReviewRow>(
    listReviews,
    input,
    tab === 'queue' || tab === 'quality' ? false : LEASES_EVERY_MS,
  )
  const [figures, setFigures] = useState<{ counts: ReviewCounts; stats: QueueStats } | null>(null)
  const list = useRef(emptyReviewList(tab, viewer, view.filters))
  const sortFields = useMemo(
    () => view.grid.sort.map((part) => (part.field === 'reviewer' ? 'reviewerName' : part.field)),
    [view.grid.sort],
  )
  const live = useLiveRows<ReviewRow>({
    query,
    getRowId,
    getVersion,
    viewKey: `${tab} ${view.key}`,
    sortFields,
  })
  const reread = useThrottled(refetch)

  const leaveWords: LeaveWords = (key, row, actor) =>
    t(`leave.${key}`, { name: actor ?? '', state: t(`state.${row.state ?? 'unclaimed'}`) })
  const readOne = async (reviewId: string) => {
    const { rows } = await call(
      listReviews,
      { ...input, reviewId, pageNum: 1 },
      { quiet: true },
    ).catch(() => ({ rows: [] }))
    for (const row of rows) takeRow(row)
  }
  const takeRow = (row: ReviewRow) => {
    list.current = takeReviewRow(list.current, row)
    trackClaims([row])
    live.push([{ kind: 'row', id: row.reviewId, version: row.version, row }])
  }

  useEffect(() => {
    if (!data || isPlaceholder) return
    list.current = takeReviewPage(
      { ...emptyReviewList(tab, viewer, view.filters), known: list.current.known },
      data,
    )
    setFigures({ counts: data.counts, stats: data.stats })
    trackClaims(data.rows.filter((row) => HELD_STATES.includes(row.state)))
  }, [data, isPlaceholder, tab, viewer, view.filters])
  useLive(REVIEW_EVENTS, (events) => {
    const {
      list: next,
      changes,
      incomplete,
      recount,
    } = applyReviewEvents(list.current, events, leaveWords)
    list.current = next
    setFigures({ counts: shownCounts(next.counts), stats: next.stats })
    if (changes.length) live.push(changes)
    const [only, ...others] = incomplete
    if (recount || others.length || changes.some((change) => change.kind === 'new')) reread()
    else if (only !== undefined) void readOne(only)
  })
  useEffect(
    () =>
      onLease((news) => {
        if (news.type !== 'RENEWED') return
        const row = live.store.row(news.reviewId)
        // A renewal does not change the version: it sorts before the next one, later renewals above
        // earlier ones.
        if (row && row.token === news.token)
          live.push([
            {
              kind: 'patch',
              id: row.reviewId,
              version: row.version + Date.parse(news.leaseUntil) / 1e13,
              changes: { leaseUntil: news.leaseUntil },
            },
          ])
      }),
    [live],
  )

  return { query, live, counts: figures?.counts ?? null, stats: figures?.stats ?? null, takeRow }
}

const getRowId = (row: ReviewRow) => row.reviewId
const getVersion = (row: ReviewRow) => row.version
