import { lazy, Suspense, useEffect, useState } from 'react'
import { i18n } from '#client/app/i18n.ts'
import { useStore } from '#client/app/store.ts'
import { closePanel, panelStore } from './panel-store.ts'
import type * as PaletteFile from './search/Palette.tsx'

const SettingsDrawer = lazy(() =>
  import('./settings/SettingsDrawer.tsx').then((m) => ({ default: m.SettingsDrawer })),
)

/** When the first screen has what it needs. */
const PALETTE_AFTER_MS = 2_000

/** The panel that is open, if any. */
export function Panels() {
  const panel = useStore(panelStore)
  const isPalette = panel === 'palette'
  const [palette, setPalette] = useState<typeof PaletteFile | null>(null)
  const [fault, setFault] = useState<unknown>(null)
  // Who presses Ctrl+K types on at once. What waits in a Suspense shows nothing for a third of a second, and what is typed then is lost: so its code and its texts come before.
  useEffect(() => {
    if (palette) return
    const read = () =>
      void Promise.all([import('./search/Palette.tsx'), i18n.loadNamespaces('search')]).then(
        ([found]) => setPalette(found),
        (error: unknown) => isPalette && setFault(error),
      )
    const timer = setTimeout(read, isPalette ? 0 : PALETTE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [palette, isPalette])
  if (isPalette && fault !== null) throw fault
  return (
    <Suspense fallback={null}>
      {panel === 'settings' ? <SettingsDrawer onClose={closePanel} /> : null}
      {isPalette && palette ? <palette.Palette onClose={closePanel} /> : null}
    </Suspense>
  )
}
