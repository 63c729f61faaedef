/** Every loan order, in any state. */
import { useText } from '#client/base/use-text.ts'
import '../orders.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { askedAlready, withdrawAction } from '#client/screen/waiting-approval.ts'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import type { PendingApprovalRow } from '#shared/approvals/pending-approval.ts'
import { listOrders, orderOptions } from '#shared/orders/orders-api.ts'
import { canCancel, canCure, canExit } from '../order-rules.ts'
import type { OrderRow } from '../order-types.ts'
import { useRowLinks } from '../order-links.ts'
import { orderPath, statusWord } from '../order-words.ts'
import { ORDER_COLUMNS } from './order-columns.ts'
import { filterFields, listInput, ORDER_FILTERS, ORDER_VIEW } from './order-filters.ts'
import type { OrderFormRequest } from './OrderForm.tsx'
import { QuickViews } from './QuickViews.tsx'
import { useOrderList } from './use-order-list.ts'
import { WatchRows } from './WatchRows.tsx'

const MENU = 'order_list'
// Not needed for the first paint of the list.
const RevealDialog = lazy(() =>
  import('#client/features/customers/public.tsx').then((m) => ({ default: m.RevealDialog })),
)
// These load forms, dialogs and other features, which the list itself does not need.
const CancelOrder = lazy(() =>
  import('../CancelOrder.tsx').then((m) => ({ default: m.CancelOrder })),
)
const OrderForm = lazy(() => import('./OrderForm.tsx').then((m) => ({ default: m.OrderForm })))
const WithdrawRequest = lazy(() =>
  import('#client/features/approvals/public.tsx').then((m) => ({ default: m.WithdrawRequest })),
)
const Requests = lazy(() =>
  import('#client/features/approvals/public.tsx').then((m) => ({ default: m.Requests })),
)

export function Screen(): ReactNode {
  const { t } = useTranslation(['orders', 'ui'])
  const text = useText('orders')
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayCancel = usePermission(['order_list:cancel'])
  const mayRemark = usePermission(['order_list:remark'])
  const mayReveal = usePermission(['order_list:reveal'])
  const mayExit = usePermission(['order_list:coolingOff'])
  const mayCure = usePermission(['order_list:cure'])
  const mayApprove = usePermission(['order_list:approve'])
  const url = useGridUrlState(ORDER_FILTERS, ORDER_VIEW)
  const asked = useMemo(() => listInput(url.input), [url.input])
  const seesAll = user.scope.kind === 'all'
  const options = useQuery({
    ...queryOf(orderOptions, {}, { quiet: true }),
    staleTime: 10 * 60_000,
  })
  const { query, live, takeRow, reread } = useOrderList({
    endpoint: listOrders,
    input: asked.fault === null ? asked.input : null,
    filters: url.filters,
    view: url.view,
    key: url.key,
    seesAll,
  })
  const [cancelling, setCancelling] = useState<OrderRow | null>(null)
  const [revealing, setRevealing] = useState<OrderRow | null>(null)
  const [withdrawing, setWithdrawing] = useState<PendingApprovalRow | null>(null)
  const [confirming, setConfirming] = useState<OrderFormRequest | null>(null)
  const fields = useMemo(() => filterFields(text, options.data), [text, options.data])
  useWatch('menu', MENU)
  const columns = useRowLinks(ORDER_COLUMNS[wide ? 'wide' : 'narrow'], MENU)
  // The dialog shows the order in its current state, not as it was when the dialog opened.
  useEffect(
    () =>
      live.store.onPatched((rows) =>
        setCancelling((current) =>
          current ? (rows.find((row) => row.orderId === current.orderId) ?? current) : null,
        ),
      ),
    [live.store],
  )

  const open = ({ orderId }: OrderRow, newWindow: boolean) => {
    const path = orderPath(orderId, MENU)
    if (newWindow) window.open(path, '_blank', 'noopener')
    else navigate(path)
  }
  const rowActions = (row: OrderRow): RowAction[] => [
    { id: 'open', text: t('action.open'), icon: 'document', onClick: () => open(row, false) },
    ...(mayReveal
      ? [
          {
            id: 'reveal',
            text: t('action.revealPhone'),
            icon: 'eye-open',
            disabledReason: offline,
            onClick: () => setRevealing(row),
          } as const,
        ]
      : []),
    ...(mayRemark
      ? [
          {
            id: 'remark',
            text: t('action.remark'),
            icon: 'comment',
            disabledReason: offline,
            onClick: () => setConfirming({ what: 'remark', orderId: row.orderId }),
          } as const,
        ]
      : []),
    ...(mayExit
      ? [
          {
            id: 'coolingOff',
            text: t('action.coolingOff'),
            icon: 'undo',
            disabledReason: canExit(row.status, row.coolingOffUntil, serverNow())
              ? offline
              : t('refused.coolingOff'),
            onClick: () => setConfirming({ what: 'coolingOff', orderId: row.orderId }),
          } as const,
        ]
      : []),
    ...(mayCure
      ? [
          {
            id: 'cure',
            text: t('action.cure'),
            icon: 'calendar',
            disabledReason: canCure(row.status)
              ? (offline ?? askedAlready(row, 'cure', text))
              : t('refused.cure'),
            onClick: () => setConfirming({ what: 'cure', orderId: row.orderId }),
          } as const,
        ]
      : []),
    ...withdrawAction(row, { userId: user.userId, offline, t: text, onAsk: setWithdrawing }),
    ...(mayCancel
      ? [
          {
            id: 'cancel',
            text: t('action.cancel'),
            icon: 'ban-circle',
            intent: 'danger',
            separated: true,
            disabledReason: canCancel(row.status)
              ? offline
              : t('cancel.refused', { status: statusWord(row.status, text) }),
            onClick: () => setCancelling(row),
          } as const,
        ]
      : []),
  ]

  return (
    <div className="order-list">
      <h1 className="visually-hidden">{t('list.label')}</h1>
      <FilterBar
        fields={fields}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        <Suspense fallback={null}>
          {mayCure || mayApprove ? <Requests kind="cure" /> : null}
        </Suspense>
      </FilterBar>
      <DataGrid<OrderRow>
        id={MENU}
        label={t('list.label')}
        columns={columns}
        query={query}
        live={live}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={rowActions}
        filters={url}
        fault={asked.fault ? t(`fault.${asked.fault}`) : undefined}
        emptyReason={{ text: t('list.none'), ...(seesAll ? {} : { hint: t('list.scope') }) }}
        toolbar={
          <QuickViews
            chosen={url.filters.status}
            onChoose={(status) => url.setFilters({ status })}
          />
        }
      />
      {seesAll ? null : <WatchRows ids={live.order} />}
      <Suspense fallback={null}>
        <CancelOrder order={cancelling} onRow={takeRow} onClose={() => setCancelling(null)} />
      </Suspense>
      <Suspense fallback={null}>
        {revealing && (
          <RevealDialog
            userId={revealing.userId}
            name={revealing.userName}
            field={{ name: 'phone', value: revealing.phone }}
            onClose={() => setRevealing(null)}
          />
        )}
      </Suspense>
      <Suspense fallback={null}>
        {withdrawing === null ? null : (
          <WithdrawRequest
            approval={withdrawing}
            onDone={reread}
            onClose={() => setWithdrawing(null)}
          />
        )}
      </Suspense>
      <Suspense fallback={null}>
        {confirming === null ? null : (
          <OrderForm request={confirming} onClose={() => setConfirming(null)} />
        )}
      </Suspense>
    </div>
  )
}

const getRowId = (row: OrderRow) => row.orderId
