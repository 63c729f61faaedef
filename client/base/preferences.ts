/**
 * The user's display preferences: attributes of <html> that theme.css uses, and switches of the
 * frame. Stored here for the first render (size and sidebar in cookies) and on the server for the
 * user (preference-sync.ts).
 */
import { readCookie, writeCookie, YEAR } from '#client/base/cookies.ts'
import { createStore, useStore } from '#client/base/store.ts'
import { DEFAULT_PREFERENCES } from '#shared/preferences/default-preferences.ts'
import type { Mode, Size, SoundKind, Theme } from '#shared/preferences/preference-sets.ts'

/** Stored per user; the fields of POST /pref/save. */
export interface Chosen {
  size: Size
  theme: Theme
  mode: Mode
  motion: boolean
  singleKeys: boolean
  sounds: Readonly<Partial<Record<SoundKind, boolean>>>
  tagsView: boolean
  fixedHeader: boolean
  sidebarLogo: boolean
  pinyinSearch: boolean
  /** Names of menus. */
  favourites: readonly string[]
}

export interface Preferences extends Chosen {
  /** null = not set: collapsed below 1440 px, expanded above. */
  sidebarOpen: boolean | null
  /** Whether dark mode is on now, by the setting or by the system. */
  isDark: boolean
}

const KEPT = 'preferences'
const COOKIES = { size: 'size', sidebar: 'sidebarStatus' } as const
const DARK = '(prefers-color-scheme: dark)'

const store = createStore<Preferences>({ ...DEFAULT_PREFERENCES, sidebarOpen: null, isDark: false })
const listeners = new Set<(changed: Partial<Chosen>) => void>()

/**
 * Reads the stored values and applies them to the document; called once, before the first render.
 */
export function applyPreferences(): void {
  const sidebar = readCookie(COOKIES.sidebar)
  const size = readCookie(COOKIES.size) as Size | null
  take({ ...readKept(), ...(size && { size }) })
  store.set((p) => ({ ...p, sidebarOpen: sidebar === null ? null : sidebar === '1' }))
  matchMedia(DARK).addEventListener('change', () => take({}))
  // Another tab of this browser changed them.
  window.addEventListener('storage', (event) => {
    if (event.key === KEPT) take(readKept())
  })
}

export function usePreferences(): Preferences {
  return useStore(store)
}

export function currentPreferences(): Preferences {
  return store.get()
}

/**
 * A choice of the user: applied at once, stored here and passed to the subscribers that store it.
 */
export function choose(changed: Partial<Chosen>): void {
  adopt(changed)
  for (const listener of listeners) listener(changed)
}

/** Replaces the stored values with those from the server. */
export function adopt(known: Partial<Chosen>): void {
  take(known)
  const { sidebarOpen: _own, isDark: _shown, ...chosen } = store.get()
  writeCookie(COOKIES.size, chosen.size, YEAR)
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen))
  } catch {
    // Storage full or forbidden: the server keeps it.
  }
}

export function onChoice(listener: (changed: Partial<Chosen>) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function chooseSidebar(open: boolean): void {
  writeCookie(COOKIES.sidebar, open ? '1' : '0', YEAR)
  store.set((p) => ({ ...p, sidebarOpen: open }))
}

function take(known: Partial<Chosen>): void {
  const mode = known.mode ?? store.get().mode
  store.set((p) => ({
    ...p,
    ...known,
    isDark: mode === 'dark' || (mode === 'system' && matchMedia(DARK).matches),
  }))
  dress(store.get())
}

function readKept(): Partial<Chosen> {
  try {
    // Written only by `adopt`; an unknown colour or size leaves the style sheet's default.
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Chosen>
  } catch {
    return {}
  }
}

function dress({ size, theme, isDark, motion, singleKeys }: Preferences): void {
  const { dataset } = document.documentElement
  dataset.size = size
  dataset.preset = theme.slice(1)
  dataset.theme = isDark ? 'dark' : 'light'
  dataset.motion = motion ? 'on' : 'off'
  dataset.singleKeys = singleKeys ? 'on' : 'off'
  document.body.classList.toggle('bp6-dark', isDark)
}
