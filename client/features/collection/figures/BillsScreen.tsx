/** Recovery bills: payments credited to who held the case when they were paid (screens.md 5.9). */
import '../collection.css'
import './figures.css'
import { type ReactNode, useMemo } from 'react'
import { useLocation } from 'wouter'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { listBills } from '#shared/collection/figures-api.ts'
import { useAwayLinks } from '../away-links.ts'
import { casePath } from '../desk/case-words.ts'
import { useSay } from '../use-say.ts'
import { type Bill, BILL_COLUMNS } from './figure-columns.ts'
import { dayRange, FIGURE_FILTERS, figureInput, rangeFields, unitFields } from './figure-filters.ts'
import { FigureSum } from './FigureSum.tsx'
import { useUnits } from './use-figures.ts'

const FILTERS = { ...FIGURE_FILTERS, channel: 'one', orderId: 'text', recordId: 'text' } as const
const CHANNELS = [1, 2, 3, 4] as const

export function Screen(): ReactNode {
  const t = useSay()
  const [, navigate] = useLocation()
  const { tree, ownOnly } = useUnits()
  const mayOpen = usePermission(['peded_list:view'])
  const columns = useAwayLinks(BILL_COLUMNS, 'recycle_bill')
  const url = useGridUrlState(FILTERS)
  const input = useMemo(() => {
    const { channel, ...rest } = figureInput(url.input)
    return { ...rest, ...(channel === undefined ? {} : { channel: Number(channel) }) }
  }, [url.input])
  const list = usePageQuery<typeof listBills, Bill>(listBills, input, ['repayment.changed'])
  const { data } = list
  useWatch('menu', 'recycle_bill')
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.recycle_bill')}</h1>
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
            name: 'channel',
            kind: 'one',
            label: t('figures.col.channel'),
            options: CHANNELS.map((value) => ({
              value: String(value),
              label: t(`figures.channel.${value}`),
            })),
          },
          { name: 'recordId', kind: 'text', label: t('figures.col.recordId') },
          ...unitFields(t, tree, ownOnly),
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <DataGrid<Bill>
        id="recycle_bill"
        label={t('menu.recycle_bill')}
        columns={columns}
        query={list.query}
        getRowId={(row) => row.billId}
        getVersion={() => 1}
        view={url.view}
        onView={url.setView}
        {...(mayOpen
          ? { onOpen: (row: Bill) => navigate(casePath(row.caseId, 'peded_list')) }
          : {})}
        filters={url}
        emptyReason={{ text: t('figures.noBills'), hint: t('figures.noneHint') }}
        toolbar={
          <FigureSum
            inBar
            label={t('figures.sum')}
            range={dayRange(url.input)}
            parts={
              data === undefined
                ? null
                : [
                    { label: t('figures.bills'), count: data.sum.bills },
                    { label: t('figures.col.amount'), paise: data.sum.amount },
                    { label: t('figures.col.principal'), paise: data.sum.principal },
                    { label: t('figures.col.fees'), paise: data.sum.fees },
                    { label: t('figures.col.commission'), paise: data.sum.commission },
                  ]
            }
          />
        }
      />
    </div>
  )
}
