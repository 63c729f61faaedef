/** Reductions: launch, approve, track. */
import '../repayments.css'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { reads } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { ViewChips } from '#client/ui/grid/ViewChips.tsx'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { decideReductions, listReductions } from '#shared/repayments/reductions-api.ts'
import { applyReductionEvents, REDUCTION_LIST_EVENTS } from '../list/payment-apply.ts'
import { followPayments } from '../list/payment-live.ts'
import { approveMany, launchAction, reductionActions, rejectMany } from './reduction-actions.tsx'
import { REDUCTION_COLUMNS, reductionStaff } from './reduction-columns.ts'
import { REDUCTION_FILTERS } from './reduction-filters.ts'

const VIEWS = ['all', 'pending', 'approved', 'used'] as const
/** Rows the viewer has to decide come before the states. */
const DECIDER_VIEWS = ['all', 'toDecide', 'pending', 'approved', 'used'] as const
const isState = (view: string) => view !== 'all' && view !== 'toDecide'

export const Screen = listScreen({
  endpoint: listReductions,
  rowId: 'reduceId',
  texts: ['repayments'],
  columns: ({ isWide }) => REDUCTION_COLUMNS[isWide ? 'wide' : 'narrow'],
  useColumns: useRowLinks,
  filters: REDUCTION_FILTERS,
  reads: [reads(collectionTree, {})],
  live: followPayments(REDUCTION_FILTERS.kinds, REDUCTION_LIST_EVENTS, applyReductionEvents),
  attendance: reductionStaff,
  create: launchAction,
  actions: reductionActions,
  bulk: [approveMany, rejectMany],
  open: 'open',
  empty: 'list.noReductions',
  emptyHint: ({ t, seesAll }) => (seesAll ? null : t('list.scope')),
  toolbar({ t, may, filters, setFilters }) {
    const { toDecide, state } = filters(REDUCTION_FILTERS.kinds)
    return (
      <ViewChips
        views={may(decideReductions) ? DECIDER_VIEWS : VIEWS}
        chosen={toDecide === true ? 'toDecide' : (state ?? 'all')}
        textOf={(view) => t(isState(view) ? `reductionState.${view}` : `view.${view}`)}
        onChoose={(view) =>
          setFilters({
            state: isState(view) ? view : undefined,
            toDecide: view === 'toDecide' ? true : undefined,
          })
        }
      />
    )
  },
})
