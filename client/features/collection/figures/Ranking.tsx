/** The first lines by amount recovered, however the list beside it is sorted. */
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useMemo } from 'react'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { Money } from '#client/ui/value/Money.tsx'
import { listPerformance } from '#shared/collection/figures-api.ts'
import type { PerformanceGroup } from './figure-columns.ts'
import { chosenRange, FIGURE_FILTERS } from './figure-filters.ts'
import { useFigures } from './use-figures.ts'
import { percentText } from '#client/ui/value/value-text.ts'

const RANKED = 12

export function Ranking({
  groupBy,
  context,
}: {
  groupBy: PerformanceGroup
  context: ListContext
}): ReactNode {
  const t = useText('collection')
  const { date: _, stageId, ...units } = context.filters(FIGURE_FILTERS)
  const { dateFrom, dateTo } = chosenRange(context)
  const inputKey = JSON.stringify({
    ...units,
    ...(stageId === undefined ? {} : { stageId: stageId.join(',') }),
  })
  const { data } = useFigures(
    listPerformance,
    useMemo(
      () => ({
        ...(JSON.parse(inputKey) as typeof units & { stageId?: string }),
        dateFrom,
        dateTo,
        groupBy,
        pageNum: 1,
        pageSize: RANKED,
        sort: 'recoveredAmount:desc',
      }),
      [inputKey, dateFrom, dateTo, groupBy],
    ),
  )
  const lines = data?.rows ?? []
  const most = Math.max(1, ...lines.map(({ recoveredAmount }) => recoveredAmount))
  return (
    <aside className="figure-rank" aria-label={t('figures.ranking')}>
      <h2>{t('figures.ranking')}</h2>
      <ol>
        {lines.map((line) => (
          <li
            key={line.key}
            className={line.key === context.user.userId ? 'is-self' : ''}
            title={`${line.name} · ${t('figures.col.recoveryRate')} ${percentText(line.recoveryRate)}`}
          >
            {/* nothing recovered is no rank */}
            <span className="figure-rank-at tabular">
              {line.recoveredAmount > 0 ? line.rank : '—'}
            </span>
            <span className="figure-rank-name">{line.name}</span>
            <Money paise={line.recoveredAmount} short />
            {/* the share of the first line */}
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
