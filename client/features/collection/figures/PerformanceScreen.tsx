/** Who collected what: people, units, stages or days of a range, ranked. */
import '../collection.css'
import './figures.css'
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { listPerformance, PERFORMANCE_GROUPS } from '#shared/collection/figures-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { PERFORMANCE_COLUMNS, type PerformanceGroup } from './figure-columns.ts'
import {
  chosenRange,
  dayRange,
  KEPT_FIELDS,
  RANGE_FIELDS,
  UNIT_FIELDS,
  UNITS,
} from './figure-filters.ts'
import { FigureSum, type SumPart } from './FigureSum.tsx'
import { Ranking } from './Ranking.tsx'
import { FIGURES_MS } from './use-figures.ts'

/** For a viewer of scope own: units would only repeat their own line. */
const OWN_GROUPS: readonly PerformanceGroup[] = ['collector', 'stage', 'day']
const FILTERS = filtersOf({ ...RANGE_FIELDS, ...UNIT_FIELDS })

export const Screen = tabbedScreen<PerformanceGroup>({
  texts: ['collection'],
  menu: 'urge_performance',
  title: 'figures.group',
  // each group of the contract is one list
  tabs: Object.fromEntries(PERFORMANCE_GROUPS.map((group) => [group, linesBy(group)])) as Record<
    PerformanceGroup,
    ReturnType<typeof linesBy>
  >,
  offers: (group, { scope }) => scope.kind !== 'own' || OWN_GROUPS.includes(group),
  keeps: KEPT_FIELDS,
})

function linesBy(groupBy: PerformanceGroup) {
  const isRanked = groupBy !== 'stage' && groupBy !== 'day'
  return listBody({
    endpoint: listPerformance,
    rowId: 'key',
    texts: ['collection'],
    id: `urge_performance:${groupBy}`,
    columns: PERFORMANCE_COLUMNS[groupBy],
    filters: FILTERS,
    input: (query) => ({ ...listInput(listPerformance, query), ...dayRange(query), groupBy }),
    reads: [UNITS],
    everyMs: FIGURES_MS,
    empty: 'figures.none',
    emptyHint: ({ t }) => t('figures.noneHint'),
    around: (rows, context, answer) => (
      <>
        <FigureSum
          label={context.t('figures.sum')}
          range={chosenRange(context)}
          parts={answer === undefined ? null : sumOf(answer, context)}
        />
        <div className="figure-split">
          <div className="figure-grid">{rows}</div>
          {isRanked && context.user.scope.kind !== 'own' && (
            <Ranking groupBy={groupBy} context={context} />
          )}
        </div>
      </>
    ),
  })
}

function sumOf(
  { sum, rows, ranked }: DataOf<typeof listPerformance>,
  { t, user }: ListContext,
): SumPart[] {
  const rank = user.scope.kind === 'own' ? (rows[0]?.rank ?? null) : null
  return [
    { label: t('figures.col.recoveredAmount'), paise: sum.recoveredAmount },
    { label: t('figures.col.recoveryRate'), rate: sum.recoveryRate },
    { label: t('figures.col.allocatedCases'), count: sum.allocatedCases },
    { label: t('figures.col.contacted'), count: sum.contacted },
    { label: t('figures.col.reachRate'), rate: sum.reachRate },
    { label: t('figures.col.ptpKeptRate'), rate: sum.ptpKeptRate },
    ...(rank === null
      ? []
      : [{ label: t('figures.ownRank'), text: t('figures.rankOf', { rank, of: ranked }) }]),
  ]
}
