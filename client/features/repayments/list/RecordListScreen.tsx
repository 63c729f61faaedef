/** Payments received: recorded and confirmed. Payments without a known loan come first. */
import '../repayments.css'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { lazyPart } from '#client/base/load-part.ts'
import { Requests } from '#client/features/approvals/public.tsx'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { ViewChips } from '#client/ui/grid/ViewChips.tsx'
import { PAY_STATES } from '#shared/repayments/payment-sets.ts'
import { listRecords, reverseRecord } from '#shared/repayments/repayments-api.ts'
import type { RecordRow } from '../payment-types.ts'
import { RECORD_COLUMNS, recordStaff } from './money-columns.ts'
import { applyRecordEvents, RECORD_LIST_EVENTS } from './payment-apply.ts'
import { followPayments } from './payment-live.ts'
import { bookAction, recordActions } from './record-actions.tsx'
import { RECORD_FILTERS, recordInput } from './record-filters.ts'

const VIEWS = ['all', ...PAY_STATES] as const
/** Deciding uses the endpoints of approvals, so no endpoint here has this code. */
const APPROVES = { access: ['repay_record:approve'] } as const
// loads the form library, which the list itself does not need
const RecordDrawer = lazyPart(() =>
  import('./RecordDrawer.tsx').then((m) => ({ default: m.RecordDrawer })),
)

export const Screen = listScreen({
  endpoint: listRecords,
  rowId: 'recordId',
  texts: ['repayments'],
  columns: ({ isWide }) => RECORD_COLUMNS[isWide ? 'wide' : 'narrow'],
  useColumns: useRowLinks,
  filters: RECORD_FILTERS,
  input: recordInput,
  live: followPayments(RECORD_FILTERS.kinds, RECORD_LIST_EVENTS, applyRecordEvents, [
    'reversePayment',
    'paymentStands',
  ]),
  attendance: recordStaff,
  before: ({ may }) => (may(reverseRecord) || may(APPROVES)) && <Requests menu="repay_record" />,
  create: bookAction,
  actions: recordActions,
  open: 'open',
  empty: 'list.noRecords',
  emptyHint: ({ t, seesAll }) => (seesAll ? null : t('list.scope')),
  toolbar: ({ t, filters, setFilters }) => (
    <ViewChips
      views={VIEWS}
      chosen={filters(RECORD_FILTERS.kinds).payState ?? 'all'}
      textOf={(view) => (view === 'all' ? t('view.all') : t(`payState.${view}`))}
      onChoose={(view) => setFilters({ payState: view === 'all' ? undefined : view })}
    />
  ),
  around: (rows, { takeRow }) => (
    <>
      {rows}
      <OpenRecord onRow={takeRow} />
    </>
  ),
})

/** The payment that `?open=` in the address names. */
function OpenRecord({ onRow }: { onRow: (row: RecordRow) => void }): ReactNode {
  const [params, setParams] = useSearchParams()
  const openId = params.get('open')
  const close = () =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      next.delete('open')
      return next
    })
  return openId === null ? null : (
    <RecordDrawer key={openId} recordId={openId} onRow={onRow} onClose={close} />
  )
}
