import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useLive } from '#client/live/use-live.ts'
import { useThrottled } from '#client/live/use-throttled.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { readMatching } from '#client/screen/read-matching.ts'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { usePageQuery } from '#client/screen/use-list-query.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import { isEmptyFilter } from '#client/ui/grid/grid-url.ts'
import { useGridSelection } from '#client/ui/grid/use-grid-selection.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import {
  type CustomerRow,
  customerOptions,
  listCustomers,
} from '#shared/customers/customer-list-api.ts'
import { BLACKLIST_CHANGED, CUSTOMER_CHANGED } from '#shared/customers/customers-live.ts'
import { ORDER_CREATED } from '#shared/orders/orders-live.ts'
import { type BlacklistRequest, BlacklistQuestions } from '../BlacklistQuestions.tsx'
import { customerPath, openCustomerWindow } from '../customer-words.ts'
import { RevealDialog } from '../RevealDialog.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { CUSTOMER_COLUMNS } from './customer-columns.ts'
import {
  CUSTOMER_FILTERS,
  customerFields,
  customerInput,
  NUMBER_FILTERS,
  type NumberFilters,
  type NumberName,
} from './customer-filters.ts'

const MENU = 'customer_list'
const EVENTS = [BLACKLIST_CHANGED.type]

export function CustomersTab({ tabs }: { tabs: ReactNode }): ReactNode {
  const t = useCustomerText()
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayReveal = usePermission(['customer_list:reveal'])
  const mayBlacklist = usePermission(['customer_list:blacklist'])
  const url = useGridUrlState(CUSTOMER_FILTERS)
  const [numbers, setNumbers] = useState<NumberFilters>({})
  const asked = useMemo(() => customerInput(url.input, numbers), [url.input, numbers])
  const options = useQuery({
    ...queryOf(customerOptions, {}, { quiet: true }),
    staleTime: 10 * 60_000,
  })
  const fields = useMemo(() => customerFields(t, options.data), [t, options.data])
  const list = usePageQuery<typeof listCustomers, CustomerRow>(
    listCustomers,
    asked.fault === null ? asked.input : null,
    EVENTS,
  )
  const selection = useGridSelection<CustomerRow>(JSON.stringify([url.filters, numbers]), () =>
    readMatching(list.query, getRowId),
  )
  const [confirming, setConfirming] = useState<BlacklistRequest | null>(null)
  const [revealing, setRevealing] = useState<CustomerRow | null>(null)
  const reread = useThrottled(list.refetch)
  useWatch('menu', MENU)
  // a new order or a repaid loan changes the customer's figures; events of customers not on the
  // page are ignored
  useLive([CUSTOMER_CHANGED.type, ORDER_CREATED.type], (events) => {
    const here = new Set(list.query.rows?.map((row) => row.userId))
    if (events.some((event) => here.has(String(event.data.userId)))) reread()
  })

  const open = ({ userId }: CustomerRow, newWindow = false) =>
    newWindow ? openCustomerWindow(userId) : navigate(customerPath(userId))
  const ask = (rows: readonly CustomerRow[]) =>
    setConfirming({
      kind: 'blacklist',
      ids: rows.map((row) => row.userId),
      names: rows.map((row) => row.name),
    })
  const rowActions = (row: CustomerRow): RowAction[] => [
    { id: 'open', text: t('action.open'), icon: 'document', onClick: () => open(row) },
    { id: 'window', text: t('action.window'), icon: 'share', onClick: () => open(row, true) },
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
    ...(mayBlacklist
      ? [
          {
            id: 'blacklist',
            text: t('action.blacklist'),
            icon: 'ban-circle',
            intent: 'danger',
            separated: true,
            disabledReason: row.blacklisted ? t('problems:L-ON') : offline,
            onClick: () => ask([row]),
          } as const,
        ]
      : []),
  ]
  const reset = () => {
    setNumbers({})
    url.resetFilters()
  }
  return (
    <>
      <FilterBar
        fields={fields}
        filters={{ ...url.filters, ...numbers }}
        onChange={(change, how) => {
          const own = Object.entries(change).filter(([name]) => name in NUMBER_FILTERS) as [
            NumberName,
            string | undefined,
          ][]
          if (own.length === 0) return url.setFilters(change, how)
          setNumbers((now) => ({ ...now, ...Object.fromEntries(own) }))
          url.setView({ page: 1 })
        }}
        onReset={reset}
      />
      <DataGrid<CustomerRow>
        id={MENU}
        label={t('menu.customer_list')}
        columns={CUSTOMER_COLUMNS[wide ? 'wide' : 'narrow']}
        query={list.query}
        getRowId={getRowId}
        getVersion={getVersion}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={rowActions}
        {...(mayBlacklist ? { selection } : {})}
        bulkBar={(chosen) => (
          <ActionButton
            icon="ban-circle"
            intent="danger"
            variant="outlined"
            text={t('action.blacklist')}
            disabledReason={offline}
            onClick={() => chosen.take(ask)}
          />
        )}
        toolbar={tabs}
        filters={{
          activeFilters:
            url.activeFilters +
            Object.values(numbers).filter((text) => !isEmptyFilter(text)).length,
          resetFilters: reset,
        }}
        fault={asked.fault ? t(`fault.filter.${asked.fault}`) : undefined}
        emptyReason={{
          text: t('list.none'),
          ...(user.scope.kind === 'all' ? {} : { hint: t('list.scope') }),
        }}
      />
      <BlacklistQuestions
        request={confirming}
        onDone={() => {
          selection.clear()
          list.refetch()
        }}
        onClose={() => setConfirming(null)}
      />
      {revealing !== null && (
        <RevealDialog
          userId={revealing.userId}
          name={revealing.name}
          field={{ name: 'phone', value: revealing.phone }}
          onClose={() => setRevealing(null)}
        />
      )}
    </>
  )
}

const getRowId = (row: CustomerRow) => row.userId
const getVersion = (row: CustomerRow) => row.version
