/** Payment proofs: review, accept, reject. */
import '../repayments.css'
import { useRowLinks } from '#client/features/orders/public.tsx'
import { listScreen } from '#client/screen/list/list-screen.tsx'
import { ViewChips } from '#client/ui/grid/ViewChips.tsx'
import { listProofs } from '#shared/repayments/proofs-api.ts'
import { applyProofEvents, PROOF_LIST_EVENTS } from '../list/payment-apply.ts'
import { followPayments } from '../list/payment-live.ts'
import { addAction, isToDecide, proofActions } from './proof-actions.tsx'
import { PROOF_COLUMNS, proofStaff } from './proof-columns.ts'
import { ANY_STATE, PROOF_FILTERS, proofInput, stateOf } from './proof-filters.ts'

/** Pending proofs come first. */
const VIEWS = ['pending', 'accepted', 'rejected', ANY_STATE] as const

export const Screen = listScreen({
  endpoint: listProofs,
  rowId: 'proofId',
  texts: ['repayments'],
  columns: ({ isWide }) => PROOF_COLUMNS[isWide ? 'wide' : 'narrow'],
  useColumns: useRowLinks,
  filters: PROOF_FILTERS,
  input: (query, { t }) => proofInput(query) ?? t('fault.filter.utr'),
  live: followPayments(PROOF_FILTERS.kinds, PROOF_LIST_EVENTS, applyProofEvents),
  attendance: proofStaff,
  create: addAction,
  actions: proofActions,
  open: 'look',
  toDo: isToDecide,
  empty: 'list.noProofs',
  emptyHint: ({ t, seesAll }) => (seesAll ? null : t('list.scope')),
  toolbar: ({ t, filters, setFilters }) => (
    <ViewChips
      views={VIEWS}
      chosen={stateOf(filters(PROOF_FILTERS.kinds)) ?? ANY_STATE}
      textOf={(view) => t(view === ANY_STATE ? 'view.all' : `proofState.${view}`)}
      onChoose={(state) => setFilters({ state })}
    />
  ),
})
