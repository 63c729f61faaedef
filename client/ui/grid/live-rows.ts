/**
 * The content of a live list, as a pure reducer: a page from the server plus the events received
 * since. Two rules: rows never move while the list is held (pointer over it, row focused, menu
 * open), and of two values of a field the newer version wins, whatever the order of arrival.
 * Versions are kept per field, because an event carries only the fields it changed: dropping an
 * older event whole would lose the fields the newer one did not touch.
 */
export interface LivePatch {
  kind: 'patch'
  id: string
  /**
   * Absent when the row was not written (a call began, a lease was renewed): the last one received
   * wins.
   */
  version?: number
  changes: Record<string, unknown>
}
/** The row was read again: as new as what is shown, or newer. */
export interface LiveRow {
  kind: 'row'
  id: string
  version: number
  row: object
}
/** The row left the list; `reason` is shown beside it ("moved to Asha by R."). */
export interface LiveLeave {
  kind: 'leave'
  id: string
  version?: number
  reason: string
}
/**
 * A row that belongs to the list but is not on the page; only counted until `apply` reads the page.
 */
export interface LiveArrival {
  kind: 'new'
  id: string
}
export type LiveChange = LivePatch | LiveRow | LiveLeave | LiveArrival

export interface Leaving {
  reason: string
  at: number
  version?: number
}

interface Entry<Row> {
  row: Row
  /** Version of the row as the server sent it. */
  base: number
  /** Fields patched since, with the version of the patch. */
  fields: Readonly<Record<string, number>>
}

export interface LiveRowsState<Row> {
  order: readonly string[]
  entries: ReadonlyMap<string, Entry<Row>>
  /** Order of a newer page that may not be shown yet. */
  waiting: readonly string[] | null
  leaving: ReadonlyMap<string, Leaving>
  arrived: ReadonlySet<string>
  /** Rows whose sorted field changed: their position is no longer right. */
  moved: ReadonlySet<string>
  /** Patches of unknown rows: an event may overtake the answer that brings its row. */
  early: readonly LivePatch[]
}

export interface RowShape<Row> {
  idOf: (row: Row) => string
  versionOf?: (row: Row) => number
}

/** A leaving row stays, struck through, for this long. */
export const LEAVING_MS = 10_000
const EARLY_LIMIT = 200

export function emptyLiveRows<Row>(): LiveRowsState<Row> {
  return {
    order: [],
    entries: new Map(),
    waiting: null,
    leaving: new Map(),
    arrived: new Set(),
    moved: new Set(),
    early: [],
  }
}

/**
 * A page arrived from the server.
 * @param asked the user requested it (page, sort, filter, refresh): shown at once, even while held
 */
export function takePage<Row extends object>(
  state: LiveRowsState<Row>,
  rows: readonly Row[],
  shape: RowShape<Row>,
  how: { held: boolean; byUser: boolean; openId?: string | null },
): LiveRowsState<Row> {
  const entries = new Map<string, Entry<Row>>()
  const leaving = new Map(state.leaving)
  const ids: string[] = []
  for (const row of rows) {
    const id = shape.idOf(row)
    const version = shape.versionOf?.(row) ?? 0
    ids.push(id)
    entries.set(
      id,
      mergeEntry(
        state.entries.get(id),
        row,
        version,
        state.early.filter((patch) => patch.id === id),
      ),
    )
    const mark = leaving.get(id)
    if (mark && version >= (mark.version ?? 0)) leaving.delete(id)
  }
  const arrived = new Set<string>()
  const early = state.early.filter((patch) => !entries.has(patch.id))
  if (how.byUser)
    return {
      order: ids,
      entries,
      waiting: null,
      leaving: only(leaving, ids),
      arrived,
      moved: new Set(),
      early,
    }

  for (const id of state.order) {
    const known = state.entries.get(id)
    if (known && !entries.has(id)) entries.set(id, known)
  }
  if (how.held)
    return {
      ...state,
      entries,
      leaving,
      arrived,
      early,
      waiting: sameOrder(ids, state.order) ? null : ids,
      moved: new Set(),
    }
  return settle(
    { ...state, entries, leaving, arrived, early, waiting: null, moved: new Set() },
    ids,
    how.openId ?? null,
  )
}

/**
 * Events arrived. `touched` are the rows that now look different, shown or waiting; `sortFields`
 * the fields the list is sorted by.
 */
export function takeChanges<Row extends object>(
  state: LiveRowsState<Row>,
  changes: readonly LiveChange[],
  now: number,
  sortFields: readonly string[] = [],
): { state: LiveRowsState<Row>; touched: string[] } {
  // There may be hundreds of patches a second: what does not change keeps its identity.
  const entries = new Map(state.entries)
  let { leaving, arrived, moved, early } = state
  const touched = new Set<string>()
  for (const change of changes) {
    const entry = entries.get(change.id)
    if (change.kind === 'patch' || change.kind === 'row') {
      if (!entry) {
        if (change.kind === 'patch') early = [...early, change].slice(-EARLY_LIMIT)
        continue
      }
      const patched =
        change.kind === 'patch'
          ? patchEntry(entry, change)
          : mergeEntry(entry, change.row as Row, change.version, [])
      if (patched === entry) continue
      entries.set(change.id, patched)
      touched.add(change.id)
      if (sortFields.some((field) => read(patched.row, field) !== read(entry.row, field)))
        moved = withId(moved, change.id)
    } else if (change.kind === 'leave') {
      if (arrived.has(change.id)) arrived = new Set([...arrived].filter((id) => id !== change.id))
      if (!entry || leaving.has(change.id) || (change.version ?? Infinity) < entry.base) continue
      leaving = new Map(leaving).set(change.id, {
        reason: change.reason,
        at: now,
        version: change.version,
      })
      touched.add(change.id)
    } else if (!entry) arrived = withId(arrived, change.id)
  }
  return { state: { ...state, entries, leaving, arrived, moved, early }, touched: [...touched] }
}

