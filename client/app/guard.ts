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
  knows: (path: string) => boolean
}

export type GuardDecision = { show: 'login' | 'auth-redirect' | 'loading' | 'frame' } | { go: string }

export function decideRoute(input: GuardInput): GuardDecision {
  const { path, search, session } = input
  if (path === '/auth-redirect') return { show: 'auth-redirect' }
  if (path === '/login') {
    if (session === 'none') return { show: 'login' }
    // The form stays in sight while the session behind the fresh token loads.
    if (session === 'loading') return { show: 'login' }
    const wanted = new URLSearchParams(search).get('redirect')
    const target = safeRedirect(wanted, input.origin, input.knows)
    return { go: target === '/' ? landingOf(input) : target }
  }
  if (session === 'none') return { go: input.remember ? loginPath(path + search) : '/login' }
  if (session === 'loading') return { show: 'loading' }
  if (path === '/') return { go: '/home_page' }
  return { show: 'frame' }
}

function landingOf({ landing, knows }: GuardInput): string {
  return landing && knows(landing) ? landing : '/home_page'
}
