import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchInput } from '#client/session/activity.ts'
import { call } from '#client/session/call.ts'
import { isInterrupted } from '#client/session/interruption.ts'
import { loadSession } from '#client/session/session-store.ts'
import { readToken } from '#client/session/token.ts'
import { applyPreferences } from '#client/base/preferences.ts'
import { currentRole } from '#shared/session/session-api.ts'
import { App, loadSignedIn } from './App.tsx'
import { i18n, startI18n } from '#client/base/i18n.ts'

applyPreferences()
watchInput(() => {
  if (readToken() !== null && !isInterrupted())
    call(currentRole, {}, { quiet: true }).catch(() => {})
})
// All need the network and are independent, so they load in parallel.
const texts = startI18n()
const session = loadSession()
// the render tries it again, and shows what failed
if (readToken() !== null) loadSignedIn().catch(() => {})
await texts
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
// The texts of refusals load after the first render; a refused call waits for them.
void i18n.loadNamespaces('problems')
await session
