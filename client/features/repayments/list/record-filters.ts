/** Filters of the list of payments. */
import { filtersOf, yesNo } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import {
  CHANNELS,
  PAY_STATES,
  RECORD_SOURCES,
  REPAYMENT_TYPES,
} from '#shared/repayments/payment-sets.ts'
import { listRecords } from '#shared/repayments/repayments-api.ts'
import { BORROWER, codes, isUtr, ORDER_ID } from './repayment-filters.ts'

export const RECORD_FILTERS = filtersOf({
  utr: { kind: 'text', label: 'col.utr', place: 'quick' },
  orderId: { ...ORDER_ID, place: 'bar' },
  userName: BORROWER,
  payState: {
    kind: 'one',
    label: 'col.payState',
    place: 'bar',
    options: codes('payState', PAY_STATES),
  },
  payTime: { kind: 'day', label: 'col.payTime', place: 'bar' },
  channel: { kind: 'one', label: 'col.channel', options: codes('channel', CHANNELS) },
  repaymentType: {
    kind: 'one',
    label: 'col.repaymentType',
    options: codes('type', REPAYMENT_TYPES),
  },
  source: { kind: 'one', label: 'col.source', options: codes('source', RECORD_SOURCES) },
  conflict: {
    kind: 'one',
    label: 'keep.conflict',
    options: ({ t }) => [{ value: 'true', label: t('keep.open') }],
  },
  reversed: { kind: 'one', label: 'payState.reversed', options: yesNo },
  recordId: { kind: 'text', label: 'col.recordId' },
  userId: { kind: 'text', label: 'col.userId' },
})
export type RecordFilters = Filters<typeof RECORD_FILTERS.kinds>

/** @returns why nothing can match: a UTR has letters and digits only */
export function recordInput(
  query: Record<string, unknown>,
  { t }: Pick<ListContext, 't'>,
): InputOf<typeof listRecords> | string {
  const utr = typeof query.utr === 'string' ? query.utr.replace(/\s/g, '').toUpperCase() : undefined
  if (utr !== undefined && !isUtr(utr)) return t('fault.filter.utr')
  return listInput(listRecords, { ...query, utr })
}
