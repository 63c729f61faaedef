/**
 * How the console looks and behaves for the person at this browser: attributes of <html> that theme.css answers, and switches
 * the frame asks for. Kept here for the first picture (size and sidebar in cookies, as the specification says), and on the
 * server for the person (preference-sync.ts).
 */
import { readCookie, writeCookie, YEAR } from '#client/app/cookies.ts'
import { createStore, useStore } from '#client/app/store.ts'
import { DEFAULT_PREFERENCES } from '#shared/preferences/default-preferences.ts'
import type { Mode, Size, SoundKind, Theme } from '#shared/preferences/preference-sets.ts'

/** What follows the person; the fields of POST /pref/save. */
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
  /** null = not chosen: a rail below 1440 px, open above. */
  sidebarOpen: boolean | null
  /** Whether the mode, or the computer where it decides, is dark now. */
  isDark: boolean
}

const KEPT = 'preferences'
const COOKIES = { size: 'size', sidebar: 'sidebarStatus' } as const
const DARK = '(prefers-color-scheme: dark)'

const store = createStore<Preferences>({ ...DEFAULT_PREFERENCES, sidebarOpen: null, isDark: false })
const listeners = new Set<(changed: Partial<Chosen>) => void>()

/** Reads what this browser kept and dresses the document; called once, before the first render. */
export function applyPreferences(): void {
  const sidebar = readCookie(COOKIES.sidebar)
  const size = readCookie(COOKIES.size) as Size | null
  take({ ...readKept(), ...(size && { size }) })
  store.set((p) => ({ ...p, sidebarOpen: sidebar === null ? null : sidebar === '1' }))
  matchMedia(DARK).addEventListener('change', () => take({}))
  // another tab of this browser
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

/** The person chose: shown at once, kept here, and told to whoever keeps it elsewhere. */
export function choose(changed: Partial<Chosen>): void {
  adopt(changed)
  for (const listener of listeners) listener(changed)
}

/** What the server knows of this person replaces what the browser kept. */
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
    // written by `adopt` alone; a colour or size that is none leaves the sheet's own
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
