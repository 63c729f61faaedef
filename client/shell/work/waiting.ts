import { createStore } from '#client/app/store.ts'

/** What waits for this person behind an entry of the menu, by its name: how much, and in words. */
export const waitingStore = createStore<Readonly<Record<string, { count: number; text: string }>>>(
  {},
)
