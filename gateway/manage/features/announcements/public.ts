/** What other features may use of announcements. */
export { unreadAnnouncements } from './announcement-queries.ts'
