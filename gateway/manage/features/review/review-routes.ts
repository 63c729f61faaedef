import type { FastifyInstance } from 'fastify'
import {
  inboundApplication,
  inboundMachineReview,
  inboundResubmit,
} from '#shared/orders/inbound-api.ts'
import * as api from '#shared/review/review-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
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

export function reviewRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, api.listReviews, ({ db, actor }, input) => reviewList(db, actor, input))
  serveQuery(app, house, api.reviewDetail, ({ db, actor }, { reviewId }) =>
    reviewDetail(db, actor, reviewId),
  )
  serveQuery(app, house, api.reviewReasons, async (_query, { kind }) => reviewReasons(kind))
  serveQuery(app, house, api.reviewColleagues, ({ db, actor }) => reviewColleagues(db, actor))

  serveQuery(app, house, api.listReviewers, ({ db }) => findReviewers(db))
  serveQuery(app, house, api.renewReview, renewClaim)

  serveCommand(app, house, api.claimReviews, claimReviews)
  serveCommand(app, house, api.assignReviews, assignReviews)
  serveCommand(app, house, api.takeOverReview, takeOverReview)
  serveCommand(app, house, api.openReview, openReview)
  serveCommand(app, house, api.releaseReviews, releaseReviews)

  serveCommand(app, house, api.decideReview, decideReview)
  serveCommand(app, house, api.escalateReview, escalateReview)
  serveCommand(app, house, api.retryReview, retryReview)
  serveCommand(app, house, api.askCustomer, askCustomer)
  serveCommand(app, house, api.teleReview, teleReview)

  serveCommand(app, house, api.requestHandover, requestHandover)
  serveCommand(app, house, api.decideHandover, decideHandover)

  serveCommand(app, house, api.openQualityCheck, openQualityCheck)
  serveCommand(app, house, api.checkQuality, checkQuality)
  serveCommand(app, house, api.appealQuality, appealQuality)
  serveCommand(app, house, api.decideAppeal, decideAppeal)

  serveMachineAfter(app, house, inboundApplication, withReadyPhotos, receiveApplication)
  serveMachine(app, house, inboundMachineReview, receiveMachineReview)
  serveMachineAfter(app, house, inboundResubmit, withReadyPhotos, receiveResubmission)
}
