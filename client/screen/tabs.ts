/**
 * The tab list: pure changes of it, and the store kept in sessionStorage, so that a reload keeps
 * it.
 */
import { createStore } from '#client/base/store.ts'

export interface Tab {
  /** Path of a menu page; path and record id of a detail page. */
  key: string
  path: string
  /** Last query with its question mark, or empty: filters return with the tab. */
  search: string
  /** Counts refreshes; a new number mounts the view again. */
  generation: number
  /** Order of the last visits; decides which views stay mounted. */
  visit: number
  /** Of a record page: key of the tab from which it was opened; Esc returns there. */
  openedFrom?: string
}

export type Tabs = readonly Tab[]

/** Always the first tab; it cannot be closed. */
export const AFFIXED = '/home_page'
/** Views kept mounted besides the active one. */
export const ALIVE_LIMIT = 8
const KEPT = 'tabs'

export function startTabs(): Tabs {
  return [{ key: AFFIXED, path: AFFIXED, search: '', generation: 0, visit: 0 }]
}

/**
 * Opens a tab, or updates its address and visit.
 * @param isRecord a page that the menu does not show: Esc leaves it
 */
export function visitTab(
  tabs: Tabs,
  seen: Pick<Tab, 'key' | 'path' | 'search'>,
  isRecord = false,
): Tabs {
  const visit = 1 + Math.max(...tabs.map((tab) => tab.visit), 0)
  const known = tabs.find((tab) => tab.key === seen.key)
  const openedFrom = isRecord ? openedFromOf(tabs, seen, known) : undefined
  const tab = { ...seen, visit, ...(openedFrom !== undefined && { openedFrom }) }
  if (!known) return [...tabs, { ...tab, generation: 0 }]
  if (known.search === seen.search && known.visit > 0 && known.visit === visit - 1) return tabs
  return tabs.map((one) => (one === known ? { ...one, ...tab } : one))
}

/**
 * The tab visited last, when the address is new or has changed: returning to a tab changes nothing.
 * A record opened from one of its kind, as the next case is, keeps the list both came from.
 */
function openedFromOf(
  tabs: Tabs,
  seen: Pick<Tab, 'key' | 'path' | 'search'>,
  known: Tab | undefined,
): string | undefined {
  const last = tabs.reduce((best, tab) => (tab.visit > best.visit ? tab : best))
  if (last.visit === 0 || last.key === seen.key || known?.search === seen.search)
    return known?.openedFrom
  const from = last.path === seen.path ? opener(tabs, last) : last
  // a record that led there is not opened from there: Esc would never leave the two
  for (let tab = from; tab; tab = opener(tabs, tab))
    if (tab.key === seen.key) return known?.openedFrom
  return from?.key
}

/** The tab from which this one was opened, while it is open. */
export function opener(tabs: Tabs, { openedFrom }: Tab): Tab | undefined {
  return openedFrom === undefined ? undefined : tabs.find(({ key }) => key === openedFrom)
}

export function closeTab(tabs: Tabs, key: string): Tabs {
  return key === AFFIXED ? tabs : tabs.filter((tab) => tab.key !== key)
}

export function refreshTab(tabs: Tabs, key: string): Tabs {
  return tabs.map((tab) => (tab.key === key ? { ...tab, generation: tab.generation + 1 } : tab))
}

/** Moves a tab before another, or to the end. The fixed one stays first. */
export function moveTab(tabs: Tabs, key: string, before: string | null): Tabs {
  const moved = tabs.find((tab) => tab.key === key)
  if (!moved || key === AFFIXED || key === before) return tabs
  const others = tabs.filter((tab) => tab !== moved)
  const at =
    before === null
      ? others.length
      : Math.max(
          1,
          others.findIndex((tab) => tab.key === before),
        )
  const after = others.toSpliced(at, 0, moved)
  return after.every((tab, i) => tab === tabs[i]) ? tabs : after
}

/** The tab to activate when the active one closes: the most recently visited of the remaining. */
export function nextAfterClose(after: Tabs): Tab {
  return after.reduce((best, tab) => (tab.visit > best.visit ? tab : best), after[0] as Tab)
}

/** The neighbouring tab, wrapping around. */
export function besideTab(tabs: Tabs, key: string, step: 1 | -1): Tab | undefined {
  const at = tabs.findIndex((tab) => tab.key === key)
  return at < 0 ? tabs[0] : tabs[(at + step + tabs.length) % tabs.length]
}

/**
 * Keys of the views to keep mounted, most recently visited first.
 * @param keepable false for noCache views
 */
export function aliveKeys(
  tabs: Tabs,
  active: string | null,
  keepable: (key: string) => boolean,
): string[] {
  const others = tabs
    .filter((tab) => tab.key !== active && tab.visit > 0 && keepable(tab.key))
    .toSorted((a, b) => b.visit - a.visit)
  return [
    ...(active === null ? [] : [active]),
    ...others.slice(0, ALIVE_LIMIT - 1).map((tab) => tab.key),
  ]
}

export function addressOf(tab: Pick<Tab, 'path' | 'search'>): string {
  return tab.path + tab.search
}

/** The content of sessionStorage, or a new list when it is malformed. */
export function readTabs(kept: string | null): Tabs {
  try {
    const list = (JSON.parse(kept ?? '[]') as Tab[]).filter(
      (tab) =>
        typeof tab?.key === 'string' &&
        typeof tab.path === 'string' &&
        typeof tab.search === 'string' &&
        tab.path.startsWith('/'),
    )
    // After a reload only the active view is mounted, so visits start again at zero.
    const tabs = list.map((tab) => ({
      key: tab.key,
      path: tab.path,
      search: tab.search,
      generation: 0,
      visit: 0,
      ...(typeof tab.openedFrom === 'string' && { openedFrom: tab.openedFrom }),
    }))
    return [
      ...startTabs().filter((first) => !tabs.some((tab) => tab.key === first.key)),
      ...tabs,
    ].toSorted((a, b) => Number(b.key === AFFIXED) - Number(a.key === AFFIXED))
  } catch {
    return startTabs()
  }
}

export const tabsStore = createStore<Tabs>(startTabs())

/**
 * Loads the tabs of this browser tab and saves them from now on.
 * @returns stops saving and removes them
 */
export function keepTabs(userId: string): () => void {
  const key = `${KEPT}:${userId}`
  tabsStore.set(readTabs(sessionStorage.getItem(key)))
  const off = tabsStore.subscribe(() =>
    sessionStorage.setItem(key, JSON.stringify(tabsStore.get())),
  )
  return off
}

/** A logout removes the tabs; after an expired session the same user finds them (keyed by user). */
export function forgetTabs(): void {
  tabsStore.set(startTabs())
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(`${KEPT}:`)) sessionStorage.removeItem(key)
}
