/**
 * The two live regions of the page, used for all screen reader announcements; news is announced at
 * most once in ten seconds.
 */
import { createStore } from '#client/base/store.ts'

export interface Spoken {
  text: string
  /** Changes with each message, so that repeated text is announced again. */
  nr: number
}

const SILENT: Spoken = { text: '', nr: 0 }
export const politeStore = createStore<Spoken>(SILENT)
export const assertiveStore = createStore<Spoken>(SILENT)

/** Announced when the screen reader pauses. */
export function announce(text: string): void {
  politeStore.set((last) => ({ text, nr: last.nr + 1 }))
}

/** Announced at once: only for what stops the work. */
export function alarm(text: string): void {
  assertiveStore.set((last) => ({ text, nr: last.nr + 1 }))
}
