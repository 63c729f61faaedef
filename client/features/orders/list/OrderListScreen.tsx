/** Every loan order in any state (screens.md 4.2). */
import '../orders.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/shell/use-media.ts'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { listOrders, orderOptions } from '#shared/orders/orders-api.ts'
import { CancelOrder } from '../CancelOrder.tsx'
import { canCancel } from '../order-rules.ts'
import type { OrderRow } from '../order-types.ts'
import { orderPath, type Say, statusWord } from '../order-words.ts'
import { ORDER_COLUMNS } from './order-columns.ts'
import { filterFields, listInput, ORDER_FILTERS, ORDER_VIEW } from './order-filters.ts'
import { QuickViews } from './QuickViews.tsx'
import { useOrderList } from './use-order-list.ts'
import { WatchRows } from './WatchRows.tsx'

const MENU = 'order_list'
// Brings the form library, which the list itself does not need.
const RemarkOrder = lazy(() => import('../RemarkOrder.tsx').then((m) => ({ default: m.RemarkOrder })))

export function Screen(): ReactNode {
  const { t } = useTranslation(['orders', 'ui'])
  const say = t as unknown as Say
  const [, navigate] = useLocation()
  const { user, index } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayCancel = usePermission(['order_list:cancel'])
  const mayRemark = usePermission(['order_list:remark'])
  const url = useGridUrlState(ORDER_FILTERS, ORDER_VIEW)
  const asked = useMemo(() => listInput(url.input), [url.input])
  const seesAll = user.scope.kind === 'all'
  const options = useQuery({ ...queryOf(orderOptions, {}, { quiet: true }), staleTime: 10 * 60_000 })
  const { query, live, takeRow } = useOrderList({ endpoint: listOrders, input: asked.input, impossible: asked.fault !== null, filters: url.filters, view: url.view, key: url.key, seesAll })
  const [cancelling, setCancelling] = useState<OrderRow | null>(null)
  const [remarking, setRemarking] = useState<string | null>(null)
  const fields = useMemo(() => filterFields(say, options.data), [say, options.data])
  useWatch('menu', MENU)
  // The question is about the order as it is now, not as it was when it was asked.
  useEffect(() => live.store.onPatched((rows) => setCancelling((asking) => (asking ? (rows.find((row) => row.orderId === asking.orderId) ?? asking) : null))), [live.store])

  const open = ({ orderId }: OrderRow, newWindow: boolean) => {
    const path = orderPath(orderId, MENU)
    if (newWindow) window.open(path, '_blank', 'noopener')
    else navigate(path)
  }
  const rowActions = (row: OrderRow): RowAction[] => [
    { id: 'open', text: t('action.open'), icon: 'document', onClick: () => open(row, false) },
    ...(mayRemark ? [{ id: 'remark', text: t('action.remark'), icon: 'comment', disabledReason: offline, onClick: () => setRemarking(row.orderId) } as const] : []),
    ...(mayCancel
      ? [{
          id: 'cancel', text: t('action.cancel'), icon: 'ban-circle', intent: 'danger', separated: true,
          disabledReason: canCancel(row.status) ? offline : t('cancel.refused', { status: statusWord(row.status, say) }),
          onClick: () => setCancelling(row),
        } as const]
      : []),
  ]

  return (
    <div className="order-list">
      <h1 className="visually-hidden">{t('list.label')}</h1>
      <FilterBar fields={fields} filters={url.filters} onChange={url.setFilters} onReset={url.resetFilters} />
      <DataGrid<OrderRow>
        id={MENU}
        label={t('list.label')}
        columns={ORDER_COLUMNS[wide ? 'wide' : 'narrow'][index.byName.has('review_list') ? 'linked' : 'plain']}
        query={query}
        live={live}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={rowActions}
        emptyReason={emptyReason()}
        toolbar={<QuickViews chosen={url.filters.status} onChoose={(status) => url.setFilters({ status })} />}
      />
      {seesAll ? null : <WatchRows ids={live.order} />}
      <CancelOrder order={cancelling} onRow={takeRow} onClose={() => setCancelling(null)} />
      <Suspense fallback={null}>{remarking === null ? null : <RemarkOrder orderId={remarking} onClose={() => setRemarking(null)} />}</Suspense>
    </div>
  )

  function emptyReason(): { text: string; hint?: string; action?: { text: string; onClick: () => void } } {
    if (url.activeFilters > 0) return { text: t('list.noMatch'), ...(asked.fault ? { hint: t(`fault.${asked.fault}`) } : {}), action: { text: t('ui:filter.clearAll'), onClick: url.resetFilters } }
    return { text: t('list.none'), ...(seesAll ? {} : { hint: t('list.scope') }) }
  }
}

const getRowId = (row: OrderRow) => row.orderId
