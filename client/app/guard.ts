/** The route guard as one decision (specification, sections 2 and 4). Pure. */
import { safeRedirect, loginPath } from '#client/session/redirect.ts'

/** Open without a session; every other path leads to the login page first. */
export const OPEN_PATHS = ['/login', '/auth-redirect'] as const

export interface GuardInput {
  path: string
  /** With its question mark, or empty. */
  search: string
  origin: string
  session: 'none' | 'loading' | 'ready'
  /** Whether the page the session ended on should come back after the next sign-in. */
  remember: boolean
  /** Where the role starts; only for a session that is ready. */
  landing: string
  /** Null while the table of screens is not loaded: what brings it decides again. */
  knows: ((path: string) => boolean) | null
}

export type Shown = 'login' | 'auth-redirect' | 'loading' | 'frame'
export type GuardDecision = { show: Shown } | { go: string }

export function decideRoute(input: GuardInput): GuardDecision {
  const { path, search, session, knows } = input
  if (path === '/auth-redirect') return { show: 'auth-redirect' }
  if (session === 'none')
    return path === '/login'
      ? { show: 'login' }
      : { go: input.remember ? loginPath(path + search) : '/login' }
  // The form stays in sight while the session behind the fresh token loads.
  if (session === 'loading') return { show: path === '/login' ? 'login' : 'loading' }
  if (knows === null) return { show: 'frame' }
  const start = input.landing && knows(input.landing) ? input.landing : '/home_page'
  if (path === '/login') {
    const target = safeRedirect(new URLSearchParams(search).get('redirect'), input.origin, knows)
    return { go: target === '/' ? start : target }
  }
  return path === '/' ? { go: '/home_page' } : { show: 'frame' }
}
