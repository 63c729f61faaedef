import { logout } from '#shared/session/session-api.ts'
import { call } from './call.ts'
import { endSession, expectEnd } from './session-end.ts'

/**
 * Ends the session on the server and in all tabs. A failed call does not keep the user signed in.
 */
export async function signOut(): Promise<void> {
  expectEnd()
  await call(logout, {}, { quiet: true }).catch(() => {})
  endSession({ remember: false })
}
