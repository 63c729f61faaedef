/**
 * A user's arrangement of the columns of a list: order, hidden, pinned, width. Stored per list in
 * this browser, and by the frame on the server; saved views use the same value. Columns added later
 * take the position their screen gives them.
 */
export interface ColumnState {
  order: readonly string[]
  hidden: readonly string[]
  pinned: Readonly<Record<string, 'left' | 'right' | 'none'>>
  widths: Readonly<Record<string, number>>
}
export interface ColumnPreset {
  id: string
  hidden?: boolean
  pin?: 'left' | 'right'
  width: number
}
export interface PlacedColumn {
  id: string
  hidden: boolean
  pin: 'left' | 'right' | null
  width: number
}

export const DEFAULT_COLUMNS: ColumnState = { order: [], hidden: [], pinned: {}, widths: {} }
const MIN_WIDTH = 40
const MAX_WIDTH = 900

/** The columns of the screen in the user's arrangement; unknown ids in the state are ignored. */
export function placeColumns(presets: readonly ColumnPreset[], state: ColumnState): PlacedColumn[] {
  const known = new Map(presets.map((preset) => [preset.id, preset]))
  const order = [...new Set(state.order)].filter((id) => known.has(id))
  for (const [i, preset] of presets.entries()) {
    if (order.includes(preset.id)) continue
    const before = presets.slice(0, i).findLast((other) => order.includes(other.id))
    order.splice(before ? order.indexOf(before.id) + 1 : 0, 0, preset.id)
  }
  // A column unknown to the stored state is hidden or shown by the default of its screen.
  const seen = new Set(state.order)
  return order.map((id) => {
    const preset = known.get(id) as ColumnPreset
    const pin = state.pinned[id]
    return {
      id,
      hidden: seen.has(id) ? state.hidden.includes(id) : (preset.hidden ?? false),
      pin: pin === 'none' ? null : (pin ?? preset.pin ?? null),
      width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, state.widths[id] ?? preset.width)),
    }
  })
}

export function toggleColumn(
  presets: readonly ColumnPreset[],
  state: ColumnState,
  id: string,
): ColumnState {
  const placed = placeColumns(presets, state)
  const hidden = placed
    .filter((column) => (column.id === id ? !column.hidden : column.hidden))
    .map((column) => column.id)
  // A list without columns would offer no way to bring them back.
  return hidden.length === placed.length
    ? state
    : { ...state, order: placed.map((column) => column.id), hidden }
}

export function moveColumn(
  presets: readonly ColumnPreset[],
  state: ColumnState,
  id: string,
  by: -1 | 1,
): ColumnState {
  const placed = placeColumns(presets, state)
  const order = placed.map((column) => column.id)
  const from = order.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= order.length) return state
  order.splice(to, 0, ...order.splice(from, 1))
  return {
    ...state,
    order,
    hidden: placed.filter((column) => column.hidden).map((column) => column.id),
  }
}

/** Pins left, then right, then not at all. */
export function pinColumn(
  presets: readonly ColumnPreset[],
  state: ColumnState,
  id: string,
): ColumnState {
  const now = placeColumns(presets, state).find((column) => column.id === id)?.pin ?? null
  return {
    ...state,
    pinned: { ...state.pinned, [id]: now === null ? 'left' : now === 'left' ? 'right' : 'none' },
  }
}

const cache = new Map<string, ColumnState>()
const listeners = new Set<(list?: string) => void>()

export function readColumns(list: string): ColumnState {
  let state = cache.get(list)
  if (!state) {
    state = load(list)
    cache.set(list, state)
  }
  return state
}

export function writeColumns(list: string, state: ColumnState): void {
  keep(list, state)
  for (const listener of listeners) listener(list)
}

/** Replaces the arrangements with those stored elsewhere; subscribers are not notified. */
export function adoptColumns(grids: Readonly<Record<string, ColumnState>>): void {
  for (const [list, state] of Object.entries(grids)) keep(list, state)
  for (const listener of listeners) listener()
}

function keep(list: string, state: ColumnState): void {
  cache.set(list, state)
  try {
    if (state === DEFAULT_COLUMNS) localStorage.removeItem(storageKey(list))
    else localStorage.setItem(storageKey(list), JSON.stringify(state))
  } catch {
    // Storage full or forbidden: the arrangement lasts until the page is left.
  }
}

/** @param listener receives the list the user arranged; not called when arrangements are adopted */
export function subscribeColumns(listener: (list?: string) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Validates a stored state or saved view; malformed parts are dropped. */
export function parseColumns(value: unknown): ColumnState {
  const source = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  const texts = (list: unknown) =>
    Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : []
  const pairs = <Value>(map: unknown, fits: (one: unknown) => one is Value) =>
    Object.fromEntries(
      Object.entries(typeof map === 'object' && map !== null ? map : {}).filter(
        (pair): pair is [string, Value] => fits(pair[1]),
      ),
    )
  return {
    order: texts(source.order),
    hidden: texts(source.hidden),
    pinned: pairs(
      source.pinned,
      (one): one is 'left' | 'right' | 'none' =>
        one === 'left' || one === 'right' || one === 'none',
    ),
    widths: pairs(
      source.widths,
      (one): one is number => typeof one === 'number' && Number.isFinite(one),
    ),
  }
}

function load(list: string): ColumnState {
  try {
    const text = localStorage.getItem(storageKey(list))
    return text ? parseColumns(JSON.parse(text)) : DEFAULT_COLUMNS
  } catch {
    return DEFAULT_COLUMNS
  }
}

function storageKey(list: string): string {
  return `columns:${list}`
}
