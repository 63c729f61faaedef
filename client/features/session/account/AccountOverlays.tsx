/**
 * Overlays of this feature above the frame: the dialogs of the own account, and the login over an
 * expired session. Each is loaded when needed.
 */
import { lazy, Suspense, useEffect } from 'react'
import { useStore } from '#client/base/store.ts'
import { useSessionState } from '#client/session/session-store.ts'
import { accountDialog } from './account-dialog.ts'

const loadSignInAgain = () => import('./SignInAgain.tsx')
const SignInAgain = lazy(() => loadSignInAgain().then((m) => ({ default: m.SignInAgain })))
const PasswordDialog = lazy(() =>
  import('./PasswordDialog.tsx').then((m) => ({ default: m.PasswordDialog })),
)
const TwoFactorDialog = lazy(() =>
  import('./TwoFactorDialog.tsx').then((m) => ({ default: m.TwoFactorDialog })),
)
const AvatarDialog = lazy(() =>
  import('./AvatarDialog.tsx').then((m) => ({ default: m.AvatarDialog })),
)
const SessionsDialog = lazy(() =>
  import('./SessionsDialog.tsx').then((m) => ({ default: m.SessionsDialog })),
)
const SOON_MS = 4_000

export function AccountOverlays() {
  const state = useSessionState()
  const open = useStore(accountDialog)
  useEffect(() => {
    // preloaded, because the connection may be gone when it is needed
    const timer = setTimeout(() => void loadSignInAgain().catch(() => {}), SOON_MS)
    return () => {
      clearTimeout(timer)
      accountDialog.set(null)
    }
  }, [])
  if (state.status !== 'ready') return null
  return (
    <>
      <Suspense fallback={null}>
        {open === 'avatar' ? (
          <AvatarDialog />
        ) : open === 'password' ? (
          <PasswordDialog />
        ) : open === 'twoFactor' ? (
          <TwoFactorDialog />
        ) : open === 'sessions' ? (
          <SessionsDialog />
        ) : null}
      </Suspense>
      {state.lapsed ? (
        <Suspense fallback={<div className="lapsed-cover" />}>
          <SignInAgain />
        </Suspense>
      ) : null}
    </>
  )
}
