import { createStore } from '#client/base/store.ts'

/** Whether the list of shortcuts is open; opened by the account menu and by `?`. */
export const shortcutListStore = createStore(false)

export function openShortcutList(): void {
  shortcutListStore.set(true)
}

export function closeShortcutList(): void {
  shortcutListStore.set(false)
}
