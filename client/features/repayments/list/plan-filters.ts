/** Filters of the list of instalments: in the URL, on the filter bar, and as call parameters. */
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { istEnd, istStart } from '#shared/kernel/time.ts'
import { PLAN_STATUSES } from '#shared/repayments/payment-sets.ts'
import type { listPlans, planOptions } from '#shared/repayments/repayments-api.ts'
import { codeWord } from '../payment-words.ts'
import type { Text } from '#client/base/use-text.ts'

export const PLAN_FILTERS = {
  orderId: 'text',
  userName: 'text',
  phone: 'text',
  paymentStatus: 'many',
  dueTime: 'day',
  planId: 'text',
  userId: 'text',
  overdue: 'int',
  productId: 'one',
  appId: 'one',
} as const
export type PlanFilters = Filters<typeof PLAN_FILTERS>

const PHONE = /^[6-9]\d{9}$/

/** Input that cannot be searched: the server accepts whole phone numbers only. */
export type FilterFault = 'phone'

/** Turns days into instants and several codes into one text. `fault` names what cannot match. */
export function planInput(input: Record<string, unknown>): {
  input: InputOf<typeof listPlans>
  fault: FilterFault | null
} {
  const { paymentStatus, phone, dueTimeFrom, dueTimeTo, ...rest } = input as Record<
    string,
    string | undefined
  > & { paymentStatus?: readonly string[] }
  const digits = phone === undefined ? undefined : plainPhone(phone)
  const all = {
    ...rest,
    phone: digits,
    paymentStatus: paymentStatus?.length ? paymentStatus.join(',') : undefined,
    dueTimeFrom: dueTimeFrom === undefined ? undefined : istStart(dueTimeFrom),
    dueTimeTo: dueTimeTo === undefined ? undefined : istEnd(dueTimeTo),
  }
  // the filter bar uses the parameter names of the call
  return {
    input: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    fault: digits !== undefined && !PHONE.test(digits) ? 'phone' : null,
  }
}

export function planFields(
  t: Text,
  options: DataOf<typeof planOptions> | undefined,
): FilterField<keyof typeof PLAN_FILTERS>[] {
  const col = (name: string) => t(`repayments:col.${name}`)
  const named = (rows: readonly { id: string; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
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
      name: 'phone',
      kind: 'text',
      label: col('phone'),
      place: 'bar',
      placeholder: t('repayments:filter.phone'),
    },
    {
      name: 'paymentStatus',
      kind: 'many',
      label: col('paymentStatus'),
      place: 'bar',
      options: PLAN_STATUSES.map((value) => ({ value, label: codeWord('planStatus', value, t) })),
    },
    { name: 'dueTime', kind: 'day', label: col('dueTime'), place: 'bar' },
    { name: 'planId', kind: 'text', label: col('planId') },
    { name: 'userId', kind: 'text', label: col('userId') },
    { name: 'overdue', kind: 'int', label: col('overdueDays') },
    {
      name: 'productId',
      kind: 'one',
      label: t('repayments:filter.product'),
      options: named(options?.products),
    },
    {
      name: 'appId',
      kind: 'one',
      label: t('repayments:filter.app'),
      options: named(options?.apps),
    },
  ]
}

/** `+91 98765 43210`, `098765-43210` → ten digits. */
function plainPhone(text: string): string {
  return text.replace(/\D/g, '').replace(/^(?:91(?=\d{10}$)|0(?=\d{10}$))/, '')
}
