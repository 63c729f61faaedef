/**
 * What an action changed, value by value: objects are flattened, lists show added and removed
 * members. Pure.
 */
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { listOperateLog } from '#shared/access/operate-log-api.ts'

export type LogEntry = DataOf<typeof listOperateLog>['rows'][number]

export interface Difference {
  /** `buttons.order_list` */
  path: string
  before: string | null
  after: string | null
  isChanged: boolean
}

/** `kind:id`, as the target filter takes it. */
export function targetOf({ targetKind, targetId }: LogEntry): string {
  return targetId === null ? '' : `${targetKind ?? ''}:${targetId}`
}

export function differencesOf(before: unknown, after: unknown): Difference[] {
  const was = leaves(before)
  const is = leaves(after)
  // an entry without one side has values, but nothing to compare
  const compares = before !== null && before !== undefined && after !== null && after !== undefined
  return [...new Set([...was.keys(), ...is.keys()])].map((path) => {
    const [old = null, now = null] = [was.get(path), is.get(path)]
    if (compares && Array.isArray(old) && Array.isArray(now)) return listDifference(path, old, now)
    const [older, newer] = [textOf(old), textOf(now)]
    return { path, before: older, after: newer, isChanged: !compares || older !== newer }
  })
}

/** Of a list only the added and removed members, because the rest may be long. */
function listDifference(path: string, old: readonly string[], now: readonly string[]): Difference {
  const gone = old.filter((one) => !now.includes(one))
  const come = now.filter((one) => !old.includes(one))
  const isChanged = gone.length + come.length > 0
  return isChanged
    ? { path, before: textOf(gone), after: textOf(come), isChanged }
    : { path, before: textOf(old), after: textOf(now), isChanged }
}

function textOf(value: string | readonly string[] | null): string | null {
  return typeof value === 'string' || value === null ? value : value.join(', ') || '—'
}

function leaves(value: unknown, at = ''): Map<string, string | string[]> {
  if (value === null || value === undefined) return new Map(at === '' ? [] : [[at, '—']])
  if (typeof value !== 'object') return new Map([[at, String(value)]])
  if (Array.isArray(value))
    return new Map([
      [at, value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one)))],
    ])
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [
      ...leaves(inner, at === '' ? name : `${at}.${name}`),
    ]),
  )
}
