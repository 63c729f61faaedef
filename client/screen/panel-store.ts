import { createStore } from '#client/base/store.ts'

/** The panels that the frame opens over the page; each is a chunk that loads on first use. */
export type Panel = 'settings' | 'palette' | 'notifications' | 'jobs'

export const panelStore = createStore<Panel | null>(null)

export function openPanel(panel: Panel): void {
  panelStore.set(panel)
}

export function closePanel(): void {
  panelStore.set(null)
}
