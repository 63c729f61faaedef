/** The tab bar's list: pure changes of it, and the store kept in sessionStorage, so that F5 keeps what was open. */
import { createStore } from '#client/app/store.ts'

export interface Tab {
  /** Path of a menu page; path and record of a detail. */
  key: string
  path: string
  /** Query as last seen, with its question mark or empty: filters come back with the tab. */
  search: string
  /** Counts refreshes; a new number mounts the view anew. */
  generation: number
  /** Order of last visits, for what stays alive. */
  visit: number
}

export type Tabs = readonly Tab[]

/** Always the first tab; it cannot be closed. */
export const AFFIXED = '/home_page'
/** Views kept mounted behind the active one. */
export const ALIVE_LIMIT = 8
const KEPT = 'tabs'

export function startTabs(): Tabs {
  return [{ key: AFFIXED, path: AFFIXED, search: '', generation: 0, visit: 0 }]
}

/** Opens a tab, or brings its address and visit up to date. */
export function visitTab(tabs: Tabs, seen: Pick<Tab, 'key' | 'path' | 'search'>): Tabs {
  const visit = 1 + Math.max(...tabs.map((tab) => tab.visit), 0)
  const known = tabs.find((tab) => tab.key === seen.key)
  if (!known) return [...tabs, { ...seen, generation: 0, visit }]
  if (known.search === seen.search && known.visit > 0 && known.visit === visit - 1) return tabs
  return tabs.map((tab) => (tab === known ? { ...tab, ...seen, visit } : tab))
}

export function closeTab(tabs: Tabs, key: string): Tabs {
  return key === AFFIXED ? tabs : tabs.filter((tab) => tab.key !== key)
}

export function refreshTab(tabs: Tabs, key: string): Tabs {
  return tabs.map((tab) => (tab.key === key ? { ...tab, generation: tab.generation + 1 } : tab))
}

/** Puts a tab before another, or at the end. The affixed one stays the first. */
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

/** Where to go when the active tab closes: the one most recently visited among those that stay. */
export function nextAfterClose(after: Tabs): Tab {
  return after.reduce((best, tab) => (tab.visit > best.visit ? tab : best), after[0] as Tab)
}

/** The tab beside, going round. */
export function besideTab(tabs: Tabs, key: string, step: 1 | -1): Tab | undefined {
  const at = tabs.findIndex((tab) => tab.key === key)
  return at < 0 ? tabs[0] : tabs[(at + step + tabs.length) % tabs.length]
}

/** Keys of the views to keep mounted, most recently visited first. @param keepable false for noCache views */
export function aliveKeys(
  tabs: Tabs,
  active: string | null,
  keepable: (key: string) => boolean,
): string[] {
  const others = tabs
    .filter((tab) => tab.key !== active && tab.visit > 0 && keepable(tab.key))
    .sort((a, b) => b.visit - a.visit)
  return [
    ...(active === null ? [] : [active]),
    ...others.slice(0, ALIVE_LIMIT - 1).map((tab) => tab.key),
  ]
}

export function addressOf(tab: Pick<Tab, 'path' | 'search'>): string {
  return tab.path + tab.search
}

/** What sessionStorage held, or a fresh list when it is not ours. */
export function readTabs(kept: string | null): Tabs {
  try {
    const list = (JSON.parse(kept ?? '[]') as Tab[]).filter(
      (tab) =>
        typeof tab?.key === 'string' &&
        typeof tab.path === 'string' &&
        typeof tab.search === 'string' &&
        tab.path.startsWith('/'),
    )
    // Nothing but the active view is mounted after a reload: visits start anew.
    const tabs = list.map((tab) => ({
      key: tab.key,
      path: tab.path,
      search: tab.search,
      generation: 0,
      visit: 0,
    }))
    return [
      ...startTabs().filter((first) => !tabs.some((tab) => tab.key === first.key)),
      ...tabs,
    ].sort((a, b) => Number(b.key === AFFIXED) - Number(a.key === AFFIXED))
  } catch {
    return startTabs()
  }
}

export const tabsStore = createStore<Tabs>(startTabs())

/** Loads the tabs of this browser tab and keeps them from now on. @returns ends it and forgets them */
export function keepTabs(userId: string): () => void {
  const key = `${KEPT}:${userId}`
  tabsStore.set(readTabs(sessionStorage.getItem(key)))
  const off = tabsStore.subscribe(() =>
    sessionStorage.setItem(key, JSON.stringify(tabsStore.get())),
  )
  return off
}

/** After a logout nobody finds what was open; an expired session finds its tabs again (they are kept by user). */
export function forgetTabs(): void {
  tabsStore.set(startTabs())
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(`${KEPT}:`)) sessionStorage.removeItem(key)
}
