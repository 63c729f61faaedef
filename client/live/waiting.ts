import { createStore } from '#client/base/store.ts'

/** What waits for this user behind a menu entry, by its name: the count, and its text. */
export const waitingStore = createStore<Readonly<Record<string, { count: number; text: string }>>>(
  {},
)
