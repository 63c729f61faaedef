/** Decides between login, loading and the frame; the frame, with everything heavy, is a chunk of its own. */
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import { useSessionState, loadSession } from '#client/session/session-store.ts'
import { messagesWanted } from '#client/session/messages.ts'
import { onSessionStartedElsewhere } from '#client/session/session-end.ts'
import { decideRoute } from './guard.ts'
import { DETAILS, SCREENS } from './features.ts'
import { knowsPath } from './routes.ts'
import { useStore } from './store.ts'

const Login = lazy(() => import('#client/features/session/LoginScreen.tsx').then((m) => ({ default: m.Screen })))
const AuthRedirect = lazy(() => import('#client/features/session/AuthRedirectScreen.tsx').then((m) => ({ default: m.Screen })))
const Frame = lazy(() => withIcons(import('#client/shell/Frame.tsx').then((m) => ({ default: m.Frame }))))
const RETRY_MS = 3_000

export function App() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const state = useSessionState()
  const messages = useStore(messagesWanted)
  const ready = state.status === 'ready' ? state.session : null
  const decision = decideRoute({
    path,
    search: search && `?${search}`,
    origin: location.origin,
    session: state.status,
    remember: state.status !== 'none' || state.ended === null || state.ended.remember,
    landing: ready?.user.landing ?? '',
    knows: (asked) => ready !== null && knowsPath({ index: ready.index, screens: SCREENS, details: DETAILS }, asked),
  })
  const go = 'go' in decision ? decision.go : null

  useEffect(() => {
    if (go !== null) navigate(go, { replace: true })
  }, [go, navigate])
  useEffect(() => onSessionStartedElsewhere(() => void loadSession()), [])

  return (
    <>
      <Suspense fallback={<Loading />}>
        {go !== null || !('show' in decision) || decision.show === 'loading' ? <Loading /> : decision.show === 'login' ? <Login /> : decision.show === 'auth-redirect' ? <AuthRedirect /> : <Frame />}
      </Suspense>
      {messages ? <Messages /> : null}
    </>
  )
}

/** Messages are a chunk of their own, first wanted when something went wrong, perhaps the line itself: so it is asked for until it comes, and its absence breaks nothing. */
function Messages() {
  const [Toasts, setToasts] = useState<ComponentType | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const load = (): void => {
      withIcons(import('#client/ui/Toasts.tsx')).then(
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

function Loading() {
  const { t } = useTranslation('session')
  return (
    <div className="app-loading" role="status">
      <span className="visually-hidden">{t('loading')}</span>
    </div>
  )
}

/** No icon may be drawn before it is registered: it would stay an empty box. */
async function withIcons<Loaded>(loading: Promise<Loaded>): Promise<Loaded> {
  const [loaded, icons] = await Promise.all([loading, import('#client/ui/icons.ts')])
  await icons.registerIcons()
  return loaded
}
