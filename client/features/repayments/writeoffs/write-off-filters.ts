/** Filters of the list of write-offs: in the URL, on the filter bar, and as call parameters. */
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import { WRITE_OFF_STATES, WRITE_OFF_TYPES } from '#shared/repayments/write-off-sets.ts'
import { codeWord } from '../payment-words.ts'
import type { Text } from '#client/base/use-text.ts'

export const WRITE_OFF_FILTERS = {
  orderId: 'text',
  userName: 'text',
  type: 'one',
  state: 'one',
  createTime: 'day',
  repaymentDate: 'day',
  operatorName: 'text',
  writeOffId: 'text',
} as const
export type WriteOffFilters = Filters<typeof WRITE_OFF_FILTERS>

export function writeOffFields(t: Text): FilterField<keyof typeof WRITE_OFF_FILTERS>[] {
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
      name: 'type',
      kind: 'one',
      label: col('writeOffType'),
      place: 'bar',
      options: WRITE_OFF_TYPES.map((value) => ({
        value,
        label: codeWord('writeOffType', value, t),
      })),
    },
    { name: 'createTime', kind: 'day', label: col('createTime'), place: 'bar' },
    {
      name: 'state',
      kind: 'one',
      label: col('state'),
      options: WRITE_OFF_STATES.map((value) => ({
        value,
        label: codeWord('writeOffState', value, t),
      })),
    },
    { name: 'repaymentDate', kind: 'day', label: col('repaymentDate') },
    { name: 'operatorName', kind: 'text', label: col('operatorName') },
    { name: 'writeOffId', kind: 'text', label: col('writeOffId') },
  ]
}
