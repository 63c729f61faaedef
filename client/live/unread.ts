import { createStore } from '#client/base/store.ts'

/** Number of unread notifications and announcements, for the bell and the browser tab's title. */
export const unreadStore = createStore(0)
