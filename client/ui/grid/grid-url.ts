/**
 * Filters, page and sort in the query string, in the same form as the parameters of the list call:
 * `stage=M1&stage=M2`, `amountFrom=100&amountTo=500`. Unknown keys are kept; an invalid value is
 * ignored.
 */
import { DEFAULT_PAGE_SIZE, lastPage, PAGE_SIZES } from '#shared/kernel/page.ts'

/**
 * `money` and `int` ranges contain whole numbers (paise), `day` ranges IST days. `private` is a text
 * that identifies a person: it is never in the address, which ends up in histories and messages.
 */
export type FilterKind = 'text' | 'private' | 'one' | 'many' | 'flag' | 'money' | 'int' | 'day'
export type FilterKinds = Readonly<Record<string, FilterKind>>

export interface Range<Value> {
  from?: Value
  to?: Value
}
interface FilterValues {
  text: string
  private: string
  one: string
  many: readonly string[]
  flag: boolean
  money: Range<number>
  int: Range<number>
  day: Range<string>
}
export type Filters<Kinds extends FilterKinds> = {
  readonly [Name in keyof Kinds]?: FilterValues[Kinds[Name]]
}

export interface SortPart {
  field: string
  dir: 'asc' | 'desc'
}
export interface GridView {
  /** From 1. */
  page: number
  pageSize: number
  sort: readonly SortPart[]
}

export function readFilters<Kinds extends FilterKinds>(
  query: URLSearchParams,
  kinds: Kinds,
): Filters<Kinds> {
  const found = Object.entries(kinds).map(
    ([name, kind]) => [name, readFilter(query, name, kind)] as const,
  )
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Filters<Kinds>
}

/** A copy of `query` in which the filters named by `kinds` are exactly `filters`, private ones left out. */
export function writeFilters<Kinds extends FilterKinds>(
  query: URLSearchParams,
  kinds: Kinds,
  filters: Filters<Kinds>,
): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const [name, kind] of Object.entries(kinds)) {
    for (const key of [name, `${name}From`, `${name}To`])
      if (key === name || isRange(kind)) next.delete(key)
    for (const [key, value] of filterPairs(name, kind, filters[name])) next.append(key, value)
  }
  return next
}

/** Filters as parameters of the list call; empty ones are left out. */
export function filterInput<Kinds extends FilterKinds>(
  kinds: Kinds,
  filters: Filters<Kinds>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(kinds)) {
    const value: unknown = filters[name]
    if (isEmptyFilter(value)) continue
    if (isRange(kind)) {
      const range = value as Range<number | string>
      if (range.from !== undefined) input[`${name}From`] = range.from
      if (range.to !== undefined) input[`${name}To`] = range.to
    } else input[name] = value
  }
  return input
}

export function isEmptyFilter(value: unknown): boolean {
  if (value === undefined || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Range<unknown>).from === undefined &&
    (value as Range<unknown>).to === undefined
  )
}

export function readView(query: URLSearchParams, preset: Partial<GridView> = {}): GridView {
  const page = Number(query.get('page'))
  const size = Number(query.get('size'))
  const sort = query.has('sort') ? parseSort(query.get('sort') ?? '') : (preset.sort ?? [])
  const pageSize = (PAGE_SIZES as readonly number[]).includes(size)
    ? size
    : (preset.pageSize ?? DEFAULT_PAGE_SIZE)
  return {
    // an address may ask for more than a list shows
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, lastPage(pageSize)) : 1,
    pageSize,
    sort,
  }
}

export function writeView(
  query: URLSearchParams,
  view: GridView,
  preset: Partial<GridView> = {},
): URLSearchParams {
  const next = new URLSearchParams(query)
  put(next, 'page', view.page === 1 ? '' : String(view.page))
  put(
    next,
    'size',
    view.pageSize === (preset.pageSize ?? DEFAULT_PAGE_SIZE) ? '' : String(view.pageSize),
  )
  const sort = formatSort(view.sort)
  if (sort === formatSort(preset.sort ?? [])) next.delete('sort')
  // An empty text means "no sort" where the screen has a preset one.
  else next.set('sort', sort)
  return next
}

/** `dueDay:asc,amount:desc`, at most three parts; anything else in it is ignored. */
export function parseSort(text: string): SortPart[] {
  return text
    .split(',')
    .flatMap((part) => {
      const m = /^([A-Za-z]+):(asc|desc)$/.exec(part)
      return m ? [{ field: m[1] as string, dir: m[2] as 'asc' | 'desc' }] : []
    })
    .slice(0, 3)
}

export function formatSort(sort: readonly SortPart[]): string {
  return sort.map((part) => `${part.field}:${part.dir}`).join(',')
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const ms = Date.parse(`${text}T00:00:00Z`)
  // 30 February would parse as 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

function isRange(kind: FilterKind): boolean {
  return kind === 'money' || kind === 'int' || kind === 'day'
}

function readFilter(query: URLSearchParams, name: string, kind: FilterKind): unknown {
  if (kind === 'private') return undefined
  if (kind === 'many') {
    const values = query.getAll(name).filter(Boolean)
    return values.length ? values : undefined
  }
  if (kind === 'flag') return query.get(name) === 'true' ? true : undefined
  if (!isRange(kind)) return query.get(name) || undefined
  const bound = (key: string): number | string | undefined => {
    const text = query.get(key) ?? ''
    if (kind === 'day') return isDay(text) ? text : undefined
    return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
  }
  const range = { from: bound(`${name}From`), to: bound(`${name}To`) }
  if (range.from === undefined && range.to === undefined) return undefined
  return Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined))
}

function filterPairs(name: string, kind: FilterKind, value: unknown): [string, string][] {
  if (kind === 'private' || isEmptyFilter(value)) return []
  if (kind === 'many') return (value as readonly string[]).map((one) => [name, one])
  if (!isRange(kind)) return [[name, String(value)]]
  const range = value as Range<number | string>
  return [
    [`${name}From`, range.from],
    [`${name}To`, range.to],
  ].flatMap(([key, bound]) =>
    bound === undefined ? [] : [[String(key), String(bound)] as [string, string]],
  )
}

function put(query: URLSearchParams, key: string, value: string): void {
  if (value) query.set(key, value)
  else query.delete(key)
}
