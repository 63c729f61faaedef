/** What other features may use of reviews. */
export { OLDEST_TIME, WAITING } from './queue-stats.ts'
export { tabOf as reviewTab } from './review-queries.ts'
