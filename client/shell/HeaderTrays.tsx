import { lazy, Suspense } from 'react'
import { openPanel } from './panel-store.ts'
import { hasOverlay } from './overlay.ts'
import { useShortcuts } from './shortcuts.ts'

const NavNews = lazy(() => import('./news/NavNews.tsx').then((m) => ({ default: m.NavNews })))

/** News and jobs; their place is kept while they load. */
export function HeaderTrays() {
  useShortcuts('everywhere', [
    {
      id: 'news',
      code: 'Alt+Shift+KeyN',
      labelKey: 'shell:shortcuts.news',
      run: () => openPanel('news'),
      when: () => !hasOverlay(),
    },
  ])
  return (
    <Suspense fallback={<span className="trays-coming" />}>
      <NavNews />
    </Suspense>
  )
}
