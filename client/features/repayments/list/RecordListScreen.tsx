/** Money received: book it, confirm it (screens.md 4.4). Money that nobody could place stands first. */
import '../repayments.css'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Requests, WithdrawRequest } from '#client/features/approvals/public.tsx'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/shell/use-media.ts'
import { askedAlready, withdrawAction } from '#client/shell/waiting-approval.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { ViewChips } from '#client/ui/ViewChips.tsx'
import type { PendingApprovalRow } from '#shared/approvals/pending-approval.ts'
import { PAY_STATES } from '#shared/repayments/payment-sets.ts'
import { listRecords } from '#shared/repayments/repayments-api.ts'
import { type AskedPayment, ConfirmPayment } from '../forms/ConfirmPayment.tsx'
import { confirmRefusal, failRefusal } from '../forms/payment-rules.ts'
import { ReversePayment } from '../forms/ReversePayment.tsx'
import type { RecordRow } from '../payment-types.ts'
import { openRecordPath } from '../payment-words.ts'
import { useSay } from '../use-say.ts'
import { RECORD_COLUMNS, recordStaff } from './money-columns.ts'
import { applyRecordEvents, RECORD_LIST_EVENTS } from './payment-apply.ts'
import { useAttendance } from '#client/shell/person-column.ts'
import { RECORD_FILTERS, recordFields, recordInput } from './record-filters.ts'
import { useMoneyList } from './use-money-list.ts'

const MENU = 'repay_record'
/** What waits, what came, what did not. */
const VIEWS = ['all', ...PAY_STATES] as const
// brings the form library, which the list itself does not need
const RepaymentForm = lazy(() =>
  import('../forms/RepaymentForm.tsx').then((m) => ({ default: m.RepaymentForm })),
)
const RecordDrawer = lazy(() =>
  import('./RecordDrawer.tsx').then((m) => ({ default: m.RecordDrawer })),
)

export function Screen(): ReactNode {
  const t = useSay()
  const [params, setParams] = useSearchParams()
  const openId = params.get('open')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayAdd = usePermission(['repay_record:add'])
  const mayConfirm = usePermission(['repay_record:confirm'])
  const mayReverse = usePermission(['repay_record:reverse'])
  const mayApprove = usePermission(['repay_record:approve'])
  const url = useGridUrlState(RECORD_FILTERS)
  const asked = useMemo(() => recordInput(url.input), [url.input])
  const fields = useMemo(() => recordFields(t), [t])
  const { query, live, takeRow } = useMoneyList<typeof listRecords, RecordRow>({
    endpoint: listRecords,
    input: asked.fault === null ? asked.input : null,
    url,
    idName: 'recordId',
    waitsFor: 'reversePayment',
    events: RECORD_LIST_EVENTS,
    apply: (rows, events) => applyRecordEvents(rows, events, url.filters, t('list.left')),
  })
  const [booking, setBooking] = useState(false)
  const [reversing, setReversing] = useState<RecordRow | null>(null)
  const [asking, setAsking] = useState<AskedPayment | null>(null)
  const [withdrawing, setWithdrawing] = useState<PendingApprovalRow | null>(null)
  useAttendance(recordStaff, MENU)
  const columns = useRowLinks(RECORD_COLUMNS[wide ? 'wide' : 'narrow'], MENU)

  const show = (recordId: string | null) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      if (recordId === null) next.delete('open')
      else next.set('open', recordId)
      return next
    })
  const open = ({ recordId }: RecordRow, newWindow: boolean) => {
    if (newWindow) window.open(openRecordPath(recordId), '_blank', 'noopener')
    else show(recordId)
  }
  const why = (key: string | null) => (key === null ? offline : t(key))
  const rowActions = (record: RecordRow): RowAction[] => [
    { id: 'open', text: t('action.open'), icon: 'document', onClick: () => open(record, false) },
    ...(mayConfirm && record.payState === 'inProgress'
      ? [
          {
            id: 'confirm',
            text: t('confirm.success'),
            icon: 'tick',
            disabledReason: why(confirmRefusal(record, user.userId)),
            onClick: () => setAsking({ record, result: 'success' }),
          } as const,
          {
            id: 'fail',
            text: t('confirm.fail'),
            icon: 'cross',
            intent: 'danger',
            disabledReason: why(failRefusal(record, user.userId)),
            onClick: () => setAsking({ record, result: 'fail' }),
          } as const,
        ]
      : []),
    ...(mayReverse && record.payState === 'success'
      ? [
          {
            id: 'reverse',
            text: t('reverse.action'),
            icon: 'undo',
            intent: 'danger',
            disabledReason:
              record.reversedTime === null
                ? (offline ?? askedAlready(record, 'reversePayment', t))
                : t('refused.reversed'),
            onClick: () => setReversing(record),
          } as const,
        ]
      : []),
    ...withdrawAction(record, { userId: user.userId, offline, t, onAsk: setWithdrawing }),
  ]
  return (
    <div className="money-list">
      <h1 className="visually-hidden">{t('menu.repay_record')}</h1>
      <FilterBar
        fields={fields}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {(mayReverse || mayApprove) && <Requests kind="reversePayment" />}
        {mayAdd && (
          <ActionButton
            icon="plus"
            intent="primary"
            text={t('action.add')}
            disabledReason={offline}
            onClick={() => setBooking(true)}
          />
        )}
      </FilterBar>
      <DataGrid<RecordRow>
        id={MENU}
        label={t('menu.repay_record')}
        columns={columns}
        query={query}
        live={live}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={rowActions}
        toolbar={
          <ViewChips
            views={VIEWS}
            chosen={url.filters.payState ?? 'all'}
            textOf={(view) => (view === 'all' ? t('view.all') : t(`payState.${view}`))}
            onChoose={(view) => url.setFilters({ payState: view === 'all' ? undefined : view })}
          />
        }
        filters={url}
        fault={asked.fault ? t(`fault.filter.${asked.fault}`) : undefined}
        emptyReason={{
          text: t('list.noRecords'),
          ...(user.scope.kind === 'all' ? {} : { hint: t('list.scope') }),
        }}
      />
      <Suspense fallback={null}>
        {booking ? <RepaymentForm orderId={null} onClose={() => setBooking(false)} /> : null}
      </Suspense>
      <Suspense fallback={null}>
        {openId === null ? null : (
          <RecordDrawer key={openId} recordId={openId} onRow={takeRow} onClose={() => show(null)} />
        )}
      </Suspense>
      {reversing !== null && (
        <ReversePayment
          record={reversing}
          onDone={() => query.refetch()}
          onClose={() => setReversing(null)}
        />
      )}
      <Suspense fallback={null}>
        {withdrawing === null ? null : (
          <WithdrawRequest
            approval={withdrawing}
            onDone={() => query.refetch()}
            onClose={() => setWithdrawing(null)}
          />
        )}
      </Suspense>
      <ConfirmPayment asked={asking} onRow={takeRow} onClose={() => setAsking(null)} />
    </div>
  )
}

const getRowId = (row: RecordRow) => row.recordId
