/** Filters of the list of reductions: in the URL, on the filter bar, and as call parameters. */
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import { STAGES } from '#client/ui/value/StatusTag.tsx'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { istEnd, istStart } from '#shared/kernel/time.ts'
import { REDUCTION_STATES } from '#shared/repayments/reduction-sets.ts'
import type { listReductions } from '#shared/repayments/reductions-api.ts'
import { codeWord } from '../payment-words.ts'
import type { Text } from '#client/base/use-text.ts'

export const REDUCTION_FILTERS = {
  orderId: 'text',
  userName: 'text',
  state: 'one',
  launchTime: 'day',
  launchBy: 'text',
  reduceId: 'text',
  stageId: 'one',
  agencyId: 'one',
  toDecide: 'flag',
} as const
export type ReductionFilters = Filters<typeof REDUCTION_FILTERS>

export function reductionInput({
  launchTimeFrom,
  launchTimeTo,
  ...rest
}: Record<string, unknown>): InputOf<typeof listReductions> {
  return {
    ...rest,
    ...(launchTimeFrom === undefined ? {} : { launchTimeFrom: istStart(String(launchTimeFrom)) }),
    ...(launchTimeTo === undefined ? {} : { launchTimeTo: istEnd(String(launchTimeTo)) }),
  }
}

export function reductionFields(
  t: Text,
  agencies: readonly { id: string; name: string }[],
): FilterField<keyof typeof REDUCTION_FILTERS>[] {
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
    {
      name: 'state',
      kind: 'one',
      label: col('state'),
      place: 'bar',
      options: REDUCTION_STATES.map((value) => ({
        value,
        label: codeWord('reductionState', value, t),
      })),
    },
    { name: 'launchTime', kind: 'day', label: col('launchTime'), place: 'bar' },
    { name: 'launchBy', kind: 'text', label: col('launchBy') },
    { name: 'reduceId', kind: 'text', label: col('reduceId') },
    {
      name: 'stageId',
      kind: 'one',
      label: col('stageId'),
      options: STAGES.map((value) => ({ value, label: value })),
    },
    ...(agencies.length > 1
      ? [
          {
            name: 'agencyId',
            kind: 'one',
            label: col('agencyName'),
            options: agencies.map(({ id, name }) => ({ value: id, label: name })),
          } as const,
        ]
      : []),
  ]
}
