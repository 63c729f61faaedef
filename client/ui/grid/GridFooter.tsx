/** The 26 px footer of a list: position, age of the data, page controls. */
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { lastPage, PAGE_SIZES, TOTAL_CAP } from '#shared/kernel/page.ts'
import { uiNow, useSecond } from '#client/ui/value/clock.ts'
import type { GridView } from './grid-url.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'

interface GridFooterProps {
  view: GridView
  onView: (change: Partial<GridView>) => void
  shown: number
  /** Without an answer nobody knows whether there are rows. */
  isAnswered: boolean
  total: number
  totalCapped: boolean
  selected: number
  asOf?: string
  isFetching: boolean
  onRefresh: () => void
}

export function GridFooter({
  view,
  onView,
  shown,
  isAnswered,
  total,
  totalCapped,
  selected,
  asOf,
  isFetching,
  onRefresh,
}: GridFooterProps): ReactNode {
  const t = useText('ui')
  const from = shown ? (view.page - 1) * view.pageSize + 1 : 0
  // a row that leaves is still shown, and no longer one of the total
  const to = shown ? Math.min(from + shown - 1, totalCapped ? Infinity : total) : 0
  const last = Math.max(1, Math.ceil(total / view.pageSize))
  const isAtEnd = totalCapped && view.page >= lastPage(view.pageSize)
  const hasNext = totalCapped ? shown >= view.pageSize && !isAtEnd : view.page < last
  const next = isAtEnd ? t('grid.lastPage', { n: formatCount(TOTAL_CAP) }) : t('grid.next')
  const page = (to: number) => () => onView({ page: to })
  return (
    <div className="grid-footer">
      <span className="tabular">
        {total === 0
          ? isAnswered && t('grid.noRows')
          : t('grid.range', {
              from: formatCount(from),
              to: formatCount(to),
              total: totalCapped ? `${formatCount(TOTAL_CAP)}+` : formatCount(total),
            })}
      </span>
      {selected > 0 && (
        <span className="tabular">
          {t('grid.selected', { count: selected, n: formatCount(selected) })}
        </span>
      )}
      <span className="grid-footer-gap" />
      <nav aria-label={t('grid.pages')} className="grid-pages">
        <Button
          variant="minimal"
          size="small"
          icon="chevron-left"
          aria-label={t('grid.previous')}
          title={t('grid.previous')}
          disabled={view.page <= 1}
          onClick={page(view.page - 1)}
        />
        <span className="tabular">
          {totalCapped
            ? t('grid.pageCapped', { page: view.page })
            : t('grid.page', { page: view.page, last })}
        </span>
        <Button
          variant="minimal"
          size="small"
          icon="chevron-right"
          aria-label={t('grid.next')}
          title={next}
          disabled={!hasNext}
          onClick={page(view.page + 1)}
        />
      </nav>
      <label className="grid-size">
        <span className="visually-hidden">{t('grid.pageSize')}</span>
        <select
          value={view.pageSize}
          title={t('grid.pageSize')}
          onChange={(event) => onView({ pageSize: Number(event.target.value), page: 1 })}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <span className="grid-fresh">
        <Freshness asOf={asOf} />
        <Button
          variant="minimal"
          size="small"
          icon="refresh"
          aria-label={t('grid.refresh')}
          title={t('grid.refresh')}
          loading={isFetching}
          onClick={onRefresh}
        />
      </span>
    </div>
  )
}

function Freshness({ asOf }: { asOf?: string }): ReactNode {
  const t = useText('ui')
  useSecond()
  if (!asOf) return null
  const seconds = Math.max(0, Math.floor((uiNow() - Date.parse(asOf)) / 1000))
  const text =
    seconds < 60
      ? t('grid.updatedSeconds', { n: seconds })
      : seconds < 3600
        ? t('grid.updatedMinutes', { n: Math.floor(seconds / 60) })
        : t('grid.updatedHours', { n: Math.floor(seconds / 3600) })
  return <span className="tabular">{text}</span>
}
