/** The signed-in user: token → user, role flag and menu. A failure removes the token. */
import { hasUnsaved } from '#client/ui/form/unsaved.ts'
import { createStore, useStore } from '#client/base/store.ts'
import {
  currentRole,
  type MenuTreeNode,
  serverTime,
  sidebar,
  userInfo,
} from '#shared/session/session-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { call } from './call.ts'
import { textsReady } from '#client/base/i18n.ts'
import { CallError, isUnanswered, messageOf } from './call-error.ts'
import { uuid } from './ids.ts'
import { endInterruption, interrupt } from './interruption.ts'
import { indexMenu, type MenuIndex } from './menu.ts'
import { showMessage } from './messages.ts'
import { nextTry } from '#client/base/next-try.ts'
import { setServerClock } from './server-clock.ts'
import { endSession, onSessionEnd, type SessionEnd, publishSessionStarted } from './session-end.ts'
import { readToken, setIdleMinutes, storeToken } from './token.ts'

export type SessionUser = DataOf<typeof userInfo>['user']

export interface Session {
  user: SessionUser
  roleFlag: number
  menu: readonly MenuTreeNode[]
  index: MenuIndex
}

export type SessionState =
  | { status: 'none'; ended: SessionEnd | null }
  /** `waiting`: nobody answers; it is tried until somebody does. */
  | { status: 'loading'; waiting: boolean }
  /** `lapsed`: the session ended while the page was in use; it stays below until the same person is back. */
  | { status: 'ready'; session: Session; lapsed: SessionEnd | null }

/** These texts are prescribed and shown unchanged in every language. */
const NO_INFO = 'Verification failed, please Login again.'
const NO_MENU = 'getInfo: roles must be a non-null array!'

export const sessionStore = createStore<SessionState>({ status: 'none', ended: null })

onSessionEnd((end) => {
  // Several calls, the socket and other tabs may detect the same end; it is reported once.
  const state = sessionStore.get()
  if (state.status === 'none' || (state.status === 'ready' && state.lapsed && end.remember)) return
  // without unsaved input the login page is enough, and returns here
  if (state.status === 'ready' && end.remember && hasUnsaved()) {
    interrupt()
    sessionStore.set({ ...state, lapsed: end })
  } else {
    sessionStore.set({ status: 'none', ended: end })
    endInterruption(false)
  }
  if (end.message)
    void showMessage({ intent: 'danger', message: end.message, key: `session-end:${end.message}` })
})

let signedInHere = false

/** Whether the session began by a sign-in in this tab; else the tab resumed it. */
export function hasSignedIn(): boolean {
  return signedInHere
}

/** Stores the token of a sign-in and loads its session. */
export async function startSession(token: string): Promise<void> {
  signedInHere = true
  storeToken(token, uuid())
  await loadSession()
  if (sessionStore.get().status === 'ready') publishSessionStarted()
}

/**
 * Reads user and menu of the stored token, and waits while nobody answers. Never throws: a refusal
 * ends the session and is shown.
 */
export async function loadSession(): Promise<void> {
  if (!readToken()) return
  let now: SessionState = { status: 'loading', waiting: false }
  sessionStore.set(now)
  // another load, a logout or a sign-in took over
  const isOver = (): boolean => sessionStore.get() !== now
  for (let attempt = 0; ; attempt += 1) {
    try {
      const session = await readSession()
      if (!isOver()) sessionStore.set({ status: 'ready', session, lapsed: null })
      return
    } catch (error) {
      if (isOver()) return
      if (!isUnanswered(error)) {
        // the page may still be loading its texts
        await textsReady
        const message = error instanceof CallError ? messageOf(error) : (error as Error).message
        return endSession({ message, remember: true })
      }
      now = { status: 'loading', waiting: true }
      sessionStore.set(now)
      await nextTry(attempt)
      if (isOver()) return
    }
  }
}

/** @throws CallError; Error with a prescribed text when the answer is none of a session */
async function readSession(): Promise<Session> {
  const [info, time] = await Promise.all([
    call(userInfo, {}, { quiet: true }),
    call(serverTime, {}, { quiet: true }).catch(() => null),
  ])
  if (time) setServerClock(time)
  // The contract guarantees both; the check is required nevertheless.
  if (!info?.user) throw new Error(NO_INFO)
  if (!info.menu?.length) throw new Error(NO_MENU)
  setIdleMinutes(info.user.idleMinutes)
  return sessionOf(info)
}

/**
 * Stores the token of a sign-in over a page whose session expired, and continues there.
 * @throws CallError when the session of the token cannot be read
 */
export async function continueSession(token: string): Promise<void> {
  storeToken(token, uuid())
  await resumeSession()
  publishSessionStarted()
}

/**
 * After a sign-in here or in another tab: the same user continues on the page, for another user the
 * console restarts.
 */
export async function resumeSession(): Promise<void> {
  const before = sessionStore.get()
  if (before.status !== 'ready') return loadSession()
  const info = await call(userInfo, {}, { quiet: true, resuming: true })
  const now = sessionStore.get()
  if (now.status !== 'ready') return
  // No data of one user may stay in the memory of another user's page.
  if (info.user.userId !== before.session.user.userId) return location.replace('/')
  setIdleMinutes(info.user.idleMinutes)
  sessionStore.set({ status: 'ready', session: sessionOf(info), lapsed: null })
  endInterruption(true)
}

function sessionOf({ user, roleFlag, menu }: DataOf<typeof userInfo>): Session {
  return { user, roleFlag, menu, index: indexMenu(menu) }
}

/** The person changed their own picture. */
export function setAvatar(avatar: string | null): void {
  sessionStore.set((state) =>
    state.status === 'ready'
      ? { ...state, session: { ...state.session, user: { ...state.session.user, avatar } } }
      : state,
  )
}

/** Reads the menu and the role again after either changed (`menu.changed`). */
export async function reloadMenu(): Promise<void> {
  const [{ menu }, role] = await Promise.all([
    call(sidebar, {}, { quiet: true }),
    call(currentRole, {}, { quiet: true }),
  ])
  sessionStore.set((state) => {
    if (state.status !== 'ready') return state
    const { user } = state.session
    return {
      ...state,
      session: {
        ...state.session,
        user: { ...user, roles: [role.uniqueMark], scope: { ...user.scope, kind: role.dataScope } },
        menu,
        index: indexMenu(menu),
      },
    }
  })
}

/** State of the session, for the router; screens use `useSession`. */
export function useSessionState(): SessionState {
  return useStore(sessionStore)
}

/** The session of a page behind the guard. @throws Error outside of it */
export function useSession(): Session {
  const state = useSessionState()
  if (state.status !== 'ready') throw new Error('useSession is for pages behind the session guard')
  return state.session
}
