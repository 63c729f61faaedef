/** Filters of the order list: URL, filter bar and request query. */
import type { Text } from '#client/base/use-text.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import { wholePhone } from '#client/screen/list/phone-filter.ts'
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { CLOSE_TYPES } from '#shared/orders/close-types.ts'
import { ORDER_STATUSES, type OrderStatus } from '#shared/orders/order-statuses.ts'
import { ORDER_OUTCOMES } from '#shared/orders/order-outcomes.ts'
import { RELOAN_DAYS } from '#shared/reports/reloan-days.ts'
import { listOrders, type ORDER_QUICK_VIEWS } from '#shared/orders/orders-api.ts'
import type { OrderOptions } from '../order-types.ts'
import { codeWord, statusWord } from '../order-words.ts'

export const ORDER_FILTERS = {
  orderId: 'text',
  userName: 'text',
  phone: 'private',
  userId: 'text',
  status: 'many',
  tags: 'many',
  productId: 'one',
  appId: 'one',
  channelId: 'one',
  amount: 'money',
  createTime: 'day',
  dueTime: 'day',
  closeType: 'one',
  closeTime: 'day',
  outcome: 'many',
  outcomeTime: 'day',
  refusalCode: 'text',
  againWithin: 'one',
  overdue: 'int',
} as const
export type OrderFilters = Filters<typeof ORDER_FILTERS>

export const ORDER_TAGS = ['firstLoan', 'reLoan', 'extension'] as const

export type QuickView = (typeof ORDER_QUICK_VIEWS)[number]
export const QUICK_VIEWS: Record<QuickView, readonly OrderStatus[]> = {
  reviewing: [10],
  awaitingReview: [22],
  disbursing: [29],
  failed: [31],
  awaitingRepayment: [30],
  overdue: [50, 90],
  closed: [40, 41, 70, 80, 100, 110, 21, 23, 27],
}

/**
 * The quick view with exactly the selected statuses; `all` for none, null for any other selection.
 */
export function quickViewOf(chosen: readonly string[] | undefined): QuickView | 'all' | null {
  if (!chosen?.length) return 'all'
  const codes = new Set(chosen)
  const found = Object.entries(QUICK_VIEWS).find(
    ([, statuses]) =>
      statuses.length === codes.size && statuses.every((status) => codes.has(String(status))),
  )
  return (found?.[0] as QuickView | undefined) ?? null
}

/** A filter value that cannot be sent: the server accepts only whole phone numbers. */
export type FilterFault = 'phone'

/**
 * A status this build does not know is left out. `fault` names a filter whose value can match
 * nothing.
 */
export function orderInput(query: Record<string, unknown>): {
  input: InputOf<typeof listOrders>
  fault: FilterFault | null
} {
  const { status } = query as { status?: readonly string[] }
  const phone = wholePhone(query.phone)
  return {
    input: listInput(listOrders, {
      ...query,
      phone: phone ?? undefined,
      status: status?.filter((code) => ORDER_STATUSES.includes(Number(code) as OrderStatus)),
    }),
    fault: phone === null ? 'phone' : null,
  }
}

export function filterFields(
  t: Text,
  options: OrderOptions | undefined,
): FilterField<keyof typeof ORDER_FILTERS>[] {
  const col = (name: string) => t(`orders:col.${name}`)
  const codes = (set: string, values: readonly string[]) =>
    values.map((value) => ({ value, label: codeWord(set, value, t) }))
  const named = (rows: readonly { id: string; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return [
    { name: 'orderId', kind: 'text', label: col('orderId'), place: 'quick' },
    {
      name: 'userName',
      kind: 'text',
      label: col('userName'),
      place: 'bar',
      placeholder: col('userName'),
    },
    {
      name: 'phone',
      kind: 'text',
      label: col('phone'),
      place: 'bar',
      placeholder: t('orders:filter.phone'),
    },
    {
      name: 'status',
      kind: 'many',
      label: col('status'),
      place: 'bar',
      options: ORDER_STATUSES.map((status) => ({
        value: String(status),
        label: statusWord(status, t),
      })),
    },
    {
      name: 'tags',
      kind: 'many',
      label: col('tags'),
      place: 'bar',
      options: codes('tag', ORDER_TAGS),
    },
    { name: 'createTime', kind: 'day', label: col('createTime'), place: 'bar' },
    { name: 'userId', kind: 'text', label: col('userId') },
    {
      name: 'closeType',
      kind: 'one',
      label: col('closeType'),
      options: codes('closeType', CLOSE_TYPES),
    },
    {
      name: 'productId',
      kind: 'one',
      label: col('productName'),
      options: named(options?.products),
    },
    { name: 'appId', kind: 'one', label: col('appName'), options: named(options?.apps) },
    {
      name: 'channelId',
      kind: 'one',
      label: col('channelName'),
      options: named(options?.channels),
    },
    { name: 'overdue', kind: 'int', label: col('overdueDays') },
    { name: 'amount', kind: 'money', label: col('amount') },
    { name: 'dueTime', kind: 'day', label: col('dueTime') },
    { name: 'closeTime', kind: 'day', label: col('closeTime') },
    {
      name: 'outcome',
      kind: 'many',
      label: col('outcome'),
      options: codes('outcome', Object.keys(ORDER_OUTCOMES)),
    },
    { name: 'outcomeTime', kind: 'day', label: col('outcomeTime') },
    { name: 'refusalCode', kind: 'text', label: col('refusalCode') },
    {
      name: 'againWithin',
      kind: 'one',
      label: t('orders:filter.againWithin'),
      options: RELOAN_DAYS.map((days) => ({
        value: String(days),
        label: t('orders:filter.days', { count: days }),
      })),
    },
  ]
}
