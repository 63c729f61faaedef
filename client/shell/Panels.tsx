import { Suspense, useEffect, useState } from 'react'
import { i18n } from '#client/base/i18n.ts'
import { lazyPart } from '#client/base/load-part.ts'
import { useStore } from '#client/base/store.ts'
import { closePanel, panelStore } from '#client/screen/panel-store.ts'
import type * as PaletteFile from './search/Palette.tsx'

const SettingsDrawer = lazyPart(() =>
  import('./settings/SettingsDrawer.tsx').then((m) => ({ default: m.SettingsDrawer })),
)

/** Runs when the first screen has loaded. */
const PALETTE_AFTER_MS = 2_000

/** The open panel, if any. */
export function Panels() {
  const panel = useStore(panelStore)
  const isPalette = panel === 'palette'
  const [palette, setPalette] = useState<typeof PaletteFile | null>(null)
  const [fault, setFault] = useState<unknown>(null)
  // After Ctrl+K the user types on at once. A suspended panel shows nothing for a third of a second
  // and what is typed then is lost, so its code and texts are loaded before.
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
