/** The manual review queue in tabs: waiting, own, handed over, quality; claimed in real time. */
import { useLanguage, useText } from '#client/base/use-text.ts'
import '../review.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { queryOf } from '#client/session/query.ts'
import { readMatching } from '#client/screen/read-matching.ts'
import { useAttendance } from '#client/screen/person-column.ts'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import { durationText } from '#client/ui/value/duration-text.ts'
import { formatNear } from '#client/ui/value/ist-format.ts'
import { useGridSelection } from '#client/ui/grid/use-grid-selection.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { listReviewers, reviewColleagues } from '#shared/review/review-api.ts'
import { startLeaseKeeper } from '../lease/lease-keeper.ts'
import { afterPause } from '#client/ui/frame/pause-key.ts'
import { can, type ReviewRow, type ReviewTab } from '../review-types.ts'
import { useViewer } from '../use-viewer.ts'
import { ClaimNext } from './ClaimNext.tsx'
import { reviewersHere } from './review-cells.ts'
import { REVIEW_COLUMNS } from './review-columns.tsx'
import { filterFields, reviewInput, liveFilters, REVIEW_FILTERS, tabOf } from './review-filters.ts'
import { ReviewBulkBar } from './ReviewBulkBar.tsx'
import { ReviewForms, type OpenForm } from './ReviewForms.tsx'
import { ReviewToolbar } from './ReviewToolbar.tsx'
import { rowActions } from './review-row-actions.ts'
import { useClaims } from './use-claims.ts'
import { useReviewList } from './use-review-list.ts'
import { reviewPath } from '#shared/review/review-path.ts'

export function Screen() {
  const t = useText('review')
  const viewer = useViewer()
  const [, navigate] = useLocation()
  const [, setQuery] = useSearchParams()
  const tab = tabOf(new URLSearchParams(useSearch()).get('tab'), viewer)
  const url = useGridUrlState(REVIEW_FILTERS)
  const language = useLanguage()
  const wide = useMedia('(min-width: 1600px)')
  const { reason: offline } = useConnection()
  const [form, setForm] = useState<OpenForm | null>(null)
  useAttendance(reviewersHere, 'review_list')
  const columns = useRowLinks(
    wide ? REVIEW_COLUMNS[tab].wide : REVIEW_COLUMNS[tab].narrow,
    'review_list',
  )
  const knowsColleagues =
    can(viewer, 'handover') || can(viewer, 'assign') || can(viewer, 'takeOver')
  const reviewers = useQuery({
    ...queryOf(listReviewers, {}, { quiet: true }),
    enabled: viewer.sees !== 'own',
    staleTime: 10 * 60_000,
  })
  const colleagues = useQuery({
    ...queryOf(reviewColleagues, {}, { quiet: true }),
    enabled: knowsColleagues,
    staleTime: 30_000,
  })

  const filters = useMemo(() => liveFilters(url.filters), [url.filters])
  const input = useMemo(() => reviewInput(tab, url.input), [tab, url.input])
  const list = useReviewList(tab, viewer, input, { filters, grid: url.view, key: url.key })
  const selection = useGridSelection<ReviewRow>(`${tab} ${JSON.stringify(filters)}`, () =>
    readMatching(list.query, getRowId),
  )
  const open = (row: ReviewRow, newWindow = false) => {
    if (newWindow) window.open(reviewPath(row.reviewId), '_blank', 'noopener')
    else navigate(reviewPath(row.reviewId))
  }
  const showTab = (next: ReviewTab) =>
    setQuery((now) => {
      const query = new URLSearchParams(now)
      query.delete('page')
      query.set('tab', next)
      return query
    })
  const claims = useClaims({
    list,
    open: (reviewId) => navigate(reviewPath(reviewId)),
    showMine: () => showTab('mine'),
  })
  const held = { count: list.counts?.mine ?? 0, max: list.stats?.maxClaimed ?? 0 }
  const claimRefused =
    offline ??
    (held.max > 0 && held.count >= held.max
      ? t('refused.full', { max: held.max })
      : list.counts?.queue === 0
        ? t('refused.emptyQueue')
        : null)

  useShortcuts('screen', [
    ...(can(viewer, 'claim')
      ? [
          {
            id: 'claim-next',
            code: 'KeyG',
            labelKey: 'review:key.claimNext',
            run: () => afterPause(() => claimRefused === null && void claims.claimNext(1)),
          },
        ]
      : []),
  ])
  useEffect(() => startLeaseKeeper(viewer.userId), [viewer.userId])

  const stats = list.stats
  return (
    <div className="review-list">
      <h1 className="visually-hidden">{t('menu.review_list')}</h1>
      <FilterBar
        fields={filterFields(t, reviewers.data ?? [], viewer)}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {can(viewer, 'claim') && (
          <ClaimNext
            refused={claimRefused}
            free={Math.max(1, held.max - held.count)}
            busy={claims.isClaimingNext}
            onClaim={(count) => claims.claimNext(count)}
          />
        )}
      </FilterBar>
      <DataGrid<ReviewRow>
        key={tab}
        id={`review_list:${tab}`}
        label={t(`tab.${tab}`)}
        columns={columns}
        query={list.query}
        getRowId={getRowId}
        getVersion={(row) => row.version}
        view={url.view}
        onView={url.setView}
        live={list.live}
        selection={selection}
        onOpen={open}
        rowActions={(row) =>
          rowActions(row, {
            viewer,
            held,
            offline,
            t,
            open,
            claim: (one) => void claims.claim(one),
            form: setForm,
          })
        }
        bulkBar={(chosen) => (
          <ReviewBulkBar
            tab={tab}
            viewer={viewer}
            chosen={chosen}
            offline={offline}
            onForm={setForm}
            onClaim={(ids) => claims.claimMany(ids)}
            onDone={selection.clear}
          />
        )}
        busyIds={claims.busyIds}
        filters={url}
        emptyReason={
          tab === 'queue'
            ? {
                text: stats?.averageSec
                  ? t('empty.queue', {
                      count: stats.doneToday,
                      average: durationText(stats.averageSec * 1_000, t),
                    })
                  : t('empty.queueFresh'),
                hint: stats?.lastArrivalTime
                  ? t('empty.lastArrival', { time: formatNear(stats.lastArrivalTime, language) })
                  : undefined,
              }
            : {
                text: t(`empty.${tab}`),
                action:
                  tab === 'mine' && (list.counts?.queue ?? 0) > 0
                    ? { text: t('tab.queue'), onClick: () => showTab('queue') }
                    : undefined,
              }
        }
        toolbar={
          <ReviewToolbar
            tab={tab}
            viewer={viewer}
            counts={list.counts}
            stats={stats}
            onTab={showTab}
          />
        }
      />
      <ReviewForms
        open={form}
        colleagues={colleagues.data ?? []}
        onClose={() => setForm(null)}
        onDone={selection.clear}
        takeRow={list.takeRow}
      />
    </div>
  )
}

const getRowId = (row: ReviewRow) => row.reviewId
