/** Who collected what: people, units, stages or days of a range, ranked. */
import { useText } from '#client/base/use-text.ts'
import '../collection.css'
import './figures.css'
import { type ReactNode, useMemo } from 'react'
import { useSearch, useSearchParams } from 'wouter'
import { useWatch } from '#client/live/watch.ts'
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { useListContext } from '#client/screen/list/use-list-context.ts'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { listPerformance, PERFORMANCE_GROUPS } from '#shared/collection/figures-api.ts'
import {
  PERFORMANCE_COLUMNS,
  type PerformanceGroup,
  type PerformanceLine,
} from './figure-columns.ts'
import {
  dayRange,
  FIGURE_FILTERS,
  figureInput,
  RANGE_FIELDS,
  UNIT_FIELDS,
  UNITS,
} from './figure-filters.ts'
import { FigureSum, rateText } from './FigureSum.tsx'
import { useFigures, useUnits } from './use-figures.ts'

/** For a viewer of scope own: units would only repeat their own line. */
const OWN_GROUPS: readonly PerformanceGroup[] = ['collector', 'stage', 'day']
const RANKED = 12
const TEXTS = ['collection']
const READS = [UNITS]
const FILTERS = filtersOf({ ...RANGE_FIELDS, ...UNIT_FIELDS })

export function Screen(): ReactNode {
  const t = useText('collection')
  const [, setQuery] = useSearchParams()
  const { ownOnly, viewer } = useUnits()
  const groups = ownOnly ? OWN_GROUPS : PERFORMANCE_GROUPS
  const requested = new URLSearchParams(useSearch()).get('by')
  const groupBy = groups.find((group) => group === requested) ?? 'collector'
  const url = useGridUrlState(FIGURE_FILTERS)
  const context = useListContext(TEXTS, url.filters, READS)
  const input = useMemo(() => ({ ...figureInput(url.input), groupBy }), [url.input, groupBy])
  const figures = useFigures(listPerformance, input)
  const ranking = useFigures(
    listPerformance,
    useMemo(
      () => ({ ...input, pageNum: 1, pageSize: RANKED, sort: 'recoveredAmount:desc' }),
      [input],
    ),
  )
  const { data } = figures
  const query = useMemo(
    () => figures.gridOf<PerformanceLine>(data?.rows, data?.total),
    [figures, data],
  )
  useWatch('menu', 'urge_performance')
  const choose = (next: PerformanceGroup) =>
    setQuery((now) => {
      const params = new URLSearchParams(now)
      params.set('by', next)
      for (const name of ['page', 'sort']) params.delete(name)
      return params
    })
  const isRanked = groupBy !== 'stage' && groupBy !== 'day' && !ownOnly
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.urge_performance')}</h1>
      <FilterBar
        fields={FILTERS.fields(context)}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <FigureSum
        label={t('figures.sum')}
        range={dayRange(url.input)}
        parts={
          data === undefined
            ? null
            : [
                { label: t('figures.col.recoveredAmount'), paise: data.sum.recoveredAmount },
                { label: t('figures.col.recoveryRate'), rate: data.sum.recoveryRate },
                { label: t('figures.col.allocatedCases'), count: data.sum.allocatedCases },
                { label: t('figures.col.contacted'), count: data.sum.contacted },
                { label: t('figures.col.reachRate'), rate: data.sum.reachRate },
                { label: t('figures.col.ptpKeptRate'), rate: data.sum.ptpKeptRate },
                ...(ownOnly && data.rows[0]?.rank != null
                  ? [
                      {
                        label: t('figures.ownRank'),
                        text: t('figures.rankOf', { rank: data.rows[0].rank, of: data.ranked }),
                      },
                    ]
                  : []),
              ]
        }
      />
      <div className="figure-split">
        <div className="figure-grid">
          <DataGrid<PerformanceLine>
            id={`urge_performance:${groupBy}`}
            label={t('menu.urge_performance')}
            columns={PERFORMANCE_COLUMNS[groupBy]}
            query={query}
            getRowId={(row) => row.key}
            getVersion={() => 1}
            view={url.view}
            onView={url.setView}
            filters={url}
            emptyReason={{ text: t('figures.none'), hint: t('figures.noneHint') }}
            toolbar={
              <Segmented
                label={t('figures.by')}
                value={groupBy}
                segments={groups.map((value) => ({ value, label: t(`figures.group.${value}`) }))}
                onChange={choose}
              />
            }
          />
        </div>
        {isRanked && <Ranking lines={ranking.data?.rows ?? []} selfId={viewer.userId} />}
      </div>
    </div>
  )
}

/** Sorted by amount recovered; the bar is the share of the first line. */
function Ranking({
  lines,
  selfId,
}: {
  lines: readonly PerformanceLine[]
  selfId: string
}): ReactNode {
  const t = useText('collection')
  const most = Math.max(1, ...lines.map(({ recoveredAmount }) => recoveredAmount))
  return (
    <aside className="figure-rank" aria-label={t('figures.ranking')}>
      <h2>{t('figures.ranking')}</h2>
      <ol>
        {lines.map((line) => (
          <li
            key={line.key}
            className={line.key === selfId ? 'is-self' : ''}
            title={`${line.name} · ${t('figures.col.recoveryRate')} ${rateText(line.recoveryRate)}`}
          >
            <span className="figure-rank-at tabular">{line.rank}</span>
            <span className="figure-rank-name">{line.name}</span>
            <Money paise={line.recoveredAmount} short />
            <span className="figure-track" aria-hidden="true">
              <span
                className="figure-fill"
                style={{ width: `${Math.max(0, (line.recoveredAmount * 100) / most)}%` }}
              />
            </span>
          </li>
        ))}
      </ol>
    </aside>
  )
}
