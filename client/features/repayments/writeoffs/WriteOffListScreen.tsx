/** Write-offs: accounts settled in the books (screens.md 4.7). */
import '../repayments.css'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Requests } from '#client/features/approvals/public.tsx'
import { orderPath, useRowLinks } from '#client/features/orders/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/shell/use-media.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { listWriteOffs } from '#shared/repayments/write-offs-api.ts'
import { useAttendance } from '#client/shell/person-column.ts'
import { applyWriteOffEvents, WRITE_OFF_LIST_EVENTS } from '../list/payment-apply.ts'
import { useMoneyList } from '../list/use-money-list.ts'
import type { WriteOffRow } from '../payment-types.ts'
import { useSay } from '../use-say.ts'
import { WRITE_OFF_COLUMNS, writeOffStaff } from './write-off-columns.ts'
import { WRITE_OFF_FILTERS, writeOffFields, writeOffInput } from './write-off-filters.ts'

const MENU = 'flat_management'
// brings the form library, which the list itself does not need
const WriteOffForm = lazy(() =>
  import('./WriteOffForm.tsx').then((m) => ({ default: m.WriteOffForm })),
)
const BatchWriteOffForm = lazy(() =>
  import('./BatchWriteOffForm.tsx').then((m) => ({ default: m.BatchWriteOffForm })),
)

export function Screen(): ReactNode {
  const t = useSay()
  // the words of the resulting status
  useTranslation('orders')
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayLaunch = usePermission(['flat_management:launch', 'flat_management:operational'])
  const mayBatch = usePermission(['flat_management:batch'])
  const mayApprove = usePermission(['flat_management:approve'])
  const url = useGridUrlState(WRITE_OFF_FILTERS)
  const input = useMemo(() => writeOffInput(url.input), [url.input])
  const fields = useMemo(() => writeOffFields(t), [t])
  const { query, live } = useMoneyList<typeof listWriteOffs, WriteOffRow>({
    endpoint: listWriteOffs,
    input,
    url,
    idName: 'writeOffId',
    events: WRITE_OFF_LIST_EVENTS,
    apply: (rows, events) => applyWriteOffEvents(rows, events, url.filters, t('list.left')),
  })
  const [form, setForm] = useState<'one' | 'batch' | null>(null)
  useAttendance(writeOffStaff, MENU)
  const columns = useRowLinks(WRITE_OFF_COLUMNS[wide ? 'wide' : 'narrow'], MENU)

  const open = ({ orderId }: WriteOffRow, newWindow: boolean) => {
    const path = orderPath(orderId, MENU)
    if (newWindow) window.open(path, '_blank', 'noopener')
    else navigate(path)
  }
  const rowActions = (row: WriteOffRow): RowAction[] => [
    {
      id: 'open',
      text: t('writeOff.openOrder'),
      icon: 'document',
      onClick: () => open(row, false),
    },
  ]
  const close = () => setForm(null)
  return (
    <div className="money-list">
      <h1 className="visually-hidden">{t('menu.flat_management')}</h1>
      <FilterBar
        fields={fields}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {(mayBatch || mayApprove) && <Requests kind="batchWriteOff" />}
        {mayBatch && (
          <ActionButton
            icon="th-list"
            text={t('action.batchWriteOff')}
            disabledReason={offline}
            onClick={() => setForm('batch')}
          />
        )}
        {mayLaunch && (
          <ActionButton
            icon="confirm"
            intent="primary"
            text={t('action.writeOff')}
            disabledReason={offline}
            onClick={() => setForm('one')}
          />
        )}
      </FilterBar>
      <DataGrid<WriteOffRow>
        id={MENU}
        label={t('menu.flat_management')}
        columns={columns}
        query={query}
        live={live}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={rowActions}
        filters={url}
        emptyReason={{
          text: t('list.noWriteOffs'),
          ...(user.scope.kind === 'all' ? {} : { hint: t('list.scope') }),
        }}
      />
      <Suspense fallback={null}>
        {form === 'one' ? (
          <WriteOffForm orderId={null} onDone={() => query.refetch()} onClose={close} />
        ) : null}
        {form === 'batch' ? <BatchWriteOffForm onClose={close} /> : null}
      </Suspense>
    </div>
  )
}

const getRowId = (row: WriteOffRow) => row.writeOffId
