/** Requests to move cases, and the log of every move (screens.md 4.8). */
import '../collection.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { readMatching } from '#client/session/read-matching.ts'
import { useSession } from '#client/session/session-store.ts'
import { useBulk } from '#client/shell/use-bulk.tsx'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import { type GridColumn, idColumn, integerColumn, statusColumn, textColumn, timeColumn, wordColumn } from '#client/ui/grid-columns.ts'
import { Segmented } from '#client/ui/Segmented.tsx'
import type { Tone } from '#client/ui/StatusTag.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { useGridSelection } from '#client/ui/useGridSelection.ts'
import { decideChange, listChanges, listMoves } from '#shared/collection/allocation-api.ts'
import { CHANGE_STATES, MOVE_CAUSES, TRANSFER_TYPES } from '#shared/collection/collection-sets.ts'
import { collectionTree } from '#shared/collection/setup-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { istDayEnd, istMidnight } from '#shared/kernel/time.ts'
import { useAwayLinks } from '../away-links.ts'
import { casePath, doerWord } from '../desk/case-words.ts'
import { usePageQuery } from '../use-page-query.ts'
import { useSay } from '../use-say.ts'
import { LaunchChange } from './LaunchChange.tsx'

type Change = DataOf<typeof listChanges>['rows'][number]
type Move = DataOf<typeof listMoves>['rows'][number]

const TONES: Record<string, Tone> = { pending: 'warn', approved: 'info', rejected: 'neutral', done: 'good' }
const title = (name: string) => `collection:change.col.${name}`
const CHANGE_COLUMNS: readonly GridColumn<Change>[] = [
  textColumn<Change>({ id: 'changeId', title: title('changeId'), width: 96, sort: 'changeId', pin: 'left' }),
  wordColumn<Change>({ id: 'transferType', title: title('transferType'), width: 180, word: (type, { t }) => t(`collection:transferType.${type}`) }),
  textColumn<Change>({ id: 'from', exportFields: ['fromUserName', 'fromUnit'], title: title('from'), width: 170, value: (row) => row.fromUserName ?? row.fromUnit }),
  textColumn<Change>({ id: 'to', exportFields: ['toUserName', 'toUnit'], title: title('to'), width: 170, value: (row) => row.toUserName ?? row.toUnit }),
  integerColumn<Change>({ id: 'count', title: title('count'), width: 80, sort: 'count' }),
  integerColumn<Change>({ id: 'movedCount', title: title('movedCount'), width: 84 }),
  statusColumn<Change>({ id: 'state', title: title('state'), width: 120, sort: 'state', word: (state, { t }) => t(`collection:changeState.${state}`), tone: (state) => TONES[state] ?? 'neutral' }),
  textColumn<Change>({ id: 'reason', title: title('reason'), width: 200 }),
  textColumn<Change>({ id: 'launchBy', title: title('launchBy'), width: 150 }),
  timeColumn<Change>({ id: 'launchTime', title: title('launchTime'), width: 152, sort: 'launchTime' }),
  textColumn<Change>({ id: 'decideBy', title: title('decideBy'), width: 150 }),
  timeColumn<Change>({ id: 'decideTime', title: title('decideTime'), width: 152, sort: 'decideTime' }),
]
const MOVE_COLUMNS: readonly GridColumn<Move>[] = [
  timeColumn<Move>({ id: 'time', title: title('time'), width: 152, pin: 'left' }),
  idColumn<Move>({ id: 'caseId', title: title('caseId'), width: 112, href: (row) => casePath(row.caseId, 'pedding_list') }),
  textColumn<Move>({ id: 'orderId', title: title('orderId'), width: 112 }),
  wordColumn<Move>({ id: 'cause', title: title('cause'), width: 170, word: (cause, { t }) => t(`collection:cause.${cause}`) }),
  textColumn<Move>({ id: 'from', title: title('from'), width: 170 }),
  textColumn<Move>({ id: 'to', title: title('to'), width: 170 }),
  textColumn<Move>({ id: 'stage', exportFields: ['toStage'], title: title('stage'), width: 100, value: (row) => (row.fromStage === null || row.fromStage === row.toStage ? row.toStage : `${row.fromStage} → ${row.toStage}`) }),
  textColumn<Move>({ id: 'by', title: title('by'), width: 150, text: (row, { t }) => (row.by === null ? '' : doerWord(row.by, t)) }),
  textColumn<Move>({ id: 'reason', title: title('reason'), width: 220, text: (row, { t }) => (row.reason === null ? '' : t(`collection:recall.${row.reason}`, { defaultValue: row.reason })) }),
]

