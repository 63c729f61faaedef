/** Entry point of a wall screen: its own page, without the console and without a session. */
import { createRoot } from 'react-dom/client'
import { startI18n } from '#client/base/i18n.ts'
import { readAddress } from './address.ts'
import { stayAwake } from './comfort.ts'
import { keepCurrent, reloadWhenReachable } from './restart.ts'
import { Wall } from './Wall.tsx'
import { openLink } from './wall-link.ts'

const address = readAddress(location.search)
// after an update the chunk of an older version is gone: the page is reloaded, and its last picture
// stays until then
window.addEventListener('unhandledrejection', () => void reloadWhenReachable())
window.addEventListener('error', () => void reloadWhenReachable())
await startI18n(['wall'], address.language)
const root = document.getElementById('root')
if (!root) throw new Error('wall.html has no #root')
createRoot(root, { onUncaughtError: () => void reloadWhenReachable() }).render(
  <Wall address={address} />,
)
// ends the page's own watch for files that did not load
document.documentElement.dataset.started = 'yes'
openLink(address.profile ?? 'mid')
keepCurrent()
stayAwake()
