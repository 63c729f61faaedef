import { REVIEW_MENU } from '#shared/review/review-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { assignReviewsJob } from './claims/assign-reviews.ts'
import { releaseClaimsOf, releaseReviewsJob } from './claims/release-reviews.ts'
import { dataTimeout } from './data-timeout-job.ts'
import { endReviewOfOrder } from './end-review-of-order.ts'
import { checkBatches } from './decisions/batch-check.ts'
import { retryBatches } from './decisions/batch-retry.ts'
import { decideHandoverJob } from './handovers/decide-handover.ts'
import { requestHandoverJob } from './handovers/request-handover.ts'
import { leaseSweep } from './lease-sweep-job.ts'
import { applicantCheck } from './machine/applicant-check-job.ts'
import { machineReview } from './machine/machine-review-job.ts'
import { machineTimeout } from './machine/machine-timeout-job.ts'
import { RULE_FACTS } from './machine/rule-facts.ts'
import { postCheck } from './post-check-job.ts'
import { liveStats } from './queue-stats-job.ts'
import { REVIEW_AUDIENCE } from './review-audience.ts'
import { REVIEW_HOME } from './review-home.ts'
import { reviewData } from './review-data.ts'
import { reviewRoutes } from './review-routes.ts'

export const review: Feature = {
  menu: REVIEW_MENU,
  audience: REVIEW_AUDIENCE,
  hooks: {
    batches: [...retryBatches, ...checkBatches],
    ruleFacts: [RULE_FACTS],
    home: [REVIEW_HOME],
    personalData: [reviewData],
    whenCancelled: [endReviewOfOrder],
    whenStaffStops: [(tx, userId) => releaseClaimsOf(tx, userId, 'offDuty')],
    onLogout: [(tx, userId) => releaseClaimsOf(tx, userId, 'logout')],
  },
  schedules: ({ settings, vendors: { checks } }) => [
    ...(checks ? [applicantCheck(checks)] : []),
    leaseSweep,
    postCheck,
    dataTimeout,
    liveStats,
    machineTimeout,
    ...(settings.machineReview === 'rules' ? [machineReview] : []),
  ],
  jobTypes: [assignReviewsJob, releaseReviewsJob, requestHandoverJob, decideHandoverJob],
  routes: (base, { context }) => reviewRoutes(base, context),
}
