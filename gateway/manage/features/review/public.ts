/** What other features and manage.ts may use of the review desk. */
export { assignReviewsJob } from './claims/assign-reviews.ts'
export { decideHandoverJob } from './handovers/decide-handover.ts'
export { requestHandoverJob } from './handovers/request-handover.ts'
export { releaseClaimsOf, releaseReviewsJob } from './claims/release-reviews.ts'
export { endReviewOfOrder } from './end-review-of-order.ts'
export { OLDEST_TIME, WAITING } from './queue-stats.ts'
export { tabOf as reviewTab } from './review-queries.ts'
