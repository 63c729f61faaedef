/** Loans from disbursement onward, and their payout attempts. */
import { useText } from '#client/base/use-text.ts'
import '../orders.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch, useSearchParams } from 'wouter'
import { RevealDialog } from '#client/features/customers/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { usePageQuery } from '#client/screen/use-list-query.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { copyText } from '#client/ui/value/copy.ts'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import {
  listLoans,
  listTransfers,
  LOAN_STATUSES,
  payoutVendors,
} from '#shared/orders/disbursement-api.ts'
import { PAYOUT_CHANGED } from '#shared/orders/orders-live.ts'
import { orderOptions } from '#shared/orders/orders-api.ts'
import { useRowLinks } from '../order-links.ts'
import { orderPath } from '../order-words.ts'
import { useOrderList } from '../list/use-order-list.ts'
import { LOAN_COLUMNS, type LoanRow, TRANSFER_COLUMNS, type TransferRow } from './loan-columns.ts'
import {
  LOAN_FILTERS,
  loanFields,
  loanInput,
  TRANSFER_FILTERS,
  transferFields,
  transferInput,
} from './loan-filters.ts'

const MENU = 'loan_list'
// loads the form library, which the list itself does not need
const HandleForm = lazy(() => import('./HandleForm.tsx').then((m) => ({ default: m.HandleForm })))
const ResolveForm = lazy(() =>
  import('./ResolveForm.tsx').then((m) => ({ default: m.ResolveForm })),
)
const TABS = ['loans', 'transfers'] as const
const PAYOUT = [PAYOUT_CHANGED.type]
const LOAN_CODES = LOAN_STATUSES.map(String)

export function Screen(): ReactNode {
  const { t } = useTranslation('orders')
  const [, setQuery] = useSearchParams()
  const maySeeTransfers = usePermission(['loan_list:transfer'])
  const tab =
    new URLSearchParams(useSearch()).get('tab') === 'transfers' && maySeeTransfers
      ? 'transfers'
      : 'loans'
  useWatch('menu', MENU)
  const tabs = maySeeTransfers && (
    <Segmented
      label={t('menu.loan_list')}
      value={tab}
      segments={TABS.map((value) => ({ value, label: t(`loan.tab.${value}`) }))}
      onChange={(next) => setQuery(() => new URLSearchParams({ tab: next }))}
    />
  )
  return (
    <div className="order-list">
      <h1 className="visually-hidden">{t('menu.loan_list')}</h1>
      {tab === 'loans' ? <Loans tabs={tabs} /> : <Transfers tabs={tabs} />}
    </div>
  )
}

