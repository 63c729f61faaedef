/** Start of a wall screen: no console, no session, its own page (ux.md 5.4). */
import { createRoot } from 'react-dom/client'
import { startI18n } from '#client/app/i18n.ts'
import '#client/app/i18n-types.ts'
import { readAddress } from './address.ts'
import { stayAwake } from './comfort.ts'
import { keepCurrent, reloadWhenReachable } from './restart.ts'
import { Wall } from './Wall.tsx'
import { openLink } from './wall-link.ts'

const address = readAddress(location.search)
// a chunk of an older version is gone after an update: the page is started anew, its last picture stays until then
window.addEventListener('unhandledrejection', () => void reloadWhenReachable())
window.addEventListener('error', () => void reloadWhenReachable())
await startI18n(['wall'], address.language)
const root = document.getElementById('root')
if (!root) throw new Error('wall.html has no #root')
createRoot(root, { onUncaughtError: () => void reloadWhenReachable() }).render(
  <Wall address={address} />,
)
// the page's own watch over files that did not come ends here
document.documentElement.dataset.started = 'yes'
openLink(address.profile ?? 'mid')
keepCurrent()
stayAwake()
