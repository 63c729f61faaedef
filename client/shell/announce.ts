/** The two live regions of the page: everything said to a screen reader goes through here, news at most once in ten seconds. */
import { createStore } from '#client/app/store.ts'

export interface Spoken {
  text: string
  /** Changes with each message, so that the same words are read again. */
  nr: number
}

const SILENT: Spoken = { text: '', nr: 0 }
export const politeStore = createStore<Spoken>(SILENT)
export const assertiveStore = createStore<Spoken>(SILENT)

/** Read when the reader pauses. */
export function announce(text: string): void {
  politeStore.set((last) => ({ text, nr: last.nr + 1 }))
}

/** Read at once: only for what stops the work. */
export function alarm(text: string): void {
  assertiveStore.set((last) => ({ text, nr: last.nr + 1 }))
}
