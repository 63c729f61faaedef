/** Filters of the order list: URL, filter bar and request query. */
import type { Text } from '#client/base/use-text.ts'
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters, GridView } from '#client/ui/grid/grid-url.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { istEnd, istStart } from '#shared/kernel/time.ts'
import { CLOSE_TYPES } from '#shared/orders/close-types.ts'
import { ORDER_STATUSES, type OrderStatus } from '#shared/orders/order-statuses.ts'
import type { listOrders, ORDER_QUICK_VIEWS } from '#shared/orders/orders-api.ts'
import type { OrderOptions } from '../order-types.ts'
import { codeWord, statusWord } from '../order-words.ts'

export const ORDER_FILTERS = {
  orderId: 'text',
  userName: 'text',
  phone: 'text',
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
  overdue: 'int',
} as const
export type OrderFilters = Filters<typeof ORDER_FILTERS>

export const ORDER_VIEW: Partial<GridView> = { sort: [{ field: 'createTime', dir: 'desc' }] }
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

const PHONE = /^[6-9]\d{9}$/

/** A filter value that cannot be sent: the server accepts only whole phone numbers. */
export type FilterFault = 'phone'

/**
 * Days become instants and several codes one text. `fault` names a filter whose value can match
 * nothing.
 */
export function listInput(input: Record<string, unknown>): {
  input: InputOf<typeof listOrders>
  fault: FilterFault | null
} {
  const { status, tags, phone, createTimeFrom, createTimeTo, dueTimeFrom, dueTimeTo, ...rest } =
    input as Record<string, string | undefined> & {
      status?: readonly string[]
      tags?: readonly string[]
    }
  const digits = phone === undefined ? undefined : plainPhone(phone)
  const fault = digits !== undefined && !PHONE.test(digits) ? 'phone' : null
  const start = (day: string | undefined) => (day === undefined ? undefined : istStart(day))
  const end = (day: string | undefined) => (day === undefined ? undefined : istEnd(day))
  const known = status?.filter((code) => ORDER_STATUSES.includes(Number(code) as OrderStatus))
  const all = {
    ...rest,
    phone: digits,
    status: known?.length ? known.join(',') : undefined,
    tags: tags?.length ? tags.join(',') : undefined,
    createTimeFrom: start(createTimeFrom),
    createTimeTo: end(createTimeTo),
    dueTimeFrom: start(dueTimeFrom),
    dueTimeTo: end(dueTimeTo),
  }
  // All other filter names equal the query names.
  return {
    input: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    fault,
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
  ]
}

/** `+91 98765 43210`, `098765-43210` → ten digits. */
function plainPhone(text: string): string {
  return text.replace(/\D/g, '').replace(/^(?:91(?=\d{10}$)|0(?=\d{10}$))/, '')
}
