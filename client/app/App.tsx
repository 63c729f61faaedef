/**
 * Shows the login page, a loading page or the session. The session, with everything heavy, is a
 * chunk of its own.
 */
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { resumeSession, useSessionState } from '#client/session/session-store.ts'
import { messagesWanted } from '#client/session/messages.ts'
import { onSessionStartedElsewhere } from '#client/session/session-end.ts'
import { useStore } from '#client/base/store.ts'
import { useGuard } from './use-guard.ts'

const Login = lazy(() =>
  import('#client/features/session/LoginScreen.tsx').then((m) => ({ default: m.Screen })),
)
const AuthRedirect = lazy(() =>
  import('#client/features/session/AuthRedirectScreen.tsx').then((m) => ({ default: m.Screen })),
)
// the frame shows them to a session; without one they stand alone
const NotPermitted = lazy(() =>
  withIcons(
    import('#client/features/session/NotPermittedScreen.tsx').then((m) => ({ default: m.Screen })),
  ),
)
const NotFound = lazy(() =>
  withIcons(
    import('#client/features/session/NotFoundScreen.tsx').then((m) => ({ default: m.Screen })),
  ),
)
const SignedIn = lazy(() =>
  withIcons(import('./SignedIn.tsx').then((m) => ({ default: m.SignedIn }))),
)
const RETRY_MS = 3_000

export function App() {
  const state = useSessionState()
  const isWaiting = state.status === 'loading' && state.waiting
  const messages = useStore(messagesWanted)
  const shown = useGuard({
    session: state.status,
    remember: state.status !== 'none' || state.ended === null || state.ended.remember,
    hasSignedIn: false,
    landing: '',
    knows: null,
  })
  useEffect(() => onSessionStartedElsewhere(() => void resumeSession().catch(() => {})), [])

  return (
    <>
      <Suspense fallback={<Loading waiting={false} />}>
        {shown === 'loading' ? (
          <Loading waiting={isWaiting} />
        ) : shown === 'login' ? (
          <>
            {isWaiting ? <Waiting /> : null}
            <Login />
          </>
        ) : shown === 'auth-redirect' ? (
          <AuthRedirect />
        ) : shown === '401' ? (
          <NotPermitted />
        ) : shown === '404' ? (
          <NotFound />
        ) : (
          <SignedIn />
        )}
      </Suspense>
      {messages ? <Messages /> : null}
    </>
  )
}

/**
 * Toasts load as a chunk when the first message is shown, possibly because the connection is down.
 * The import is therefore retried until it succeeds, and the app works without it.
 */
function Messages() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const load = (): void => {
      withIcons(import('#client/ui/feedback/Toasts.tsx')).then(
        (loaded) => gone || setToasts(() => loaded.Toasts),
        () => (timer = gone ? undefined : setTimeout(load, RETRY_MS)),
      )
    }
    load()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [])
  return Toasts ? <Toasts /> : null
}

function Loading({ waiting }: { waiting: boolean }) {
  const t = useText('session')
  return (
    <div className="app-loading">
      {waiting ? (
        <Waiting />
      ) : (
        <span className="visually-hidden" role="status">
          {t('loading')}
        </span>
      )}
    </div>
  )
}

/** The server does not answer yet; nothing is lost meanwhile. */
function Waiting() {
  const t = useText('session')
  return (
    <div className="app-waiting" role="status">
      <p className="app-waiting-title">{t('waiting.title')}</p>
      <p>{t('waiting.text')}</p>
    </div>
  )
}

/** Registers icons before the first render: an icon that is not registered draws an empty box. */
async function withIcons<Loaded>(loading: Promise<Loaded>): Promise<Loaded> {
  const [loaded, icons] = await Promise.all([loading, import('#client/ui/frame/icons.ts')])
  await icons.registerIcons()
  return loaded
}
