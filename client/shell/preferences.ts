/** How this browser shows the console: theme and size as attributes of <html>, the sidebar's state; kept in cookies. */
import { readCookie, writeCookie, YEAR } from '#client/app/cookies.ts'
import { createStore, useStore } from '#client/app/store.ts'

export const SIZES = ['default', 'medium', 'small', 'mini'] as const
export type Size = (typeof SIZES)[number]
export type Theme = 'light' | 'dark'

export interface Preferences {
  size: Size
  theme: Theme
  /** null = not chosen: a rail below 1440 px, open above. */
  sidebarOpen: boolean | null
}

const COOKIES = { size: 'size', theme: 'theme', sidebar: 'sidebarStatus' } as const

const store = createStore<Preferences>({ size: 'medium', theme: 'light', sidebarOpen: null })

/** Reads the cookies and dresses the document; called once, before the first render. */
export function applyPreferences(): void {
  const sidebar = readCookie(COOKIES.sidebar)
  const dark = readCookie(COOKIES.theme) ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  store.set({ size: sizeOf(readCookie(COOKIES.size)), theme: dark === 'dark' ? 'dark' : 'light', sidebarOpen: sidebar === null ? null : sidebar === '1' })
  dress()
}

export function usePreferences(): Preferences {
  return useStore(store)
}

export function chooseSize(size: Size): void {
  writeCookie(COOKIES.size, size, YEAR)
  store.set((p) => ({ ...p, size }))
  dress()
}

export function chooseTheme(theme: Theme): void {
  writeCookie(COOKIES.theme, theme, YEAR)
  store.set((p) => ({ ...p, theme }))
  dress()
}

export function chooseSidebar(open: boolean): void {
  writeCookie(COOKIES.sidebar, open ? '1' : '0', YEAR)
  store.set((p) => ({ ...p, sidebarOpen: open }))
}

export function sizeOf(value: string | null): Size {
  return SIZES.find((size) => size === value) ?? 'medium'
}

function dress(): void {
  const { size, theme } = store.get()
  const { dataset } = document.documentElement
  dataset.size = size
  dataset.theme = theme
  document.body.classList.toggle('bp6-dark', theme === 'dark')
}
