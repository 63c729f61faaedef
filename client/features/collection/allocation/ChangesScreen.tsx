/** Requests to move cases, and the log of every move (screens.md 4.8). */
import '../collection.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { readMatching } from '#client/session/read-matching.ts'
import { useSession } from '#client/session/session-store.ts'
import { useAttendance } from '#client/shell/person-column.ts'
import { useBulk } from '#client/shell/use-bulk.tsx'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import { Segmented } from '#client/ui/Segmented.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { useGridSelection } from '#client/ui/useGridSelection.ts'
import { decideChange, listChanges, listMoves } from '#shared/collection/allocation-api.ts'
import { collectionTree } from '#shared/collection/setup-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { useAwayLinks } from '../away-links.ts'
import { casePath } from '../desk/case-words.ts'
import { useSay } from '../use-say.ts'
import {
  type Change,
  CHANGE_COLUMNS,
  type Move,
  MOVE_COLUMNS,
  moversHere,
} from './change-columns.ts'
import {
  CHANGE_FILTERS,
  changeFields,
  MOVE_FILTERS,
  moveFields,
  rangeInput,
} from './change-filters.ts'
import { LaunchChange } from './LaunchChange.tsx'

export function Screen(): ReactNode {
  const t = useSay()
  const [, setQuery] = useSearchParams()
  const tab = new URLSearchParams(useSearch()).get('tab') === 'log' ? 'log' : 'requests'
  useAttendance(moversHere, 'change_case')
  const tabs = (
    <Segmented
      label={t('menu.change_case')}
      value={tab}
      segments={(['requests', 'log'] as const).map((value) => ({
        value,
        label: t(`change.tab.${value}`),
      }))}
      onChange={(next) => setQuery(() => new URLSearchParams({ tab: next }))}
    />
  )
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.change_case')}</h1>
      {tab === 'requests' ? <Requests tabs={tabs} /> : <Log tabs={tabs} />}
    </div>
  )
}

const TREE = { ...queryOf(collectionTree, {}, { quiet: true }), staleTime: 60_000 }
const getChangeId = (row: Change) => row.changeId

function Requests({ tabs }: { tabs: ReactNode }): ReactNode {
  const t = useSay()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const mayLaunch = usePermission(['change_case:launch'])
  const mayDecide = usePermission(['change_case:decide'])
  const url = useGridUrlState(CHANGE_FILTERS)
  const input = useMemo(() => rangeInput<InputOf<typeof listChanges>>(url.input), [url.input])
  const list = usePageQuery<typeof listChanges, Change>(listChanges, input, ['change.changed'])
  const decide = useSend(decideChange)
  const [launching, setLaunching] = useState(false)
  const [asking, setAsking] = useState<{
    changes: readonly Change[]
    result: 'approved' | 'rejected'
  } | null>(null)
  const selection = useGridSelection<Change>(JSON.stringify(url.filters), () =>
    readMatching(list.query, getChangeId),
  )
  const { run, refused } = useBulk({
    key: 'change-decided',
    onDone: () => {
      selection.clear()
      list.refetch()
    },
  })
  const { data: tree } = useQuery(TREE)
  const rowActions = (row: Change): RowAction[] => {
    if (!mayDecide || row.state !== 'pending') return []
    const disabledReason = offline ?? (row.launchById === user.userId ? t('stop.notOwn') : null)
    return [
      {
        id: 'approve',
        text: t('stop.approve'),
        icon: 'tick',
        disabledReason,
        onClick: () => setAsking({ changes: [row], result: 'approved' }),
      },
      {
        id: 'reject',
        text: t('stop.reject'),
        icon: 'cross',
        disabledReason,
        onClick: () => setAsking({ changes: [row], result: 'rejected' }),
      },
    ]
  }
  return (
    <>
      <FilterBar
        fields={changeFields(t, tree)}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayLaunch && (
          <ActionButton
            icon="exchange"
            intent="primary"
            text={t('change.launch')}
            disabledReason={offline}
            onClick={() => setLaunching(true)}
          />
        )}
      </FilterBar>
      <DataGrid<Change>
        id="change_case:requests"
        label={t('change.tab.requests')}
        columns={CHANGE_COLUMNS}
        query={list.query}
        getRowId={getChangeId}
        view={url.view}
        onView={url.setView}
        rowActions={rowActions}
        {...(mayDecide ? { selection } : {})}
        bulkBar={(chosen) => (
          <>
            <ActionButton
              icon="tick"
              text={t('stop.approve')}
              disabledReason={offline}
              onClick={() => chosen.take((changes) => setAsking({ changes, result: 'approved' }))}
            />
            <ActionButton
              icon="cross"
              text={t('stop.reject')}
              disabledReason={offline}
              onClick={() => chosen.take((changes) => setAsking({ changes, result: 'rejected' }))}
            />
          </>
        )}
        filters={url}
        emptyReason={{ text: t('change.none') }}
        toolbar={tabs}
      />
      {launching && <LaunchChange onDone={list.refetch} onClose={() => setLaunching(false)} />}
      <ConfirmAction
        isOpen={asking !== null}
        intent={asking?.result === 'approved' ? 'primary' : 'warning'}
        title={
          asking === null
            ? ''
            : t(asking.result === 'approved' ? 'change.askApprove' : 'change.askReject')
        }
        count={asking?.changes.reduce((sum, change) => sum + change.count, 0) ?? 0}
        amount={asking?.changes.reduce((sum, change) => sum + (change.amount ?? 0), 0) ?? 0}
        confirmText={t(asking?.result === 'approved' ? 'stop.approve' : 'stop.reject')}
        {...(asking?.result === 'rejected' ? { reason: { min: 4, max: 200 } } : {})}
        onConfirm={async (reason) => {
          if (asking === null) return
          await run(
            asking.changes.map((change) => change.changeId),
            (changeIds) =>
              decide.mutateAsync({
                changeIds,
                result: asking.result,
                ...(asking.result === 'rejected' ? { reason } : {}),
              }),
          )
        }}
        onClose={() => setAsking(null)}
      >
        {asking?.changes.slice(0, 8).map((change) => (
          <p key={change.changeId}>
            {change.fromUserName ?? change.fromUnit} → {change.toUserName ?? change.toUnit}
            <br />
            {change.reason}
          </p>
        ))}
      </ConfirmAction>
      {refused}
    </>
  )
}

function Log({ tabs }: { tabs: ReactNode }): ReactNode {
  const t = useSay()
  const [, navigate] = useLocation()
  const columns = useAwayLinks(MOVE_COLUMNS, 'change_case')
  const { data: tree } = useQuery(TREE)
  const url = useGridUrlState(MOVE_FILTERS)
  const input = useMemo(() => rangeInput<InputOf<typeof listMoves>>(url.input), [url.input])
  const list = usePageQuery<typeof listMoves, Move>(listMoves, input, [
    'case.allocated',
    'cases.allocated',
    'case.recalled',
    'case.stage.moved',
    'allocation.run.changed',
  ])
  return (
    <>
      <FilterBar
        fields={moveFields(t, tree)}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      <DataGrid<Move>
        id="change_case:log"
        label={t('change.tab.log')}
        columns={columns}
        query={list.query}
        getRowId={(row) => row.moveId}
        getVersion={() => 1}
        view={url.view}
        onView={url.setView}
        onOpen={(row) => navigate(casePath(row.caseId, 'pedding_list'))}
        filters={url}
        emptyReason={{ text: t('change.noMoves') }}
        toolbar={tabs}
      />
    </>
  )
}
