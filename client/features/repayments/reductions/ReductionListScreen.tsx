/** Reductions: launch, approve, track. */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { call } from '#client/session/call.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { readMatching } from '#client/screen/read-matching.ts'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { useGridSelection } from '#client/ui/grid/use-grid-selection.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { ViewChips } from '#client/ui/grid/ViewChips.tsx'
import { collectionTree } from '#shared/collection/setup-api.ts'
import {
  listReductions,
  previewDecision,
  revokeReduction,
  withdrawReduction,
} from '#shared/repayments/reductions-api.ts'
import { decideRefusal } from '../forms/payment-rules.ts'
import { applyReductionEvents, REDUCTION_LIST_EVENTS } from '../list/payment-apply.ts'
import { useAttendance } from '#client/screen/person-column.ts'
import { useMoneyList } from '../list/use-money-list.ts'
import type { ReduceRow } from '../payment-types.ts'
import { planPath } from '../payment-words.ts'
import { type AskedDecision, DecideQuestion } from './DecideQuestion.tsx'
import { REDUCTION_COLUMNS, reductionStaff } from './reduction-columns.ts'
import { REDUCTION_FILTERS, reductionFields, reductionInput } from './reduction-filters.ts'

const MENU = 'reduce_list'
const VIEWS = ['all', 'pending', 'approved', 'used'] as const
/** Rows the viewer has to decide come before the states. */
const DECIDER_VIEWS = ['all', 'toDecide', 'pending', 'approved', 'used'] as const
const isState = (view: string) => view !== 'all' && view !== 'toDecide'
// loads the form library, which the list itself does not need
const ReduceForm = lazy(() => import('./ReduceForm.tsx').then((m) => ({ default: m.ReduceForm })))

type Ask = { kind: 'withdraw' | 'revoke'; row: ReduceRow }
const INTENTS = { withdraw: 'warning', revoke: 'danger' } as const

