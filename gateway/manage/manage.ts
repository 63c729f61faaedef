/** The core behind /api/manage: one line per feature. */
import type { FastifyInstance } from 'fastify'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { REVIEW_MENU } from '#shared/review/review-menu.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { buildCore, type Manage, type ManageDeps, type Parts } from './core.ts'
import { CUSTOMERS_AUDIENCE } from './features/customers/customers-audience.ts'
import { customersRoutes } from './features/customers/customers-routes.ts'
import { offerExpire } from './features/orders/offer-expire-job.ts'
import { ORDERS_AUDIENCE } from './features/orders/orders-audience.ts'
import { ordersRoutes } from './features/orders/orders-routes.ts'
import { payoutDispatch } from './features/orders/payout-dispatch-job.ts'
import { payoutPoll } from './features/orders/payout-poll-job.ts'
import { sendPayouts } from './features/orders/send-payout-job.ts'
import { dataTimeout } from './features/review/data-timeout-job.ts'
import { leaseSweep } from './features/review/lease-sweep-job.ts'
import { postCheck } from './features/review/post-check-job.ts'
import { assignReviewsJob, endReviewOfOrder, releaseClaimsOf } from './features/review/public.ts'
import { liveStats } from './features/review/queue-stats-job.ts'
import { REVIEW_AUDIENCE } from './features/review/review-audience.ts'
import { reviewRoutes } from './features/review/review-routes.ts'
import type { House } from './kernel/house.ts'
import { type PayoutSettings, payoutVendorOf } from './vendors/payout-settings.ts'

export function buildManage(deps: ManageDeps, payout: PayoutSettings): Promise<Manage> {
  return buildCore(deps, (house, app) => consoleParts(house, app, payout))
}

function consoleParts(house: House, app: FastifyInstance, payout: PayoutSettings): Parts {
  const vendor = payoutVendorOf(payout, house, app)
  return {
    menus: [...SESSION_MENU, ...ORDERS_MENU, ...REVIEW_MENU],
    audiences: [ORDERS_AUDIENCE, REVIEW_AUDIENCE, CUSTOMERS_AUDIENCE],
    schedules: [leaseSweep, postCheck, dataTimeout, liveStats, offerExpire, ...(vendor ? [payoutDispatch, sendPayouts(vendor), payoutPoll(vendor)] : [])],
    jobTypes: [assignReviewsJob],
    onLogout: [(cx, userId) => releaseClaimsOf(cx, userId, 'logout')],
    outside: vendor ? [vendor] : [],
    routes(base) {
      ordersRoutes(base, house, { whenCancelled: [endReviewOfOrder] })
      reviewRoutes(base, house)
      customersRoutes(base, house)
    },
  }
}
