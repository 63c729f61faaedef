/** Filters of loans, transfers and failed disbursements: URL, filter bar and request query. */
import type { Text } from '#client/base/use-text.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import {
  HANDLING_METHODS,
  PAYOUT_WAITS_FOR,
  listLoans,
  listTransfers,
  LOAN_STATUSES,
  type payoutVendors,
  TRANSFER_STATES,
  TRANSFER_TYPES,
} from '#shared/orders/disbursement-api.ts'
import type { OrderOptions } from '../order-types.ts'
import { codeWord } from '../order-words.ts'
import { filterFields, ORDER_FILTERS, orderInput } from '../list/order-filters.ts'

type Vendors = DataOf<typeof payoutVendors> | undefined

export const LOAN_FILTERS = { ...ORDER_FILTERS, disburseTime: 'day', vendorCode: 'one' } as const
export const TRANSFER_FILTERS = {
  platformOrderNo: 'text',
  orderId: 'text',
  payState: 'one',
  vendorCode: 'one',
  conflict: 'one',
  transferType: 'one',
  vendorOrderNo: 'text',
  createTime: 'day',
} as const
export const WAIT_FILTERS = {
  orderId: 'text',
  userName: 'text',
  failReason: 'text',
  handlingMethod: 'one',
  waitsFor: 'one',
  attempt: 'int',
  failTime: 'day',
  vendorCode: 'one',
} as const

/** @returns why nothing can match */
export function loanInput(
  query: Record<string, unknown>,
  { t }: Pick<ListContext, 't'>,
): InputOf<typeof listLoans> | string {
  const { input, fault } = orderInput(query)
  return fault === null ? listInput(listLoans, { ...query, ...input }) : t(`fault.${fault}`)
}

export function loanFields(
  t: Text,
  options: OrderOptions | undefined,
  vendors: Vendors,
): FilterField<keyof typeof LOAN_FILTERS>[] {
  const loans: readonly string[] = LOAN_STATUSES.map(String)
  const ofOrders = filterFields(t, options).map((field) =>
    field.name === 'status' && 'options' in field
      ? { ...field, options: (field.options ?? []).filter(({ value }) => loans.includes(value)) }
      : field,
  )
  return [
    ...ofOrders,
    { name: 'disburseTime', kind: 'day', label: t('orders:col.disburseTime') },
    vendorField(t, vendors),
  ]
}

/** The marks of a transfer are one filter on the screen and several questions of the contract. */
export function transferInput({
  conflict,
  ...query
}: Record<string, unknown>): InputOf<typeof listTransfers> {
  const input = listInput(listTransfers, query)
  if (conflict === 'stray') return { ...input, stray: true }
  if (conflict === 'lost' || conflict === 'late') return { ...input, doubt: conflict }
  return conflict === 'true' ? { ...input, conflict: true } : input
}

export function transferFields(
  t: Text,
  vendors: Vendors,
): FilterField<keyof typeof TRANSFER_FILTERS>[] {
  return [
    {
      name: 'platformOrderNo',
      kind: 'text',
      label: t('orders:transfer.platformNo'),
      place: 'quick',
    },
    {
      name: 'orderId',
      kind: 'text',
      label: t('orders:col.orderId'),
      place: 'bar',
      placeholder: t('orders:col.orderId'),
    },
    {
      name: 'payState',
      kind: 'one',
      label: t('orders:transfer.payState'),
      place: 'bar',
      options: TRANSFER_STATES.map((value) => ({ value, label: codeWord('pay', value, t) })),
    },
    {
      name: 'conflict',
      kind: 'one',
      label: t('orders:transfer.conflict'),
      place: 'bar',
      options: [
        { value: 'true', label: t('orders:transfer.conflictOpen') },
        ...(['stray', 'lost', 'late'] as const).map((value) => ({
          value,
          label: t(`orders:transfer.conflictIs.${value}`),
        })),
      ],
    },
    { name: 'createTime', kind: 'day', label: t('orders:col.createTime'), place: 'bar' },
    {
      name: 'transferType',
      kind: 'one',
      label: t('orders:transfer.type'),
      options: TRANSFER_TYPES.map((value) => ({ value, label: value })),
    },
    { name: 'vendorOrderNo', kind: 'text', label: t('orders:transfer.vendorNo') },
    vendorField(t, vendors),
  ]
}

export function waitFields(t: Text, vendors: Vendors): FilterField<keyof typeof WAIT_FILTERS>[] {
  return [
    { name: 'orderId', kind: 'text', label: t('orders:col.orderId'), place: 'quick' },
    {
      name: 'userName',
      kind: 'text',
      label: t('orders:col.userName'),
      place: 'bar',
      placeholder: t('orders:col.userName'),
    },
    {
      name: 'failReason',
      kind: 'text',
      label: t('orders:col.failReason'),
      place: 'bar',
      placeholder: t('orders:col.failReason'),
    },
    { name: 'failTime', kind: 'day', label: t('orders:transfer.failTime'), place: 'bar' },
    {
      name: 'handlingMethod',
      kind: 'one',
      label: t('orders:transfer.handling'),
      options: HANDLING_METHODS.map((value) => ({ value, label: codeWord('handling', value, t) })),
    },
    {
      name: 'waitsFor',
      kind: 'one',
      label: t('orders:transfer.waitsFor'),
      options: PAYOUT_WAITS_FOR.map((value) => ({ value, label: codeWord('waitsFor', value, t) })),
    },
    { name: 'attempt', kind: 'int', label: t('orders:transfer.attempts') },
    vendorField(t, vendors),
  ]
}

function vendorField(t: Text, vendors: Vendors): FilterField<'vendorCode'> {
  return {
    name: 'vendorCode',
    kind: 'one',
    label: t('orders:transfer.vendor'),
    options: (vendors?.all ?? []).map((value) => ({ value, label: value })),
  }
}