export function Screen(): ReactNode {
  const t = useText('repayments')
  const [, navigate] = useLocation()
  const { user } = useSession()
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
    endpoint: listReductions,
    input,
    url,
    idName: 'reduceId',
    events: REDUCTION_LIST_EVENTS,
    apply: (rows, events) => applyReductionEvents(rows, events, url.filters, t('list.left')),
  })
  const selection = useGridSelection<ReduceRow>(JSON.stringify(url.filters), () =>
    readMatching(query, getRowId),
  )
  const withdraw = useSend(withdrawReduction)
  const revoke = useSend(revokeReduction)
  const [launching, setLaunching] = useState(false)
  const [asking, setAsking] = useState<Ask | null>(null)
  const [deciding, setDeciding] = useState<AskedDecision | null>(null)
  useAttendance(reductionStaff, MENU)
  const columns = useRowLinks(REDUCTION_COLUMNS[wide ? 'wide' : 'narrow'], MENU)

  const open = ({ planId }: ReduceRow, newWindow: boolean) => {
    if (planId === null) return
    const path = planPath(planId, MENU)
    if (newWindow) window.open(path, '_blank', 'noopener')
    else navigate(path)
  }
  const why = (key: string | null) => (key === null ? offline : t(key))
  const rowActions = (row: ReduceRow): RowAction[] => [
    {
      id: 'open',
      text: t('action.open'),
      icon: 'document',
      disabledReason: row.planId === null ? t('refused.noPlan') : null,
      onClick: () => open(row, false),
    },
    ...(mayDecide && row.state === 'pending' && row.launchById !== user.userId
      ? [
          {
            id: 'approve',
            text: t('reduce.approve'),
            icon: 'tick',
            disabledReason: why(decideRefusal(row, user)),
            onClick: () => void decide('approved', [row]),
          } as const,
          {
            id: 'reject',
            text: t('reduce.reject'),
            icon: 'cross',
            intent: 'danger',
            disabledReason: why(decideRefusal(row, user)),
            onClick: () => void decide('rejected', [row]),
          } as const,
        ]
      : []),
    ...(row.state === 'pending' && row.launchById === user.userId
      ? [
          {
            id: 'withdraw',
            text: t('reduce.withdraw'),
            icon: 'undo',
            disabledReason: offline,
            onClick: () => setAsking({ kind: 'withdraw', row }),
          } as const,
        ]
      : []),
    ...(mayRevoke && row.state === 'approved' && row.launchById !== user.userId
      ? [
          {
            id: 'revoke',
            text: t('reduce.revoke'),
            icon: 'ban-circle',
            intent: 'danger',
            disabledReason: offline,
            onClick: () => setAsking({ kind: 'revoke', row }),
          } as const,
        ]
      : []),
  ]
  /** Requests the preview of the decision first; the call layer shows a refusal of the preview. */
  const decide = async (result: AskedDecision['result'], rows: readonly ReduceRow[]) => {
    const preview = await call(previewDecision, { reduceIds: rows.map(getRowId), result }).catch(
      () => null,
    )
    if (preview) setDeciding({ result, rows, ...preview })
  }
  async function act({ kind, row: { reduceId, version } }: Ask, reason: string): Promise<void> {
    takeRow(
      kind === 'withdraw'
        ? await withdraw.mutateAsync({ reduceId, version })
        : await revoke.mutateAsync({ reduceId, version, reason }),
    )
    void showMessage({
      intent: 'success',
      message: t(`reduce.ended.${kind}`, { reduceId }),
      key: `reduction:${reduceId}`,
    })
  }
  return (
    <div className="money-list">
      <h1 className="visually-hidden">{t('menu.reduce_list')}</h1>
      <FilterBar
        fields={fields}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayLaunch && (
          <ActionButton
            icon="arrow-down"
            intent="primary"
            text={t('action.reduce')}
            disabledReason={offline}
            onClick={() => setLaunching(true)}
          />
        )}
      </FilterBar>
      <DataGrid<ReduceRow>
        id={MENU}
        label={t('menu.reduce_list')}
        columns={columns}
        query={query}
        live={live}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        onOpen={open}
        rowActions={rowActions}
        {...(mayDecide ? { selection } : {})}
        bulkBar={(chosen) => (
          <>
            <ActionButton
              icon="tick"
              text={t('reduce.approve')}
              disabledReason={offline}
              onClick={() => chosen.take((rows) => decide('approved', rows))}
            />
            <ActionButton
              icon="cross"
              text={t('reduce.reject')}
              disabledReason={offline}
              onClick={() => chosen.take((rows) => decide('rejected', rows))}
            />
          </>
        )}
        toolbar={
          <ViewChips
            views={mayDecide ? DECIDER_VIEWS : VIEWS}
            chosen={url.filters.toDecide === true ? 'toDecide' : (url.filters.state ?? 'all')}
            textOf={(view) => (isState(view) ? t(`reductionState.${view}`) : t(`view.${view}`))}
            onChoose={(view) =>
              url.setFilters({
                state: isState(view) ? view : undefined,
                toDecide: view === 'toDecide' ? true : undefined,
              })
            }
          />
        }
        filters={url}
        emptyReason={{
          text: t('list.noReductions'),
          ...(user.scope.kind === 'all' ? {} : { hint: t('list.scope') }),
        }}
      />
      <Suspense fallback={null}>
        {launching ? (
          <ReduceForm
            orderId={null}
            onDone={() => query.refetch()}
            onClose={() => setLaunching(false)}
          />
        ) : null}
      </Suspense>
      <DecideQuestion
        asked={deciding}
        onDone={() => {
          selection.clear()
          query.refetch()
        }}
        onClose={() => setDeciding(null)}
      />
      <ConfirmAction
        isOpen={asking !== null}
        intent={asking === null ? 'primary' : INTENTS[asking.kind]}
        title={asking === null ? '' : t(`reduce.question.${asking.kind}`)}
        amount={asking?.row.reduceAmount ?? 0}
        confirmText={asking === null ? '' : t(`reduce.${asking.kind}`)}
        {...(asking?.kind === 'revoke' ? { reason: { min: 4, max: 200 } } : {})}
        onConfirm={(reason) => (asking === null ? Promise.resolve() : act(asking, reason))}
        onClose={() => setAsking(null)}
      >
        {asking !== null && (
          <p>
            {asking.row.userName} · {asking.row.orderId} · <Money paise={asking.row.reduceAmount} />{' '}
            <span className="is-same">
              {asking.row.launchBy} — {asking.row.reason}
            </span>
          </p>
        )}
        {asking?.kind === 'revoke' && <p>{t('reduce.effect.revoke')}</p>}
      </ConfirmAction>
    </div>
  )
}

const getRowId = (row: ReduceRow) => row.reduceId