export function Screen(): ReactNode {
  const t = useSay()
  const [, setQuery] = useSearchParams()
  const tab = new URLSearchParams(useSearch()).get('tab') === 'log' ? 'log' : 'requests'
  useWatch('menu', 'change_case')
  const tabs = <Segmented label={t('menu.change_case')} value={tab} segments={(['requests', 'log'] as const).map((value) => ({ value, label: t(`change.tab.${value}`) }))} onChange={(next) => setQuery(() => new URLSearchParams({ tab: next }))} />
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.change_case')}</h1>
      {tab === 'requests' ? <Requests tabs={tabs} /> : <Log tabs={tabs} />}
    </div>
  )
}

const getChangeId = (row: Change) => row.changeId
const CHANGE_FILTERS = { changeId: 'text', transferType: 'one', state: 'one', fromUserId: 'one', toUserId: 'one', agencyId: 'one', launcher: 'text', time: 'day' } as const

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
  const [asking, setAsking] = useState<{ changes: readonly Change[]; result: 'approved' | 'rejected' } | null>(null)
  const selection = useGridSelection<Change>(JSON.stringify(url.filters), () => readMatching(list.query, getChangeId))
  const { run, refused } = useBulk({
    key: 'change-decided',
    onDone: () => {
      selection.clear()
      list.refetch()
    },
  })
  const { data: tree } = useQuery({ ...queryOf(collectionTree, {}, { quiet: true }), staleTime: 60_000 })
  const people = (tree?.collectors ?? []).map(({ userId, userName, account }) => ({ value: userId, label: `${userName} (${account})` }))
  const rowActions = (row: Change): RowAction[] => {
    if (!mayDecide || row.state !== 'pending') return []
    const disabledReason = offline ?? (row.launchById === user.userId ? t('stop.notOwn') : null)
    return [
      { id: 'approve', text: t('stop.approve'), icon: 'tick', disabledReason, onClick: () => setAsking({ changes: [row], result: 'approved' }) },
      { id: 'reject', text: t('stop.reject'), icon: 'cross', disabledReason, onClick: () => setAsking({ changes: [row], result: 'rejected' }) },
    ]
  }
  return (
    <>
      <FilterBar
        fields={[
          { name: 'changeId', kind: 'text', label: t('change.col.changeId'), place: 'quick', placeholder: t('change.col.changeId') },
          { name: 'state', kind: 'one', label: t('change.col.state'), place: 'bar', options: CHANGE_STATES.map((value) => ({ value, label: t(`changeState.${value}`) })) },
          { name: 'transferType', kind: 'one', label: t('change.col.transferType'), place: 'bar', options: TRANSFER_TYPES.map((value) => ({ value, label: t(`transferType.${value}`) })) },
          { name: 'fromUserId', kind: 'one', label: t('change.col.from'), options: people },
          { name: 'toUserId', kind: 'one', label: t('change.col.to'), options: people },
          { name: 'agencyId', kind: 'one', label: t('desk.col.agencyName'), options: (tree?.agencies ?? []).map(({ id, name }) => ({ value: id, label: name })) },
          { name: 'launcher', kind: 'text', label: t('change.col.launchBy') },
          { name: 'time', kind: 'day', label: t('change.col.launchTime') },
        ]}
        filters={url.filters} onChange={url.setFilters} onReset={url.resetFilters}
      >
        {mayLaunch && <ActionButton icon="exchange" intent="primary" text={t('change.launch')} disabledReason={offline} onClick={() => setLaunching(true)} />}
      </FilterBar>
      <DataGrid<Change>
        id="change_case:requests" label={t('change.tab.requests')} columns={CHANGE_COLUMNS} query={list.query} getRowId={getChangeId} view={url.view} onView={url.setView} rowActions={rowActions}
        {...(mayDecide ? { selection } : {})}
        bulkBar={(chosen) => (
          <>
            <ActionButton icon="tick" text={t('stop.approve')} disabledReason={offline} onClick={() => chosen.take((changes) => setAsking({ changes, result: 'approved' }))} />
            <ActionButton icon="cross" text={t('stop.reject')} disabledReason={offline} onClick={() => chosen.take((changes) => setAsking({ changes, result: 'rejected' }))} />
          </>
        )}
        filters={url} emptyReason={{ text: t('change.none') }} toolbar={tabs}
      />
      {launching && <LaunchChange onDone={list.refetch} onClose={() => setLaunching(false)} />}
      <ConfirmAction
        isOpen={asking !== null} intent={asking?.result === 'approved' ? 'primary' : 'warning'} title={asking === null ? '' : t(asking.result === 'approved' ? 'change.askApprove' : 'change.askReject')} count={asking?.changes.reduce((sum, change) => sum + change.count, 0) ?? 0} amount={asking?.changes.reduce((sum, change) => sum + (change.amount ?? 0), 0) ?? 0}
        confirmText={t(asking?.result === 'approved' ? 'stop.approve' : 'stop.reject')} {...(asking?.result === 'rejected' ? { reason: { min: 4, max: 200 } } : {})}
        onConfirm={async (reason) => {
          if (asking === null) return
          await run(asking.changes.map((change) => change.changeId), (changeIds) => decide.mutateAsync({ changeIds, result: asking.result, ...(asking.result === 'rejected' ? { reason } : {}) }))
        }}
        onClose={() => setAsking(null)}
      >
        {asking?.changes.slice(0, 8).map((change) => <p key={change.changeId}>{change.fromUserName ?? change.fromUnit} → {change.toUserName ?? change.toUnit}<br />{change.reason}</p>)}
      </ConfirmAction>
      {refused}
    </>
  )
}

