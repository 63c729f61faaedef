/** Filters of the list of payment proofs: pending ones are shown unless the filters say otherwise. */
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { PROOF_STATES, PROOF_SUBMITTERS, type ProofState } from '#shared/repayments/proof-sets.ts'
import { listProofs } from '#shared/repayments/proofs-api.ts'
import { BORROWER, codes, isUtr, ORDER_ID } from '../list/repayment-filters.ts'

/** Means every state in the URL. */
export const ANY_STATE = 'all'

export const PROOF_FILTERS = filtersOf({
  orderId: ORDER_ID,
  userName: BORROWER,
  utr: { kind: 'text', label: 'col.utr', place: 'bar' },
  submitter: {
    kind: 'one',
    label: 'col.submitter',
    place: 'bar',
    options: codes('submitter', PROOF_SUBMITTERS),
  },
  createTime: { kind: 'day', label: 'col.createTime', place: 'bar' },
  state: {
    kind: 'one',
    label: 'col.state',
    place: 'views',
    options: (context) => [
      ...codes('proofState', PROOF_STATES)(context),
      { value: ANY_STATE, label: context.t('view.all') },
    ],
  },
  proofId: { kind: 'text', label: 'col.proofId' },
})
export type ProofFilters = Filters<typeof PROOF_FILTERS.kinds>

/** A proof searched by its id is shown in any state. */
export function stateOf({ state, proofId, orderId, utr }: ProofFilters): ProofState | undefined {
  if (state === undefined)
    return proofId === undefined && orderId === undefined && utr === undefined
      ? 'pending'
      : undefined
  return PROOF_STATES.find((one) => one === state)
}

/** @returns null when nothing can match: a UTR has letters and digits only */
export function proofInput(query: Record<string, unknown>): InputOf<typeof listProofs> | null {
  if (query.utr !== undefined && !isUtr(query.utr)) return null
  return listInput(listProofs, { ...query, state: stateOf(query) })
}
