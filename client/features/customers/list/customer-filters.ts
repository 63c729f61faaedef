/**
 * Filters of the customer list: URL, filter bar and request query. Identifying numbers - phone,
 * PAN, account, Aadhaar - stay out of the URL, which ends up in histories, bookmarks and messages.
 */
import { listInput } from '#client/screen/list/list-input.ts'
import { isPhone, plainPhone } from '#client/screen/list/phone-filter.ts'
import type { FilterField } from '#client/ui/filter/filter-types.ts'
import type { Filters } from '#client/ui/grid/grid-url.ts'
import {
  BLACKLIST_SOURCES,
  CREDIT_STATES,
  CUSTOMER_CLASSES,
} from '#shared/customers/customer-sets.ts'
import { type customerOptions, listCustomers } from '#shared/customers/customer-list-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { Text } from '#client/base/use-text.ts'

export const CUSTOMER_FILTERS = {
  name: 'text',
  userId: 'text',
  customerClass: 'one',
  creditState: 'one',
  certified: 'one',
  blacklisted: 'one',
  registerTime: 'day',
  channelId: 'one',
  appId: 'one',
} as const
export const NUMBER_FILTERS = {
  phone: 'private',
  pan: 'private',
  account: 'private',
  aadhaarLast4: 'private',
} as const
export const BLACKLIST_FILTERS = {
  name: 'text',
  userId: 'text',
  source: 'one',
  ended: 'one',
  time: 'day',
} as const

export type CustomerFilters = Filters<typeof CUSTOMER_FILTERS>
export type NumberName = keyof typeof NUMBER_FILTERS

const IS_WHOLE: Readonly<Record<NumberName, (text: string) => boolean>> = {
  phone: isPhone,
  pan: (text) => /^[A-Z]{5}\d{4}[A-Z]$/.test(text),
  account: (text) => /^\d{6,20}$/.test(text),
  aadhaarLast4: (text) => /^\d{4}$/.test(text),
}

/** Separators are removed from numbers. `fault` names a number that cannot match. */
export function customerInput(query: Record<string, unknown>): {
  input: InputOf<typeof listCustomers>
  fault: NumberName | null
} {
  const plain = Object.fromEntries(
    (Object.keys(IS_WHOLE) as NumberName[]).flatMap((name) => {
      const text = query[name]
      return typeof text === 'string' ? [[name, plainNumber(name, text)]] : []
    }),
  ) as Partial<Record<NumberName, string>>
  const fault = (Object.keys(IS_WHOLE) as NumberName[]).find(
    (name) => plain[name] !== undefined && !IS_WHOLE[name](plain[name]),
  )
  return { input: listInput(listCustomers, { ...query, ...plain }), fault: fault ?? null }
}

export function customerFields(
  t: Text,
  options: DataOf<typeof customerOptions> | undefined,
): FilterField<keyof typeof CUSTOMER_FILTERS | NumberName>[] {
  const col = (name: string) => t(`customers:col.${name}`)
  const named = (rows: readonly { id: string; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const yesNo = [
    { value: 'true', label: t('ui:yes') },
    { value: 'false', label: t('ui:no') },
  ]
  return [
    { name: 'name', kind: 'text', label: col('name'), place: 'quick', placeholder: col('name') },
    {
      name: 'userId',
      kind: 'text',
      label: col('userId'),
      place: 'bar',
      placeholder: col('userId'),
    },
    {
      name: 'phone',
      kind: 'text',
      label: col('phone'),
      place: 'bar',
      placeholder: t('customers:filter.phone'),
    },
    {
      name: 'customerClass',
      kind: 'one',
      label: col('customerClass'),
      place: 'bar',
      options: CUSTOMER_CLASSES.map((value) => ({
        value,
        label: t(`orders:customer.classes.${value}`),
      })),
    },
    { name: 'registerTime', kind: 'day', label: col('registerTime'), place: 'bar' },
    { name: 'pan', kind: 'text', label: t('customers:filter.pan') },
    { name: 'account', kind: 'text', label: t('customers:filter.account') },
    { name: 'aadhaarLast4', kind: 'text', label: t('customers:filter.aadhaarLast4') },
    { name: 'certified', kind: 'one', label: col('certified'), options: yesNo },
    {
      name: 'creditState',
      kind: 'one',
      label: col('creditState'),
      options: CREDIT_STATES.map((value) => ({ value, label: t(`customers:credit.${value}`) })),
    },
    { name: 'blacklisted', kind: 'one', label: col('blacklisted'), options: yesNo },
    {
      name: 'channelId',
      kind: 'one',
      label: col('channelName'),
      options: named(options?.channels),
    },
    { name: 'appId', kind: 'one', label: col('appName'), options: named(options?.apps) },
  ]
}

export function blacklistFields(t: Text): FilterField<keyof typeof BLACKLIST_FILTERS>[] {
  const col = (name: string) => t(`customers:col.${name}`)
  return [
    { name: 'name', kind: 'text', label: col('name'), place: 'quick', placeholder: col('name') },
    {
      name: 'userId',
      kind: 'text',
      label: col('userId'),
      place: 'bar',
      placeholder: col('userId'),
    },
    {
      name: 'source',
      kind: 'one',
      label: col('source'),
      place: 'bar',
      options: BLACKLIST_SOURCES.map((value) => ({ value, label: t(`customers:source.${value}`) })),
    },
    {
      name: 'ended',
      kind: 'one',
      label: col('state'),
      place: 'bar',
      options: [
        { value: 'false', label: t('customers:listed.yes') },
        { value: 'true', label: t('customers:listed.ended') },
      ],
    },
    { name: 'time', kind: 'day', label: col('time'), place: 'bar' },
  ]
}

/** `+91 98765 43210` → ten digits; letters of a PAN become capitals. */
function plainNumber(name: NumberName, text: string): string {
  if (name === 'pan') return text.replace(/[\s-]/g, '').toUpperCase()
  return name === 'phone' ? plainPhone(text) : text.replace(/\D/g, '')
}
