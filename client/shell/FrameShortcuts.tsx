/** Shortcuts of every screen, and the list that `?` shows. */
import { useLocation } from 'wouter'
import { lazyPart } from '#client/base/load-part.ts'
import { useStore } from '#client/base/store.ts'
import { canUndo, undoLast } from '#client/session/messages.ts'
import { useSession } from '#client/session/session-store.ts'
import { isTyping } from '#client/ui/frame/shortcut.ts'
import { jumpsOf } from './go-keys.ts'
import { hasOverlay } from '#client/ui/frame/overlay.ts'
import { openPanel } from '#client/screen/panel-store.ts'
import { closeShortcutList, openShortcutList, shortcutListStore } from './shortcut-list-store.ts'
import { type Shortcut, useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { useServerText } from '#client/session/server-text.ts'
import { addressOf, besideTab, tabsStore } from '#client/screen/tabs.ts'

const ShortcutList = lazyPart(() =>
  import('./ShortcutList.tsx').then((m) => ({ default: m.ShortcutList })),
)

export function FrameShortcuts({ active }: { active: string | null }) {
  const [, navigate] = useLocation()
  const { index, user } = useSession()
  const text = useServerText()
  const listed = useStore(shortcutListStore)
  const step = (by: 1 | -1) => {
    const tab = besideTab(tabsStore.get(), active ?? '', by)
    if (tab) navigate(addressOf(tab))
  }
  const jumps = jumpsOf(index, user.landing).map(({ key, address, title, name }): Shortcut => ({
    id: `go-${key}`,
    code: `KeyG ${key}`,
    labelKey: 'shell:shortcuts.goTo',
    labelParams: { title: text(title, name) },
    run: () => navigate(address),
    // a question or a form is answered first
    when: () => !hasOverlay(),
  }))
  useShortcuts('everywhere', [
    {
      id: 'palette',
      code: '$mod+KeyK',
      labelKey: 'shell:shortcuts.palette',
      run: () => openPanel('palette'),
      when: () => !hasOverlay(),
    },
    { id: 'list', code: 'Shift+Slash', labelKey: 'shell:shortcuts.list', run: openShortcutList },
    {
      id: 'previous-tab',
      code: 'BracketLeft',
      labelKey: 'shell:shortcuts.previousTab',
      run: () => step(-1),
      when: () => !hasOverlay(),
    },
    {
      id: 'next-tab',
      code: 'BracketRight',
      labelKey: 'shell:shortcuts.nextTab',
      run: () => step(1),
      when: () => !hasOverlay(),
    },
    // In a text field the browser's own undo applies.
    {
      id: 'undo',
      code: '$mod+KeyZ',
      labelKey: 'shell:shortcuts.undo',
      run: undoLast,
      when: () => canUndo() && !isTyping(document.activeElement),
    },
    ...jumps,
  ])
  return listed === undefined ? null : <ShortcutList ids={listed} onClose={closeShortcutList} />
}
