import { createStore } from '#client/app/store.ts'

/** Whether the list of shortcuts is open; the account menu and the key `?` open it. */
export const shortcutListStore = createStore(false)

export function openShortcutList(): void {
  shortcutListStore.set(true)
}

export function closeShortcutList(): void {
  shortcutListStore.set(false)
}
