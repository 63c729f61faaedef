import { createStore } from '#client/app/store.ts'

/** News and announcements this person has not read yet: beside the bell and in the title of the browser's tab. */
export const unreadStore = createStore(0)
