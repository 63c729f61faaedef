/** The list of write-offs. */
import { lazyPart } from '#client/base/load-part.ts'
import '../repayments.css'
import { Requests } from '#client/features/approvals/public.tsx'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { linkAction, panelAction } from '#client/screen/list/list-actions.ts'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { batchWriteOff, launchWriteOff, listWriteOffs } from '#shared/repayments/write-offs-api.ts'
import { applyWriteOffEvents, WRITE_OFF_LIST_EVENTS } from '../list/payment-apply.ts'
import { followPayments } from '../list/payment-live.ts'
import type { WriteOffRow } from '../payment-types.ts'
import { WRITE_OFF_COLUMNS, writeOffStaff } from './write-off-columns.ts'
import { WRITE_OFF_FILTERS } from './write-off-filters.ts'
import { orderPath } from '#shared/orders/order-path.ts'

// these load the form library, which the list itself does not need
const WriteOffForm = lazyPart(() =>
  import('./WriteOffForm.tsx').then((m) => ({ default: m.WriteOffForm })),
)
const BatchWriteOffForm = lazyPart(() =>
  import('./BatchWriteOffForm.tsx').then((m) => ({ default: m.BatchWriteOffForm })),
)

/** Deciding uses the endpoints of approvals, so no endpoint here has this code. */
const APPROVES = { access: ['flat_management:approve'] } as const

const batchAction = panelAction<null>({
  id: 'batch',
  endpoint: batchWriteOff,
  text: 'action.batchWriteOff',
  icon: 'th-list',
  panel: (_, { close }) => <BatchWriteOffForm onClose={close} />,
})

const launchAction = panelAction<null>({
  id: 'launch',
  endpoint: launchWriteOff,
  text: 'action.writeOff',
  icon: 'confirm',
  panel: (_, { done, close }) => <WriteOffForm orderId={null} onDone={done} onClose={close} />,
})

const openAction = linkAction<WriteOffRow>({
  id: 'open',
  text: 'writeOff.openOrder',
  icon: 'document',
  path: ({ orderId }) => orderPath(orderId, 'flat_management'),
})

export const Screen = listScreen({
  endpoint: listWriteOffs,
  rowId: 'writeOffId',
  // `orders` has the texts of the resulting status
  texts: ['repayments', 'orders'],
  columns: ({ isWide }) => WRITE_OFF_COLUMNS[isWide ? 'wide' : 'narrow'],
  useColumns: useRowLinks,
  filters: WRITE_OFF_FILTERS,
  live: followPayments(WRITE_OFF_FILTERS.kinds, WRITE_OFF_LIST_EVENTS, applyWriteOffEvents),
  attendance: writeOffStaff,
  before: ({ may }) => (may(batchWriteOff) || may(APPROVES)) && <Requests menu="flat_management" />,
  buttons: [batchAction],
  create: launchAction,
  actions: [openAction],
  open: 'open',
  empty: 'list.noWriteOffs',
  emptyHint: ({ t, seesAll }) => (seesAll ? null : t('list.scope')),
})
