import { createStore } from '#client/app/store.ts'

/** What the frame opens over the page; each is a chunk of its own that loads when it is first wanted. */
export type Panel = 'settings' | 'palette' | 'news' | 'jobs'

export const panelStore = createStore<Panel | null>(null)

export function openPanel(panel: Panel): void {
  panelStore.set(panel)
}

export function closePanel(): void {
  panelStore.set(null)
}