/** The list is no longer held, or the user asked for the waiting order. */
export function applyWaiting<Row>(
  state: LiveRowsState<Row>,
  openId: string | null = null,
): LiveRowsState<Row> {
  return state.waiting
    ? settle({ ...state, waiting: null, moved: new Set() }, state.waiting, openId)
    : state
}

/** Removes rows that have been leaving for long enough; never an open one. */
export function dropExpired<Row>(
  state: LiveRowsState<Row>,
  now: number,
  how: { held: boolean; openId?: string | null },
): LiveRowsState<Row> {
  if (how.held) return state
  const gone = new Set(
    [...state.leaving]
      .filter(
        ([id, mark]) =>
          now - mark.at >= LEAVING_MS && id !== how.openId && state.order.includes(id),
      )
      .map(([id]) => id),
  )
  if (!gone.size) return state
  const order = state.order.filter((id) => !gone.has(id))
  return {
    ...state,
    order,
    waiting: state.waiting?.filter((id) => !gone.has(id)) ?? null,
    entries: only(state.entries, [...order, ...(state.waiting ?? [])]),
    leaving: without(state.leaving, gone),
  }
}

/** The counts of the pill: rows not shown yet, and shown rows in the wrong position. */
export function pendingOf<Row>(state: LiveRowsState<Row>): { added: number; moved: number } {
  const shown = new Set(state.order)
  const added = new Set([...state.arrived, ...(state.waiting ?? [])].filter((id) => !shown.has(id)))
  const moved = new Set(state.moved)
  if (state.waiting) {
    const coming = new Set(state.waiting)
    const stay = state.order.filter((id) => coming.has(id))
    const next = state.waiting.filter((id) => shown.has(id))
    for (const [i, id] of stay.entries()) if (next[i] !== id) moved.add(id)
    for (const id of state.order) if (!coming.has(id)) moved.add(id)
  }
  return { added: added.size, moved: moved.size }
}

export function shownRows<Row>(state: LiveRowsState<Row>): Row[] {
  return state.order.flatMap((id) => state.entries.get(id)?.row ?? [])
}

/** Shows `ids`; rows still leaving and the open row keep their position, marked as gone. */
function settle<Row>(
  state: LiveRowsState<Row>,
  ids: readonly string[],
  openId: string | null,
): LiveRowsState<Row> {
  const coming = new Set(ids)
  const order = [...ids]
  const leaving = new Map(state.leaving)
  for (const [i, id] of state.order.entries()) {
    if (coming.has(id) || !(leaving.has(id) || id === openId)) continue
    if (!leaving.has(id)) leaving.set(id, { reason: '', at: 0 })
    order.splice(Math.min(i, order.length), 0, id)
  }
  return { ...state, order, entries: only(state.entries, order), leaving: only(leaving, order) }
}

function mergeEntry<Row extends object>(
  known: Entry<Row> | undefined,
  row: Row,
  version: number,
  early: readonly LivePatch[],
): Entry<Row> {
  // A late answer: the known values are newer.
  if (known && version < known.base) return known
  let entry: Entry<Row> = { row, base: version, fields: {} }
  for (const [field, at] of Object.entries(known?.fields ?? {}))
    entry = patchEntry(entry, {
      kind: 'patch',
      id: '',
      version: at,
      changes: { [field]: read(known?.row as Row, field) },
    })
  for (const patch of early) entry = patchEntry(entry, patch)
  return entry
}

function patchEntry<Row extends object>(
  entry: Entry<Row>,
  { version, changes }: LivePatch,
): Entry<Row> {
  if (version === undefined) return { ...entry, row: { ...entry.row, ...changes } }
  const fresh = Object.entries(changes).filter(
    ([field]) => version > Math.max(entry.base, entry.fields[field] ?? -Infinity),
  )
  if (!fresh.length) return entry
  return {
    base: entry.base,
    row: { ...entry.row, ...Object.fromEntries(fresh) },
    fields: { ...entry.fields, ...Object.fromEntries(fresh.map(([field]) => [field, version])) },
  }
}

function read(row: object, field: string): unknown {
  return (row as Record<string, unknown>)[field]
}

function withId(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? ids : new Set(ids).add(id)
}

function sameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i])
}

function only<Value>(map: ReadonlyMap<string, Value>, ids: readonly string[]): Map<string, Value> {
  return new Map(ids.flatMap((id) => (map.has(id) ? [[id, map.get(id) as Value] as const] : [])))
}

function without<Value>(
  map: ReadonlyMap<string, Value>,
  ids: ReadonlySet<string>,
): Map<string, Value> {
  return new Map([...map].filter(([id]) => !ids.has(id)))
}
