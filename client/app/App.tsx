/**
 * Shows the login page, a loading page or the session. The session, with everything heavy, is a
 * chunk of its own.
 */
import { type ComponentType, useEffect, useState } from 'react'
import { i18n, textsReady } from '#client/base/i18n.ts'
import { lazyPart, loadPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { resumeSession, useSessionState } from '#client/session/session-store.ts'
import { messagesWanted } from '#client/session/messages.ts'
import { onSessionStartedElsewhere } from '#client/session/session-end.ts'
import { useStore } from '#client/base/store.ts'
import { useGuard } from './use-guard.ts'

const Login = lazyPart(
  () => import('#client/features/session/LoginScreen.tsx').then((m) => ({ default: m.Screen })),
  Starting,
)
const AuthRedirect = lazyPart(
  () =>
    import('#client/features/session/AuthRedirectScreen.tsx').then((m) => ({ default: m.Screen })),
  Starting,
)
// the frame shows them to a session; without one they stand alone
const NotPermitted = lazyPart(
  () =>
    withIcons(
      import('#client/features/session/NotPermittedScreen.tsx').then((m) => ({
        default: m.Screen,
      })),
    ),
  Starting,
)
const NotFound = lazyPart(
  () =>
    withIcons(
      import('#client/features/session/NotFoundScreen.tsx').then((m) => ({ default: m.Screen })),
    ),
  Starting,
)
const SignedIn = lazyPart(loadSignedIn, Starting)
/** Texts the frame shows at once: each one it waited for would delay what is inside. */
const FRAME_TEXTS = ['shell', 'live', 'ui']

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
      {messages ? <Messages /> : null}
    </>
  )
}

/** Also called before the session is known, so that both load in parallel. */
export async function loadSignedIn(): Promise<{ default: ComponentType }> {
  const [loaded] = await Promise.all([
    withIcons(import('./SignedIn.tsx')),
    textsReady.then(() => i18n.loadNamespaces(FRAME_TEXTS)),
  ])
  return { default: loaded.SignedIn }
}

/** Toasts load as a chunk when the first message is shown; the app works without them. */
function Messages() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  useEffect(() => {
    loadPart(() => withIcons(import('#client/ui/feedback/Toasts.tsx'))).then(
      (loaded) => setToasts(() => loaded.Toasts),
      () => {},
    )
  }, [])
  return Toasts ? <Toasts /> : null
}

function Starting() {
  return <Loading waiting={false} />
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
