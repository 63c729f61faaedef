import { lazy, Suspense } from 'react'
import { useStore } from '#client/app/store.ts'
import { closePanel, panelStore } from './panel-store.ts'

const Palette = lazy(() => import('./search/Palette.tsx').then((m) => ({ default: m.Palette })))
const SettingsDrawer = lazy(() => import('./settings/SettingsDrawer.tsx').then((m) => ({ default: m.SettingsDrawer })))

/** The panel that is open, if any. */
export function Panels() {
  const panel = useStore(panelStore)
  return (
    <Suspense fallback={null}>
      {panel === 'settings' ? <SettingsDrawer onClose={closePanel} /> : null}
      {panel === 'palette' ? <Palette onClose={closePanel} /> : null}
    </Suspense>
  )
}
