/**
 * Overlays of this feature above the frame: the dialogs of the own account, and the login over an
 * expired session. Each is loaded when needed.
 */
import { useEffect } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useStore } from '#client/base/store.ts'
import { useSessionState } from '#client/session/session-store.ts'
import { accountDialog } from './account-dialog.ts'
// watches the focus from now on: the sign-in itself loads later
import './place-of-focus.ts'

const loadSignInAgain = () => import('./SignInAgain.tsx')
const SignInAgain = lazyPart(
  () => loadSignInAgain().then((m) => ({ default: m.SignInAgain })),
  () => <div className="lapsed-cover" />,
)
const PasswordDialog = lazyPart(() =>
  import('./PasswordDialog.tsx').then((m) => ({ default: m.PasswordDialog })),
)
const TwoFactorDialog = lazyPart(() =>
  import('./TwoFactorDialog.tsx').then((m) => ({ default: m.TwoFactorDialog })),
)
const AvatarDialog = lazyPart(() =>
  import('./AvatarDialog.tsx').then((m) => ({ default: m.AvatarDialog })),
)
const SessionsDialog = lazyPart(() =>
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
      {open === 'avatar' ? (
        <AvatarDialog />
      ) : open === 'password' ? (
        <PasswordDialog />
      ) : open === 'twoFactor' ? (
        <TwoFactorDialog />
      ) : open === 'sessions' ? (
        <SessionsDialog />
      ) : null}
      {state.lapsed ? <SignInAgain /> : null}
    </>
  )
}
