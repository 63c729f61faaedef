/** Failed disbursements: retry them or give them up, singly or in bulk. */
import '../orders.css'
import { Requests } from '#client/features/approvals/public.tsx'
import { reads } from '#client/screen/list/list-filters.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { isEmptyFilter } from '#client/ui/grid/grid-url.ts'
import { listWaiting, payoutVendors, redisburse } from '#shared/orders/disbursement-api.ts'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import { orderRules } from '../list/order-live.ts'
import { useRowLinks } from '../order-links.ts'
import { WAIT_COLUMNS } from './loan-columns.ts'
import { WAIT_FILTERS, waitFields } from './loan-filters.ts'
import { cancelMany, retryMany, waitActions } from './wait-actions.tsx'

/** Deciding uses the endpoints of approvals, so no endpoint here has this code. */
const APPROVES = { access: ['wait_relent:approve'] } as const
const FAILED = { status: ['31'] } as const
const PAYOUT = [PAYOUT_CHANGED.type]

export const Screen = listScreen({
  endpoint: listWaiting,
  rowId: 'orderId',
  texts: ['orders'],
  columns: ({ isWide }) => WAIT_COLUMNS[isWide ? 'wide' : 'narrow'],
  useColumns: useRowLinks,
  filters: { kinds: WAIT_FILTERS, fields: ({ t, read }) => waitFields(t, read(payoutVendors)) },
  sort: 'failTime:asc',
  reads: [reads(payoutVendors, {})],
  live: (context) =>
    orderRules(context, {
      filters: FAILED,
      narrowed: Object.values(context.filters(WAIT_FILTERS)).some((value) => !isEmptyFilter(value)),
      also: PAYOUT,
    }),
  before: ({ may }) => (may(redisburse) || may(APPROVES)) && <Requests menu="wait_relent" />,
  actions: waitActions,
  bulk: [retryMany, cancelMany],
  open: 'open',
  empty: 'wait.none',
})
