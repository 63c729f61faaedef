import { createStore } from '#client/base/store.ts'
import { hasDialog } from '#client/ui/frame/overlay.ts'
import { runnableShortcuts } from '#client/ui/frame/shortcuts.ts'

/** Ids of the shortcuts that the list shows; null = all of the page. */
export type ListedIds = ReadonlySet<string> | null

/** What the open list shows, opened by the account menu and by `?`; undefined while it is closed. */
export const shortcutListStore = createStore<ListedIds | undefined>(undefined)

/** Over a dialog the list shows only what works there. */
export function openShortcutList(): void {
  shortcutListStore.set(hasDialog() ? new Set(runnableShortcuts().map(({ id }) => id)) : null)
}

export function closeShortcutList(): void {
  shortcutListStore.set(undefined)
}
