/** Reductions: launch, approve, follow (screens.md 4.6). */
import '../repayments.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/shell/use-media.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import { Money } from '#client/ui/Money.tsx'
import { useGridSelection } from '#client/ui/useGridSelection.ts'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { collectionTree } from '#shared/collection/setup-api.ts'
import { decideReductions, listReductions, revokeReduction, withdrawReduction } from '#shared/repayments/reductions-api.ts'
import { decideRefusal } from '../forms/payment-rules.ts'
import { applyReductionEvents, REDUCTION_LIST_EVENTS } from '../list/payment-apply.ts'
import { useMoneyList } from '../list/use-money-list.ts'
import type { ReduceRow } from '../payment-types.ts'
import { planPath } from '../payment-words.ts'
import { useSay } from '../use-say.ts'
import { REDUCTION_COLUMNS } from './reduction-columns.ts'
import { REDUCTION_FILTERS, reductionFields, reductionInput } from './reduction-filters.ts'

const MENU = 'reduce_list'
// brings the form library, which the list itself does not need
const ReduceForm = lazy(() => import('./ReduceForm.tsx').then((m) => ({ default: m.ReduceForm })))

type Ask = { kind: 'approved' | 'rejected' | 'withdraw' | 'revoke'; rows: readonly ReduceRow[] }
const INTENTS = { approved: 'primary', rejected: 'danger', withdraw: 'warning', revoke: 'danger' } as const

