/** Every loan order, in any state. */
import '../orders.css'
import { Requests } from '#client/features/approvals/public.tsx'
import { lazyPart } from '#client/base/load-part.ts'
import { reads } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { listOrders, orderOptions } from '#shared/orders/orders-api.ts'
import { cureOrder } from '#shared/repayments/settlements-api.ts'
import { useRowLinks } from '../order-links.ts'
import { orderActions } from './order-actions.tsx'
import { ORDER_COLUMNS } from './order-columns.ts'
import { filterFields, orderInput, ORDER_FILTERS } from './order-filters.ts'
import { orderRules } from './order-live.ts'
import { QuickViews } from './QuickViews.tsx'

const WatchedRows = lazyPart(() =>
  import('./WatchedRows.tsx').then((m) => ({ default: m.WatchedRows })),
)

/** Deciding uses the endpoints of approvals, so no endpoint here has this code. */
const APPROVES = { access: ['order_list:approve'] } as const

export const Screen = listScreen({
  endpoint: listOrders,
  rowId: 'orderId',
  texts: ['orders'],
  label: 'list.label',
  columns: ({ isWide }) => ORDER_COLUMNS[isWide ? 'wide' : 'narrow'],
  useColumns: useRowLinks,
  filters: { kinds: ORDER_FILTERS, fields: ({ t, read }) => filterFields(t, read(orderOptions)) },
  sort: 'createTime:desc',
  input(query, { t }) {
    const { input, fault } = orderInput(query)
    return fault === null ? input : t(`fault.${fault}`)
  },
  reads: [reads(orderOptions, {})],
  live: (context) => orderRules(context, { filters: context.filters(ORDER_FILTERS) }),
  before: ({ may }) => (may(cureOrder) || may(APPROVES)) && <Requests menu="order_list" />,
  actions: orderActions,
  open: 'open',
  empty: 'list.none',
  emptyHint: ({ t, seesAll }) => (seesAll ? null : t('list.scope')),
  toolbar: ({ filters, setFilters }) => (
    <QuickViews
      chosen={filters(ORDER_FILTERS).status}
      onChoose={(status) => setFilters({ status })}
    />
  ),
  around: (rows, { seesAll }, answer) => (
    <>
      {rows}
      {!seesAll && <WatchedRows ids={(answer?.rows ?? []).map(({ orderId }) => orderId)} />}
    </>
  ),
})
