/** Keys that act on every screen, and the list that `?` shows. */
import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { useStore } from '#client/app/store.ts'
import { useSession } from '#client/session/session-store.ts'
import { hasOverlay } from './overlay.ts'
import { openPanel } from './panel-store.ts'
import { closeShortcutList, openShortcutList, shortcutListStore } from './shortcut-list-store.ts'
import { type Shortcut, useShortcuts } from './shortcuts.ts'
import { useServerText } from './server-text.ts'
import { addressOf, besideTab, tabsStore } from './tabs.ts'

const ShortcutList = lazy(() => import('./ShortcutList.tsx').then((m) => ({ default: m.ShortcutList })))

/** `g` then a letter leads to the page of that name, where the session has it (ux.md 5.0). */
const GO_KEYS: Readonly<Record<string, string>> = { KeyH: 'home_page', KeyW: 'pedding_list', KeyR: 'review_list', KeyA: 'urge_person', KeyB: 'loaned_board', KeyT: 'operation_ticket', KeyO: 'order_list' }

export function FrameShortcuts({ active }: { active: string | null }) {
  const [, navigate] = useLocation()
  const { index } = useSession()
  const text = useServerText()
  const listed = useStore(shortcutListStore)
  const step = (by: 1 | -1) => {
    const tab = besideTab(tabsStore.get(), active ?? '', by)
    if (tab) navigate(addressOf(tab))
  }
  const jumps = Object.entries(GO_KEYS).flatMap(([key, name]): Shortcut[] => {
    const page = index.byName.get(name)
    return page ? [{ id: `go-${name}`, code: `KeyG ${key}`, labelKey: 'shell:shortcuts.goTo', labelParams: { title: text(page.title, page.name) }, run: () => navigate(page.path) }] : []
  })
  useShortcuts('everywhere', [
    { id: 'palette', code: '$mod+KeyK', labelKey: 'shell:shortcuts.palette', run: () => openPanel('palette'), when: () => !hasOverlay() },
    { id: 'list', code: 'Shift+Slash', labelKey: 'shell:shortcuts.list', run: openShortcutList },
    { id: 'previous-tab', code: 'BracketLeft', labelKey: 'shell:shortcuts.previousTab', run: () => step(-1) },
    { id: 'next-tab', code: 'BracketRight', labelKey: 'shell:shortcuts.nextTab', run: () => step(1) },
    ...jumps,
  ])
  return listed ? (
    <Suspense fallback={null}>
      <ShortcutList onClose={closeShortcutList} />
    </Suspense>
  ) : null
}
