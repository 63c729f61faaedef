/**
 * Filters of the list of payment proofs: in the URL, on the filter bar, and as call parameters.
 * Pending proofs are shown unless the filters say otherwise.
 */
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { istEnd, istStart } from '#shared/kernel/time.ts'
import { PROOF_STATES, PROOF_SUBMITTERS, type ProofState } from '#shared/repayments/proof-sets.ts'
import type { listProofs } from '#shared/repayments/proofs-api.ts'
import { codeWord } from '../payment-words.ts'
import type { Text } from '#client/base/use-text.ts'

export const PROOF_FILTERS = {
  orderId: 'text',
  userName: 'text',
  state: 'one',
  utr: 'text',
  submitter: 'one',
  createTime: 'day',
  proofId: 'text',
} as const
export type ProofFilters = Filters<typeof PROOF_FILTERS>

/** Means every state in the URL. */
export const ANY_STATE = 'all'
const UTR = /^[A-Za-z0-9]{4,22}$/

/** A proof searched by its id is shown in any state. */
export function stateOf({ state, proofId, orderId, utr }: ProofFilters): ProofState | undefined {
  if (state === undefined)
    return proofId === undefined && orderId === undefined && utr === undefined
      ? 'pending'
      : undefined
  return PROOF_STATES.find((one) => one === state)
}

/** @returns null when nothing can match: a UTR has letters and digits only */
export function proofInput({
  createTimeFrom,
  createTimeTo,
  ...rest
}: Record<string, unknown>): InputOf<typeof listProofs> | null {
  if (rest.utr !== undefined && !UTR.test(String(rest.utr))) return null
  return {
    ...rest,
    state: stateOf(rest),
    ...(createTimeFrom === undefined ? {} : { createTimeFrom: istStart(String(createTimeFrom)) }),
    ...(createTimeTo === undefined ? {} : { createTimeTo: istEnd(String(createTimeTo)) }),
  }
}

export function proofFields(t: Text): FilterField<keyof typeof PROOF_FILTERS>[] {
  const col = (name: string) => t(`repayments:col.${name}`)
  return [
    {
      name: 'orderId',
      kind: 'text',
      label: col('orderId'),
      place: 'quick',
      placeholder: col('orderId'),
    },
    {
      name: 'userName',
      kind: 'text',
      label: col('userName'),
      place: 'bar',
      placeholder: col('userName'),
    },
    { name: 'utr', kind: 'text', label: col('utr'), place: 'bar', placeholder: col('utr') },
    {
      name: 'submitter',
      kind: 'one',
      label: col('submitter'),
      place: 'bar',
      options: PROOF_SUBMITTERS.map((value) => ({ value, label: codeWord('submitter', value, t) })),
    },
    { name: 'createTime', kind: 'day', label: col('createTime'), place: 'bar' },
    {
      name: 'state',
      kind: 'one',
      label: col('state'),
      options: [
        ...PROOF_STATES.map((value) => ({ value, label: codeWord('proofState', value, t) })),
        { value: ANY_STATE, label: t('repayments:view.all') },
      ],
    },
    { name: 'proofId', kind: 'text', label: col('proofId') },
  ]
}
