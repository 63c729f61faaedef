/** What an action changed, value by value: objects are opened, lists of words stay whole. Pure. */
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { listRecords } from '#shared/access/records-api.ts'

export type Record = DataOf<typeof listRecords>['rows'][number]

export interface Difference {
  /** `buttons.order_list` */
  path: string
  before: string | null
  after: string | null
  isChanged: boolean
}

/** `kind:id`, as the filter of targets takes it. */
export function targetOf({ targetKind, targetId }: Record): string {
  return targetId === null ? '' : `${targetKind ?? ''}:${targetId}`
}

export function differencesOf(before: unknown, after: unknown): Difference[] {
  const was = leaves(before)
  const is = leaves(after)
  // a record without one side states values, it does not compare them
  const compares = before !== null && before !== undefined && after !== null && after !== undefined
  return [...new Set([...was.keys(), ...is.keys()])].map((path) => {
    const [old = null, now = null] = [was.get(path), is.get(path)]
    return { path, before: old, after: now, isChanged: !compares || old !== now }
  })
}

function leaves(value: unknown, at = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map(at === '' ? [] : [[at, '—']])
  if (typeof value !== 'object') return new Map([[at, String(value)]])
  if (Array.isArray(value)) return new Map([[at, value.every((one) => typeof one !== 'object') ? value.join(', ') : JSON.stringify(value)]])
  return new Map(Object.entries(value).flatMap(([name, inner]) => [...leaves(inner, at === '' ? name : `${at}.${name}`)]))
}
