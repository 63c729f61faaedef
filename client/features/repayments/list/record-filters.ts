/** Filters of the list of payments: in the URL, on the filter bar, and as call parameters. */
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { istEnd, istStart } from '#shared/kernel/time.ts'
import {
  CHANNELS,
  PAY_STATES,
  RECORD_SOURCES,
  REPAYMENT_TYPES,
} from '#shared/repayments/payment-sets.ts'
import type { listRecords } from '#shared/repayments/repayments-api.ts'
import { codeWord } from '../payment-words.ts'
import type { Text } from '#client/base/use-text.ts'

export const RECORD_FILTERS = {
  utr: 'text',
  orderId: 'text',
  userName: 'text',
  payState: 'one',
  payTime: 'day',
  recordId: 'text',
  userId: 'text',
  channel: 'one',
  repaymentType: 'one',
  source: 'one',
  conflict: 'one',
} as const
export type RecordFilters = Filters<typeof RECORD_FILTERS>

const UTR = /^[A-Za-z0-9]{4,22}$/

/** Input that cannot be searched: a UTR has letters and digits only. */
export type FilterFault = 'utr'

export function recordInput(input: Record<string, unknown>): {
  input: InputOf<typeof listRecords>
  fault: FilterFault | null
} {
  const { payTimeFrom, payTimeTo, channel, utr, conflict, ...rest } = input as Record<
    string,
    string | undefined
  >
  const plainUtr = utr?.replace(/\s/g, '').toUpperCase()
  const all = {
    ...rest,
    utr: plainUtr,
    conflict: conflict === 'true' ? true : undefined,
    channel: channel === undefined ? undefined : Number(channel),
    payTimeFrom: payTimeFrom === undefined ? undefined : istStart(payTimeFrom),
    payTimeTo: payTimeTo === undefined ? undefined : istEnd(payTimeTo),
  }
  return {
    input: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    fault: plainUtr !== undefined && !UTR.test(plainUtr) ? 'utr' : null,
  }
}

export function recordFields(t: Text): FilterField<keyof typeof RECORD_FILTERS>[] {
  const col = (name: string) => t(`repayments:col.${name}`)
  const codes = (set: string, values: readonly (string | number)[]) =>
    values.map((value) => ({ value: String(value), label: codeWord(set, value, t) }))
  return [
    { name: 'utr', kind: 'text', label: col('utr'), place: 'quick', placeholder: col('utr') },
    {
      name: 'orderId',
      kind: 'text',
      label: col('orderId'),
      place: 'bar',
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
      name: 'payState',
      kind: 'one',
      label: col('payState'),
      place: 'bar',
      options: codes('payState', PAY_STATES),
    },
    { name: 'payTime', kind: 'day', label: col('payTime'), place: 'bar' },
    { name: 'channel', kind: 'one', label: col('channel'), options: codes('channel', CHANNELS) },
    {
      name: 'repaymentType',
      kind: 'one',
      label: col('repaymentType'),
      options: codes('type', REPAYMENT_TYPES),
    },
    { name: 'source', kind: 'one', label: col('source'), options: codes('source', RECORD_SOURCES) },
    {
      name: 'conflict',
      kind: 'one',
      label: t('repayments:keep.conflict'),
      options: [{ value: 'true', label: t('repayments:keep.open') }],
    },
    { name: 'recordId', kind: 'text', label: col('recordId') },
    { name: 'userId', kind: 'text', label: col('userId') },
  ]
}
