/** What other features may use of announcements. */
export { unreadNotices } from './notice-queries.ts'
