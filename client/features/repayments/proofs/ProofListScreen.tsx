/** Payment proofs: review, accept, reject. */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import { ViewChips } from '#client/ui/grid/ViewChips.tsx'
import { listProofs } from '#shared/repayments/proofs-api.ts'
import { proofRefusal } from '../forms/payment-rules.ts'
import { applyProofEvents, PROOF_LIST_EVENTS } from '../list/payment-apply.ts'
import { useAttendance } from '#client/screen/person-column.ts'
import { useMoneyList } from '../list/use-money-list.ts'
import type { ProofRow } from '../payment-types.ts'
import { PROOF_COLUMNS, proofStaff } from './proof-columns.ts'
import { ANY_STATE, PROOF_FILTERS, proofFields, proofInput, stateOf } from './proof-filters.ts'
import { RejectProof } from './RejectProof.tsx'

const MENU = 'repay_proof'
/** Pending proofs come first. */
const VIEWS = ['pending', 'accepted', 'rejected', ANY_STATE] as const
// these load the form library and the viewer, which the list itself does not need
const ProofForm = lazy(() => import('./ProofForm.tsx').then((m) => ({ default: m.ProofForm })))
const AcceptForm = lazy(() => import('./AcceptForm.tsx').then((m) => ({ default: m.AcceptForm })))
const ProofDrawer = lazy(() =>
  import('./ProofDrawer.tsx').then((m) => ({ default: m.ProofDrawer })),
)

interface Asked {
  kind: 'look' | 'accept' | 'reject'
  row: ProofRow
}

export function Screen(): ReactNode {
  const t = useText('repayments')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayAdd = usePermission(['repay_proof:add'])
  const mayDecide = usePermission(['repay_proof:decide'])
  const url = useGridUrlState(PROOF_FILTERS)
  const input = useMemo(() => proofInput(url.input), [url.input])
  const fields = useMemo(() => proofFields(t), [t])
  const { query, live, takeRow } = useMoneyList<typeof listProofs, ProofRow>({
    endpoint: listProofs,
    input,
    url,
    idName: 'proofId',
    events: PROOF_LIST_EVENTS,
    apply: (rows, events) => applyProofEvents(rows, events, url.filters, t('list.left')),
  })
  const [adding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  useAttendance(proofStaff, MENU)
  const columns = useRowLinks(PROOF_COLUMNS[wide ? 'wide' : 'narrow'], MENU)

  const close = () => setAsked(null)
  const fresh = (row: ProofRow) => {
    takeRow(row)
    setAsked((now) => (now?.row.proofId === row.proofId ? { ...now, row } : now))
  }
  const why = (row: ProofRow, accepts: boolean) => {
    const refused = proofRefusal(row, user.userId, accepts)
    return refused === null ? offline : t(refused)
  }
  const rowActions = (row: ProofRow): RowAction[] => [
    {
      id: 'look',
      text: t('proof.look'),
      icon: 'eye-open',
      onClick: () => setAsked({ kind: 'look', row }),
    },
    ...(mayDecide && row.state === 'pending'
      ? [
          {
            id: 'accept',
            text: t('proof.accept'),
            icon: 'tick',
            disabledReason: why(row, true),
            onClick: () => setAsked({ kind: 'accept', row }),
          } as const,
          {
            id: 'reject',
            text: t('proof.reject'),
            icon: 'cross',
            intent: 'danger',
            disabledReason: why(row, false),
            onClick: () => setAsked({ kind: 'reject', row }),
          } as const,
        ]
      : []),
  ]
  return (
    <div className="money-list">
      <h1 className="visually-hidden">{t('menu.repay_proof')}</h1>
      <FilterBar
        fields={fields}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayAdd && (
          <ActionButton
            icon="plus"
            intent="primary"
            text={t('proof.add')}
            disabledReason={offline}
            onClick={() => setAdding(true)}
          />
        )}
      </FilterBar>
      <DataGrid<ProofRow>
        id={MENU}
        label={t('menu.repay_proof')}
        columns={columns}
        query={query}
        live={live}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        onOpen={(row) => setAsked({ kind: 'look', row })}
        rowActions={rowActions}
        toolbar={
          <ViewChips
            views={VIEWS}
            chosen={stateOf(url.filters) ?? ANY_STATE}
            textOf={(view) => (view === ANY_STATE ? t('view.all') : t(`proofState.${view}`))}
            onChoose={(state) => url.setFilters({ state })}
          />
        }
        filters={url}
        fault={input === null ? t('fault.filter.utr') : undefined}
        emptyReason={{
          text: t('list.noProofs'),
          ...(user.scope.kind === 'all' ? {} : { hint: t('list.scope') }),
        }}
      />
      <Suspense fallback={null}>
        {adding ? (
          <ProofForm
            orderId={null}
            onDone={() => query.refetch()}
            onClose={() => setAdding(false)}
          />
        ) : null}
        {asked?.kind === 'accept' ? (
          <AcceptForm proof={asked.row} onRow={fresh} onClose={close} />
        ) : null}
        {asked?.kind === 'look' ? (
          <ProofDrawer
            proof={asked.row}
            actions={
              mayDecide && asked.row.state === 'pending' ? (
                <Decide row={asked.row} why={why} onAsk={setAsked} />
              ) : undefined
            }
            onClose={close}
          />
        ) : null}
      </Suspense>
      <RejectProof
        proof={asked?.kind === 'reject' ? asked.row : null}
        onRow={fresh}
        onClose={close}
      />
    </div>
  )
}

function Decide({
  row,
  why,
  onAsk,
}: {
  row: ProofRow
  why: (row: ProofRow, accepts: boolean) => string | null
  onAsk: (asked: Asked) => void
}): ReactNode {
  const t = useText('repayments')
  return (
    <>
      <ActionButton
        intent="danger"
        variant="outlined"
        icon="cross"
        text={t('proof.reject')}
        disabledReason={why(row, false)}
        onClick={() => onAsk({ kind: 'reject', row })}
      />
      <ActionButton
        intent="success"
        icon="tick"
        text={t('proof.accept')}
        disabledReason={why(row, true)}
        onClick={() => onAsk({ kind: 'accept', row })}
      />
    </>
  )
}

const getRowId = (row: ProofRow) => row.proofId
