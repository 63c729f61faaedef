/** Reduction bills: what was given up per person and unit, against what their role may ask for (screens.md 5.10). */
import '../collection.css'
import './figures.css'
import { type ReactNode, useMemo } from 'react'
import { useLocation } from 'wouter'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { listReductionBills } from '#shared/collection/figures-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { REDUCTION_STATES } from '#shared/repayments/reduction-sets.ts'
import { useAwayLinks } from '../away-links.ts'
import { casePath } from '../desk/case-words.ts'
import { useSay } from '../use-say.ts'
import { REDUCTION_COLUMNS, type ReductionBill } from './figure-columns.ts'
import { dayRange, FIGURE_FILTERS, figureInput, rangeFields, unitFields } from './figure-filters.ts'
import { FigureSum } from './FigureSum.tsx'
import { useFigures, useUnits } from './use-figures.ts'

const FILTERS = { ...FIGURE_FILTERS, state: 'one', orderId: 'text', reduceId: 'text' } as const

export function Screen(): ReactNode {
  const t = useSay()
  const [, navigate] = useLocation()
  const { tree, ownOnly } = useUnits()
  const mayOpen = usePermission(['peded_list:view'])
  const columns = useAwayLinks(REDUCTION_COLUMNS, 'decrease_bill')
  const url = useGridUrlState(FILTERS)
  const input = useMemo(
    () => figureInput(url.input) as unknown as InputOf<typeof listReductionBills>,
    [url.input],
  )
  const figures = useFigures(listReductionBills, input)
  const { data } = figures
  const query = useMemo(
    () => figures.gridOf<ReductionBill>(data?.rows, data?.total),
    [figures, data],
  )
  useWatch('menu', 'decrease_bill')
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.decrease_bill')}</h1>
      <FilterBar
        fields={[
          {
            name: 'orderId',
            kind: 'text',
            label: t('desk.col.orderId'),
            place: 'quick',
            placeholder: t('desk.col.orderId'),
          },
          ...rangeFields(t),
          {
            name: 'state',
            kind: 'one',
            label: t('desk.col.state'),
            place: 'bar',
            options: REDUCTION_STATES.map((value) => ({
              value,
              label: t(`figures.reduceState.${value}`),
            })),
          },
          { name: 'reduceId', kind: 'text', label: t('figures.col.reduceId') },
          ...unitFields(t, tree, ownOnly),
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <DataGrid<ReductionBill>
        id="decrease_bill"
        label={t('menu.decrease_bill')}
        columns={columns}
        query={query}
        getRowId={(row) => row.reduceId}
        getVersion={() => 1}
        view={url.view}
        onView={url.setView}
        {...(mayOpen
          ? {
              onOpen: (row: ReductionBill) => {
                if (row.caseId !== null) navigate(casePath(row.caseId, 'peded_list'))
              },
            }
          : {})}
        filters={url}
        emptyReason={{ text: t('figures.noReductions'), hint: t('figures.noneHint') }}
        toolbar={
          <FigureSum
            inBar
            label={t('figures.sum')}
            range={dayRange(url.input)}
            parts={
              data === undefined
                ? null
                : [
                    { label: t('figures.reductions'), count: data.sum.reductions },
                    { label: t('figures.col.reduceAmount'), paise: data.sum.reduceAmount },
                    { label: t('figures.col.usedAmount'), paise: data.sum.usedAmount },
                    { label: t('figures.col.recoveredAmount'), paise: data.sum.recoveredAmount },
                  ]
            }
          />
        }
      />
    </div>
  )
}
