/** The route guard as one pure decision. */
import { safeRedirect, loginPath } from '#client/session/redirect.ts'

/** Pages open without a session; every other path redirects to the login page first. */
export const OPEN_PATHS = ['/login', '/auth-redirect', '/401', '/404'] as const

export interface GuardInput {
  path: string
  /** The query with its question mark, or empty. */
  search: string
  origin: string
  session: 'none' | 'loading' | 'ready'
  /** Whether the next sign-in returns to the page on which the session ended. */
  remember: boolean
  /** The session began on the login page of this tab. */
  hasSignedIn: boolean
  /** The start page of the role; only for a session that is ready. */
  landing: string
  /** Null until the table of screens has loaded; the guard then decides again. */
  knows: ((path: string) => boolean) | null
}

export type Shown = 'login' | 'auth-redirect' | '401' | '404' | 'loading' | 'frame'
export type GuardDecision = { show: Shown } | { go: string }

export function decideRoute(input: GuardInput): GuardDecision {
  const { path, search, session, knows } = input
  if (path === '/auth-redirect') return { show: 'auth-redirect' }
  if (session === 'none') {
    if (path === '/401' || path === '/404') return { show: path === '/401' ? '401' : '404' }
    return path === '/login'
      ? { show: 'login' }
      : { go: input.remember ? loginPath(path + search) : '/login' }
  }
  // The form stays visible while the session of the new token loads.
  if (session === 'loading') return { show: path === '/login' ? 'login' : 'loading' }
  if (knows === null) return { show: 'frame' }
  const start = input.landing && knows(input.landing) ? input.landing : '/home_page'
  if (path === '/login') {
    const target = safeRedirect(new URLSearchParams(search).get('redirect'), input.origin, knows)
    return { go: target === '/' && input.hasSignedIn ? start : target }
  }
  return path === '/' ? { go: '/home_page' } : { show: 'frame' }
}
