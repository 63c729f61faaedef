import type { Language } from './languages.ts'

/** The cookie that holds the token of a session. */
export const TOKEN_COOKIE = 'Admin-Token'

/** What a page shows first: the sign-in form, the home page, or any other page of the frame. */
export type FirstShown = 'login' | 'home' | 'list'

/** Addresses of scripts to request with the page; the build writes them as `preloads.json`. */
export interface Preloads {
  first: Record<Language, Record<FirstShown, readonly string[]>>
  /** What the screen of a path needs besides. */
  screens: Record<string, { files: readonly string[]; texts: Record<Language, readonly string[]> }>
}
