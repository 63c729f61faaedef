import { type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { readMatching } from '#client/screen/read-matching.ts'
import { usePageQuery } from '#client/screen/use-list-query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import { useGridSelection } from '#client/ui/grid/use-grid-selection.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { type BlacklistRow, listBlacklist } from '#shared/customers/customer-list-api.ts'
import { BLACKLIST_CHANGED } from '#shared/customers/customers-live.ts'
import { type BlacklistRequest, BlacklistQuestions } from '../BlacklistQuestions.tsx'
import { customerPath, openCustomerWindow } from '../customer-words.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { BLACKLIST_COLUMNS } from './customer-columns.ts'
import { BLACKLIST_FILTERS, blacklistFields, blacklistInput } from './customer-filters.ts'

const EVENTS = [BLACKLIST_CHANGED.type]

export function BlacklistTab({ tabs }: { tabs: ReactNode }): ReactNode {
  const t = useCustomerText()
  const [, navigate] = useLocation()
  const { reason: offline } = useConnection()
  const mayEnd = usePermission(['customer_list:blacklist'])
  const url = useGridUrlState(BLACKLIST_FILTERS)
  const input = useMemo(() => blacklistInput(url.input), [url.input])
  const fields = useMemo(() => blacklistFields(t), [t])
  const list = usePageQuery<typeof listBlacklist, BlacklistRow>(listBlacklist, input, EVENTS)
  const selection = useGridSelection<BlacklistRow>(JSON.stringify(url.filters), () =>
    readMatching(list.query, getRowId),
  )
  const [confirming, setConfirming] = useState<BlacklistRequest | null>(null)
  useWatch('menu', 'customer_list')

  const open = ({ userId }: BlacklistRow, newWindow = false) =>
    newWindow ? openCustomerWindow(userId) : navigate(customerPath(userId))
  const ask = (rows: readonly BlacklistRow[]) =>
    setConfirming({
      kind: 'unblacklist',
      ids: rows.map((row) => row.blackId),
      names: rows.map((row) => row.userName),
    })
  const rowActions = (row: BlacklistRow): RowAction[] => [
    { id: 'open', text: t('action.open'), icon: 'document', onClick: () => open(row) },
    { id: 'window', text: t('action.window'), icon: 'share', onClick: () => open(row, true) },
    ...(mayEnd
      ? [
          {
            id: 'end',
            text: t('action.unblacklist'),
            icon: 'unlock',
            separated: true,
            disabledReason: row.endTime === null ? offline : t('problems:L-END'),
            onClick: () => ask([row]),
          } as const,
        ]
      : []),
  ]
  return (
    <>
      <FilterBar
        fields={fields}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <DataGrid<BlacklistRow>
        id="customer_list:blacklist"
        label={t('listTab.blacklist')}
        columns={BLACKLIST_COLUMNS[url.filters.ended === 'true' ? 'ended' : 'all']}
        query={list.query}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={rowActions}
        {...(mayEnd && url.filters.ended !== 'true' ? { selection } : {})}
        bulkBar={(chosen) => (
          <ActionButton
            icon="unlock"
            text={t('action.unblacklist')}
            disabledReason={offline}
            onClick={() => chosen.take(ask)}
          />
        )}
        toolbar={tabs}
        filters={url}
        emptyReason={{ text: t('list.noEntries') }}
      />
      <BlacklistQuestions
        request={confirming}
        onDone={() => {
          selection.clear()
          list.refetch()
        }}
        onClose={() => setConfirming(null)}
      />
    </>
  )
}

const getRowId = (row: BlacklistRow) => row.blackId