function Loans({ tabs }: { tabs: ReactNode }): ReactNode {
  const { t } = useTranslation(['orders', 'ui'])
  const text = useText('orders')
  const [, navigate] = useLocation()
  const { user } = useSession()
  const wide = useMedia('(min-width: 1600px)')
  const columns = useRowLinks(LOAN_COLUMNS[wide ? 'wide' : 'narrow'], MENU)
  const url = useGridUrlState(LOAN_FILTERS, { sort: [{ field: 'createTime', dir: 'desc' }] })
  const asked = useMemo(() => loanInput(url.input), [url.input])
  const options = useQuery({
    ...queryOf(orderOptions, {}, { quiet: true }),
    staleTime: 10 * 60_000,
  })
  const vendors = useQuery({
    ...queryOf(payoutVendors, {}, { quiet: true }),
    staleTime: 10 * 60_000,
  })
  const mayReveal = usePermission(['loan_list:reveal'])
  const [revealing, setRevealing] = useState<LoanRow | null>(null)
  const { reason: offline } = useConnection()
  const { vendorCode, disburseTime, ...orderFilters } = url.filters
  const { query, live } = useOrderList({
    endpoint: listLoans,
    input: asked.fault === null ? asked.input : null,
    filters: {
      ...orderFilters,
      status: orderFilters.status?.length ? orderFilters.status : LOAN_CODES,
    },
    view: url.view,
    key: url.key,
    seesAll: user.scope.kind === 'all',
    narrowed: vendorCode !== undefined || disburseTime !== undefined,
    also: PAYOUT,
  })
  const open = ({ orderId }: LoanRow, newWindow: boolean) =>
    newWindow
      ? void window.open(orderPath(orderId, MENU), '_blank', 'noopener')
      : navigate(orderPath(orderId, MENU))
  return (
    <>
      <FilterBar
        fields={loanFields(text, options.data, vendors.data)}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <DataGrid<LoanRow>
        id={`${MENU}:loans`}
        label={t('loan.tab.loans')}
        columns={columns}
        query={query}
        live={live}
        getRowId={(row) => row.orderId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={(row) => [
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
        ]}
        toolbar={tabs}
        filters={url}
        fault={asked.fault ? t(`fault.${asked.fault}`) : undefined}
        emptyReason={{ text: t('loan.noLoans') }}
      />
      {revealing && (
        <RevealDialog
          userId={revealing.userId}
          name={revealing.userName}
          field={{ name: 'phone', value: revealing.phone }}
          onClose={() => setRevealing(null)}
        />
      )}
    </>
  )
}

function Transfers({ tabs }: { tabs: ReactNode }): ReactNode {
  const { t } = useTranslation(['orders', 'ui'])
  const text = useText('orders')
  const [, navigate] = useLocation()
  const wide = useMedia('(min-width: 1600px)')
  const columns = useRowLinks(TRANSFER_COLUMNS[wide ? 'wide' : 'narrow'], MENU)
  const url = useGridUrlState(TRANSFER_FILTERS, { sort: [{ field: 'createTime', dir: 'desc' }] })
  const input = useMemo(() => transferInput(url.input), [url.input])
  const vendors = useQuery({
    ...queryOf(payoutVendors, {}, { quiet: true }),
    staleTime: 10 * 60_000,
  })
  const mayReveal = usePermission(['loan_list:reveal'])
  const mayHandle = usePermission(['wait_relent:handle'])
  const [revealing, setRevealing] = useState<TransferRow | null>(null)
  const [handling, setHandling] = useState<TransferRow | null>(null)
  const [resolving, setResolving] = useState<TransferRow | null>(null)
  const { reason: offline } = useConnection()
  const list = usePageQuery<typeof listTransfers, TransferRow>(listTransfers, input, [])
  useLive(PAYOUT, useThrottled(list.refetch))
  const open = ({ orderId }: TransferRow, newWindow: boolean) =>
    newWindow
      ? void window.open(orderPath(orderId, MENU), '_blank', 'noopener')
      : navigate(orderPath(orderId, MENU))
  return (
    <>
      <FilterBar
        fields={transferFields(text, vendors.data)}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <DataGrid<TransferRow>
        id={`${MENU}:transfers`}
        label={t('loan.tab.transfers')}
        columns={columns}
        query={list.query}
        getRowId={(row) => row.transferId}
        getVersion={(row) => row.version}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={(row) => [
          { id: 'open', text: t('action.open'), icon: 'document', onClick: () => open(row, false) },
          {
            id: 'copy',
            text: t('loan.copyPlatformNo'),
            icon: 'duplicate',
            onClick: () => void copyText(row.platformOrderNo),
          },
          {
            id: 'copyVendor',
            text: t('loan.copyVendorNo'),
            icon: 'duplicate',
            disabledReason: row.vendorOrderNo === null && t('loan.noVendorNo'),
            onClick: () => void copyText(row.vendorOrderNo ?? ''),
          },
          ...(mayReveal
            ? [
                {
                  id: 'reveal',
                  text: t('action.revealAccount'),
                  icon: 'eye-open',
                  disabledReason: offline,
                  onClick: () => setRevealing(row),
                } as const,
              ]
            : []),
          ...(mayHandle
            ? [
                {
                  id: 'handle',
                  text: t('wait.handle'),
                  icon: 'take-action',
                  disabledReason: row.waits ? offline : t('rule.notFailed'),
                  onClick: () => setHandling(row),
                } as const,
              ]
            : []),
          ...(mayHandle && row.conflict !== null && row.conflictOutcome === null
            ? [
                {
                  id: 'resolve',
                  text: t('resolve.action'),
                  icon: 'issue',
                  disabledReason: offline,
                  onClick: () => setResolving(row),
                } as const,
              ]
            : []),
        ]}
        toolbar={tabs}
        filters={url}
        emptyReason={{ text: t('loan.noTransfers') }}
      />
      {revealing && (
        <RevealDialog
          userId={revealing.userId}
          name={revealing.payeeName}
          field={{ name: 'account', value: revealing.account, transferId: revealing.transferId }}
          onClose={() => setRevealing(null)}
        />
      )}
      <Suspense fallback={null}>
        {handling && (
          <HandleForm transfer={handling} onDone={list.refetch} onClose={() => setHandling(null)} />
        )}
        {resolving && (
          <ResolveForm
            transfer={resolving}
            onDone={list.refetch}
            onClose={() => setResolving(null)}
          />
        )}
      </Suspense>
    </>
  )
}
