/** Failed disbursements: retry them or give them up, singly or in bulk. */
import { useText } from '#client/base/use-text.ts'
import '../orders.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Requests, WithdrawRequest } from '#client/features/approvals/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { call } from '#client/session/call.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { readMatching } from '#client/screen/read-matching.ts'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { askedAlready, withdrawAction } from '#client/screen/waiting-approval.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import { type ChosenRows, useGridSelection } from '#client/ui/grid/use-grid-selection.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import type { PendingApprovalRow } from '#shared/approvals/pending-approval.ts'
import { listWaiting, payoutVendors, previewFailed } from '#shared/orders/disbursement-api.ts'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import { useRowLinks } from '../order-links.ts'
import { orderPath } from '../order-words.ts'
import { useOrderList } from '../list/use-order-list.ts'
import { type RetryRequest, RetryQuestion } from './RetryQuestion.tsx'
import { WAIT_COLUMNS, type WaitRow } from './loan-columns.ts'
import { WAIT_FILTERS, waitFields, waitInput } from './loan-filters.ts'

const MENU = 'wait_relent'
// loads the form library, which the list itself does not need
const HandleForm = lazy(() => import('./HandleForm.tsx').then((m) => ({ default: m.HandleForm })))
const FAILED = { status: ['31'] } as const
const PAYOUT = [PAYOUT_CHANGED.type]

export function Screen(): ReactNode {
  const { t } = useTranslation(['orders', 'ui'])
  const text = useText('orders')
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayRetry = usePermission(['wait_relent:redisburse'])
  const mayApprove = usePermission(['wait_relent:approve'])
  const mayCancel = usePermission(['wait_relent:cancel'])
  const mayHandle = usePermission(['wait_relent:handle'])
  const url = useGridUrlState(WAIT_FILTERS, { sort: [{ field: 'failTime', dir: 'asc' }] })
  const input = useMemo(() => waitInput(url.input), [url.input])
  const vendors = useQuery({
    ...queryOf(payoutVendors, {}, { quiet: true }),
    staleTime: 10 * 60_000,
  })
  const { query, live, reread } = useOrderList({
    endpoint: listWaiting,
    input,
    filters: FAILED,
    view: url.view,
    key: url.key,
    seesAll: user.scope.kind === 'all',
    narrowed: url.activeFilters > 0,
    also: PAYOUT,
  })
  const selection = useGridSelection<WaitRow>(JSON.stringify(url.filters), () =>
    readMatching(query, getRowId),
  )
  const [confirming, setConfirming] = useState<RetryRequest | null>(null)
  const [handling, setHandling] = useState<WaitRow | null>(null)
  const [withdrawing, setWithdrawing] = useState<PendingApprovalRow | null>(null)
  useWatch('menu', MENU)
  const columns = useRowLinks(WAIT_COLUMNS[wide ? 'wide' : 'narrow'], MENU)

  const open = ({ orderId }: WaitRow, newWindow: boolean) =>
    newWindow
      ? void window.open(orderPath(orderId, MENU), '_blank', 'noopener')
      : navigate(orderPath(orderId, MENU))
  /** Opens the preview first; if the preview is refused, the request layer shows the error. */
  const ask = async (action: RetryRequest['action'], orderIds: readonly string[]) => {
    const preview = await call(previewFailed, { orderIds: [...orderIds], action }).catch(() => null)
    if (preview) setConfirming({ action, ...preview })
  }
  const rowActions = (row: WaitRow): RowAction[] => [
    { id: 'open', text: t('action.open'), icon: 'document', onClick: () => open(row, false) },
    ...(mayRetry
      ? [
          {
            id: 'redisburse',
            text: t('wait.redisburse'),
            icon: 'redo',
            disabledReason:
              row.status === 31
                ? (offline ?? askedAlready(row, 'redisburse', text))
                : t('rule.notFailed'),
            onClick: () => void ask('redisburse', [row.orderId]),
          } as const,
        ]
      : []),
    ...(mayHandle
      ? [
          {
            id: 'handle',
            text: t('wait.handle'),
            icon: 'take-action',
            disabledReason: row.status === 31 ? offline : t('rule.notFailed'),
            onClick: () => setHandling(row),
          } as const,
        ]
      : []),
    ...withdrawAction(row, { userId: user.userId, offline, t: text, onAsk: setWithdrawing }),
    ...(mayCancel
      ? [
          {
            id: 'cancel',
            text: t('wait.cancel'),
            icon: 'ban-circle',
            intent: 'danger',
            separated: true,
            disabledReason: row.status === 31 ? offline : t('rule.notFailed'),
            onClick: () => void ask('cancel', [row.orderId]),
          } as const,
        ]
      : []),
  ]
  return (
    <div className="order-list">
      <h1 className="visually-hidden">{t('menu.wait_relent')}</h1>
      <FilterBar
        fields={waitFields(text, vendors.data)}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {(mayApprove || mayRetry) && <Requests kind="redisburse" />}
      </FilterBar>
      <DataGrid<WaitRow>
        id={MENU}
        label={t('menu.wait_relent')}
        columns={columns}
        query={query}
        live={live}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={rowActions}
        {...(mayRetry || mayCancel
          ? {
              selection,
              bulkBar: (chosen: ChosenRows<WaitRow>) => (
                <>
                  {mayRetry && (
                    <ActionButton
                      size="small"
                      icon="redo"
                      intent="primary"
                      text={t('wait.redisburse')}
                      disabledReason={offline}
                      onClick={() => chosen.take((rows) => ask('redisburse', rows.map(getRowId)))}
                    />
                  )}
                  {mayCancel && (
                    <ActionButton
                      size="small"
                      icon="ban-circle"
                      intent="danger"
                      variant="outlined"
                      text={t('wait.cancel')}
                      disabledReason={offline}
                      onClick={() => chosen.take((rows) => ask('cancel', rows.map(getRowId)))}
                    />
                  )}
                </>
              ),
            }
          : {})}
        filters={url}
        emptyReason={{ text: t('wait.none') }}
      />
      <RetryQuestion
        request={confirming}
        onDone={() => {
          selection.clear()
          reread()
        }}
        onClose={() => setConfirming(null)}
      />
      <Suspense fallback={null}>
        {withdrawing && (
          <WithdrawRequest
            approval={withdrawing}
            onDone={reread}
            onClose={() => setWithdrawing(null)}
          />
        )}
        {handling && (
          <HandleForm
            transfer={{
              ...handling,
              version: handling.transferVersion,
              amount: handling.arrivalAmount,
            }}
            onDone={reread}
            onClose={() => setHandling(null)}
          />
        )}
      </Suspense>
    </div>
  )
}

const getRowId = (row: WaitRow) => row.orderId
