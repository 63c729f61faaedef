import type { FastifyInstance } from 'fastify'
import {
  inboundApplication,
  inboundMachineReview,
  inboundResubmit,
} from '#shared/orders/inbound-api.ts'
import * as api from '#shared/review/review-api.ts'
import {
  decideHandover as decideHandoverCall,
  requestHandover as requestHandoverCall,
} from '#shared/review/review-handover-api.ts'
import * as qualityApi from '#shared/review/review-quality-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveMachine, serveMachineAfter } from '#gateway/manage/kernel/machine.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { withReadyPhotos } from '#gateway/manage/features/customers/public.ts'
import { assignReviews } from './claims/assign-reviews.ts'
import { claimReviews } from './claims/claim-review.ts'
import { openReview } from './claims/open-review.ts'
import { releaseReviews } from './claims/release-reviews.ts'
import { renewClaim } from './claims/renew-claim.ts'
import { takeOverReview } from './claims/take-over-review.ts'
import { askCustomer } from './decisions/ask-customer.ts'
import { decideReview } from './decisions/decide-review.ts'
import { undoDecision } from './decisions/undo-decision.ts'
import { escalateReview } from './decisions/escalate-review.ts'
import { retryReview } from './decisions/retry-review.ts'
import { teleReview } from './decisions/tele-review.ts'
import { decideHandover } from './handovers/decide-handover.ts'
import { requestHandover } from './handovers/request-handover.ts'
import { receiveApplication } from './inbound/receive-application.ts'
import { receiveMachineReview } from './inbound/receive-machine-review.ts'
import { receiveResubmission } from './inbound/receive-resubmission.ts'
import { appealQuality } from './quality/appeal-quality.ts'
import { checkQuality } from './quality/check-quality.ts'
import { decideAppeal } from './quality/decide-appeal.ts'
import { openQualityCheck } from './quality/open-quality-check.ts'
import { findReviewers, reviewColleagues, reviewDetail } from './review-detail-queries.ts'
import { reviewList } from './review-queries.ts'
import { reviewReasons } from './review-reasons.ts'

export function reviewRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listReviews, ({ db, actor }, input) => reviewList(db, actor, input))
  serveQuery(app, context, api.reviewDetail, ({ db, actor }, { reviewId }) =>
    reviewDetail(db, actor, reviewId),
  )
  serveQuery(app, context, api.reviewReasons, async (_query, { kind }) => reviewReasons(kind))
  serveQuery(app, context, api.reviewColleagues, ({ db, actor }) => reviewColleagues(db, actor))

  serveQuery(app, context, api.listReviewers, ({ db }) => findReviewers(db))
  serveQuery(app, context, api.renewReview, renewClaim)

  serveCommand(app, context, api.claimReviews, claimReviews)
  serveCommand(app, context, api.assignReviews, assignReviews)
  serveCommand(app, context, api.takeOverReview, takeOverReview)
  serveCommand(app, context, api.openReview, openReview)
  serveCommand(app, context, api.releaseReviews, releaseReviews)

  serveCommand(app, context, api.decideReview, decideReview)
  serveCommand(app, context, api.undoDecision, undoDecision)
  serveCommand(app, context, api.escalateReview, escalateReview)
  serveCommand(app, context, api.retryReview, retryReview)
  serveCommand(app, context, api.askCustomer, askCustomer)
  serveCommand(app, context, api.teleReview, teleReview)

  serveCommand(app, context, requestHandoverCall, requestHandover)
  serveCommand(app, context, decideHandoverCall, decideHandover)

  serveCommand(app, context, qualityApi.openQualityCheck, openQualityCheck)
  serveCommand(app, context, qualityApi.checkQuality, checkQuality)
  serveCommand(app, context, qualityApi.appealQuality, appealQuality)
  serveCommand(app, context, qualityApi.decideAppeal, decideAppeal)

  serveMachineAfter(app, context, inboundApplication, withReadyPhotos, receiveApplication)
  serveMachine(app, context, inboundMachineReview, receiveMachineReview)
  serveMachineAfter(app, context, inboundResubmit, withReadyPhotos, receiveResubmission)
}