/** Days become the instants they begin and end with. */
function rangeInput<Input>(input: Record<string, unknown>): Input {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, name === 'timeFrom' ? istMidnight(String(value)).toISOString() : name === 'timeTo' ? istDayEnd(String(value)).toISOString() : value])) as Input
}

const MOVE_FILTERS = { caseId: 'text', orderId: 'text', cause: 'one', time: 'day' } as const

function Log({ tabs }: { tabs: ReactNode }): ReactNode {
  const t = useSay()
  const [, navigate] = useLocation()
  const columns = useAwayLinks(MOVE_COLUMNS, 'change_case')
  const url = useGridUrlState(MOVE_FILTERS)
  const input = useMemo(() => rangeInput<InputOf<typeof listMoves>>(url.input), [url.input])
  const list = usePageQuery<typeof listMoves, Move>(listMoves, input, ['case.allocated', 'cases.allocated', 'case.recalled', 'case.stage.moved', 'allocation.run.changed'])
  return (
    <>
      <FilterBar
        fields={[
          { name: 'caseId', kind: 'text', label: t('change.col.caseId'), place: 'quick', placeholder: t('change.col.caseId') },
          { name: 'cause', kind: 'one', label: t('change.col.cause'), place: 'bar', options: MOVE_CAUSES.map((value) => ({ value, label: t(`cause.${value}`) })) },
          { name: 'orderId', kind: 'text', label: t('change.col.orderId') },
          { name: 'time', kind: 'day', label: t('change.col.time') },
        ]}
        filters={url.filters} onChange={url.setFilters} onReset={url.resetFilters}
      />
      <DataGrid<Move>
        id="change_case:log" label={t('change.tab.log')} columns={columns} query={list.query} getRowId={(row) => row.moveId} getVersion={() => 1} view={url.view} onView={url.setView} onOpen={(row) => navigate(casePath(row.caseId, 'pedding_list'))}
        filters={url} emptyReason={{ text: t('change.noMoves') }} toolbar={tabs}
      />
    </>
  )
}
