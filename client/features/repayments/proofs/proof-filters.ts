/** Filters of the list of payment proofs: in the address, on the bar, and as the call takes them. What waits is shown unless something else is asked for. */
import type { FilterField } from '#client/ui/FilterBar.tsx'
import type { Filters } from '#client/ui/grid-url.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { istDayEnd, istMidnight } from '#shared/kernel/time.ts'
import { PROOF_STATES, PROOF_SUBMITTERS, type ProofState } from '#shared/repayments/proof-sets.ts'
import type { listProofs } from '#shared/repayments/proofs-api.ts'
import { codeWord } from '../payment-words.ts'
import type { Say } from '../use-say.ts'

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

/** Stands for every state in the address. */
export const ANY_STATE = 'all'
const UTR = /^[A-Za-z0-9]{4,22}$/

/** One that is looked for by its number is shown in whatever state it is. */
export function stateOf({ state, proofId, orderId, utr }: ProofFilters): ProofState | undefined {
  if (state === undefined)
    return proofId === undefined && orderId === undefined && utr === undefined
      ? 'pending'
      : undefined
  return PROOF_STATES.find((one) => one === state)
}

/** @returns null when nothing can match: UTRs have letters and digits only */
export function proofInput({
  createTimeFrom,
  createTimeTo,
  ...rest
}: Record<string, unknown>): InputOf<typeof listProofs> | null {
  if (rest.utr !== undefined && !UTR.test(String(rest.utr))) return null
  return {
    ...rest,
    state: stateOf(rest),
    ...(createTimeFrom === undefined
      ? {}
      : { createTimeFrom: istMidnight(String(createTimeFrom)).toISOString() }),
    ...(createTimeTo === undefined
      ? {}
      : { createTimeTo: istDayEnd(String(createTimeTo)).toISOString() }),
  }
}

export function proofFields(t: Say): FilterField<keyof typeof PROOF_FILTERS>[] {
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