export function Screen(): ReactNode {
  const t = useSay()
  const [, navigate] = useLocation()
  const { user, index } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayLaunch = usePermission(['reduce_list:launch'])
  const mayDecide = usePermission(['reduce_list:decide'])
  const mayRevoke = usePermission(['reduce_list:revoke'])
  const url = useGridUrlState(REDUCTION_FILTERS)
  const input = useMemo(() => reductionInput(url.input), [url.input])
  const tree = useQuery({ ...queryOf(collectionTree, {}, { quiet: true }), staleTime: 10 * 60_000 })
  const fields = useMemo(() => reductionFields(t, tree.data?.agencies ?? []), [t, tree.data])
  const { query, live, takeRow } = useMoneyList<typeof listReductions, ReduceRow>({
    endpoint: listReductions, input: input ?? {}, impossible: input === null, url, idName: 'reduceId', events: REDUCTION_LIST_EVENTS, apply: (rows, events) => applyReductionEvents(rows, events, url.filters, t('list.left')),
  })
  const selection = useGridSelection(JSON.stringify(url.filters))
  const decide = useSend(decideReductions)
  const withdraw = useSend(withdrawReduction)
  const revoke = useSend(revokeReduction)
  const [launching, setLaunching] = useState(false)
  const [asking, setAsking] = useState<Ask | null>(null)
  useWatch('menu', MENU)

  const open = ({ planId }: ReduceRow, newWindow: boolean) => {
    if (planId === null) return
    const path = planPath(planId, MENU)
    if (newWindow) window.open(path, '_blank', 'noopener')
    else navigate(path)
  }
  const selected = () => (query.rows ?? []).filter((row) => selection.ids.has(row.reduceId))
  const why = (key: string | null) => (key === null ? offline : t(key))
  const rowActions = (row: ReduceRow): RowAction[] => [
    { id: 'open', text: t('action.open'), icon: 'document', disabledReason: row.planId === null ? t('refused.noPlan') : null, onClick: () => open(row, false) },
    ...(mayDecide && row.state === 'pending' && row.launchById !== user.userId
      ? [
          { id: 'approve', text: t('reduce.approve'), icon: 'tick', disabledReason: why(decideRefusal(row, user)), onClick: () => setAsking({ kind: 'approved', rows: [row] }) } as const,
          { id: 'reject', text: t('reduce.reject'), icon: 'cross', intent: 'danger', disabledReason: why(decideRefusal(row, user)), onClick: () => setAsking({ kind: 'rejected', rows: [row] }) } as const,
        ]
      : []),
    ...(row.state === 'pending' && row.launchById === user.userId ? [{ id: 'withdraw', text: t('reduce.withdraw'), icon: 'undo', disabledReason: offline, onClick: () => setAsking({ kind: 'withdraw', rows: [row] }) } as const] : []),
    ...(mayRevoke && row.state === 'approved' && row.launchById !== user.userId ? [{ id: 'revoke', text: t('reduce.revoke'), icon: 'ban-circle', intent: 'danger', disabledReason: offline, onClick: () => setAsking({ kind: 'revoke', rows: [row] }) } as const] : []),
  ]
  async function act({ kind, rows }: Ask, reason: string): Promise<void> {
    const [row] = rows
    if (row === undefined) return
    if (kind === 'withdraw' || kind === 'revoke') {
      const { reduceId, version } = row
      takeRow(kind === 'withdraw' ? await withdraw.mutateAsync({ reduceId, version }) : await revoke.mutateAsync({ reduceId, version, reason }))
      void showMessage({ intent: 'success', message: t(`reduce.ended.${kind}`, { reduceId }), key: `reduction:${reduceId}` })
      return
    }
    const { ok, failed } = await decide.mutateAsync({ reduceIds: rows.map(({ reduceId }) => reduceId), result: kind, ...(kind === 'rejected' ? { reason } : {}) })
    const [first] = failed
    void showMessage({
      intent: first ? 'warning' : 'success', key: 'reduction:decided',
      message: first ? `${t('reduce.doneOf', { ok: ok.length, failed: failed.length })} ${t(`problems:${first.problem ?? ''}`, { defaultValue: first.msg, ...first.params })}` : t(`reduce.decided.${kind}`, { n: ok.length }),
    })
    selection.clear()
    query.refetch()
  }
  const amount = asking?.rows.reduce((sum, row) => sum + row.reduceAmount, 0) ?? 0
  return (
    <div className="money-list">
      <h1 className="visually-hidden">{t('menu.reduce_list')}</h1>
      <FilterBar fields={fields} filters={url.filters} onChange={url.setFilters} onReset={url.resetFilters}>
        {mayLaunch && <ActionButton icon="arrow-down" intent="primary" text={t('action.reduce')} disabledReason={offline} onClick={() => setLaunching(true)} />}
      </FilterBar>
      <DataGrid<ReduceRow>
        id={MENU}
        label={t('menu.reduce_list')}
        columns={REDUCTION_COLUMNS[wide ? 'wide' : 'narrow'][index.byName.has('order_list') ? 'linked' : 'plain']}
        query={query}
        live={live}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={rowActions}
        {...(mayDecide ? { selection } : {})}
        bulkBar={() => (
          <>
            <ActionButton icon="tick" text={t('reduce.approve')} disabledReason={offline} onClick={() => setAsking({ kind: 'approved', rows: selected() })} />
            <ActionButton icon="cross" text={t('reduce.reject')} disabledReason={offline} onClick={() => setAsking({ kind: 'rejected', rows: selected() })} />
          </>
        )}
        toolbar={<ReductionViews mayDecide={mayDecide} filters={url.filters} onChoose={url.setFilters} />}
        emptyReason={url.activeFilters > 0
          ? { text: t('list.noMatch'), ...(input === null ? { hint: t('fault.filter.id') } : {}), action: { text: t('ui:filter.clearAll'), onClick: url.resetFilters } }
          : { text: t('list.noReductions'), ...(user.scope.kind === 'all' ? {} : { hint: t('list.scope') }) }}
      />
      <Suspense fallback={null}>{launching ? <ReduceForm orderId={null} onDone={() => query.refetch()} onClose={() => setLaunching(false)} /> : null}</Suspense>
      <ConfirmAction
        isOpen={asking !== null} intent={asking === null ? 'primary' : INTENTS[asking.kind]} title={asking === null ? '' : t(`reduce.question.${asking.kind}`)} count={asking?.rows.length ?? 0} amount={amount}
        confirmText={asking === null ? '' : t(`reduce.${{ approved: 'approve', rejected: 'reject', withdraw: 'withdraw', revoke: 'revoke' }[asking.kind]}`)}
        {...(asking?.kind === 'rejected' || asking?.kind === 'revoke' ? { reason: { min: 4, max: 200 } } : {})}
        onConfirm={(reason) => (asking === null ? Promise.resolve() : act(asking, reason))} onClose={() => setAsking(null)}
      >
        <ul className="money-asked">
          {asking?.rows.slice(0, 8).map((row) => <li key={row.reduceId}>{row.userName} · {row.orderId} · <Money paise={row.reduceAmount} /> <span className="is-same">{row.launchBy} — {row.reason}</span></li>)}
        </ul>
        {asking !== null && asking.kind !== 'withdraw' && <p>{t(`reduce.effect.${asking.kind}`)}</p>}
      </ConfirmAction>
    </div>
  )
}

/** What waits for the viewer, and the states: one press each. */
function ReductionViews({ mayDecide, filters, onChoose }: { mayDecide: boolean; filters: { state?: string; toDecide?: boolean }; onChoose: (change: { state?: string | undefined; toDecide?: boolean | undefined }) => void }): ReactNode {
  const t = useSay()
  const views = ['all', ...(mayDecide ? ['toDecide' as const] : []), 'pending', 'approved', 'used'] as const
  const chosen = filters.toDecide === true ? 'toDecide' : (filters.state ?? 'all')
  return (
    <div className="money-views" role="group" aria-label={t('view.label')}>
      {views.map((view) => (
        <button key={view} type="button" className="money-view" aria-pressed={chosen === view} onClick={() => onChoose({ state: view === 'all' || view === 'toDecide' ? undefined : view, toDecide: view === 'toDecide' ? true : undefined })}>
          {view === 'all' || view === 'toDecide' ? t(`view.${view}`) : t(`reductionState.${view}`)}
        </button>
      ))}
    </div>
  )
}

const getRowId = (row: ReduceRow) => row.reduceId
