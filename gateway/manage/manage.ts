/** The core behind /api/manage: one line per feature. */
import type { FastifyInstance } from 'fastify'
import { ACCESS_MENU } from '#shared/access/access-menu.ts'
import { ALLOCATION_MENU } from '#shared/collection/allocation-menu.ts'
import { FIGURES_MENU } from '#shared/collection/figures-menu.ts'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { CUSTOMERS_MENU } from '#shared/customers/customers-menu.ts'
import { NOTICES_MENU } from '#shared/notices/notices-menu.ts'
import { DISBURSEMENT_MENU } from '#shared/orders/disbursement-menu.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { PRODUCTS_MENU } from '#shared/products/products-menu.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { REVIEW_MENU } from '#shared/review/review-menu.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { SYSTEM_MENU } from '#shared/system/system-menu.ts'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import { WALL_MENU } from '#shared/wall/wall-menu.ts'
import { buildCore, type Manage, type ManageDeps, type Parts } from './core.ts'
import { accessRoutes } from './features/access/access-routes.ts'
import { roleApproval } from './features/access/save-role.ts'
import type { Releases } from './features/access/save-user.ts'
import { approvalExpire } from './features/approvals/approval-expire-job.ts'
import { approvalsRoutes } from './features/approvals/approvals-routes.ts'
import { allocateJob, recallJob } from './features/collection/allocation/allocate-cases.ts'
import { allocationRoutes } from './features/collection/allocation/allocation-routes.ts'
import { autoAllocateClass } from './features/collection/allocation/auto-allocate-job.ts'
import { allocationRunJob } from './features/collection/allocation/run.ts'
import { undoRunJob } from './features/collection/allocation/undo-run.ts'
import { decideChangeJob } from './features/collection/changes/change-cases.ts'
import { COLLECTION_AUDIENCE } from './features/collection/collection-audience.ts'
import { intimate } from './features/collection/day/intimate-job.ts'
import { ptpCheck } from './features/collection/day/ptp-check-job.ts'
import { recallIdle } from './features/collection/day/recall-idle-job.ts'
import { stopExpire, stopHold } from './features/collection/day/stop-expire-job.ts'
import { figuresRoutes } from './features/collection/figures/figures-routes.ts'
import { setupRoutes } from './features/collection/setup/setup-routes.ts'
import { openAllocationJob, personStatusJob } from './features/collection/setup/switch-persons.ts'
import { decideJob, resumeJob } from './features/collection/stops/stop-collection.ts'
import { workRoutes } from './features/collection/work-routes.ts'
import { casePaid, openDayCases } from './features/collection/public.ts'
import { CUSTOMERS_AUDIENCE } from './features/customers/customers-audience.ts'
import { customersRoutes } from './features/customers/customers-routes.ts'
import { blacklistJob, unblacklistJob } from './features/customers/public.ts'
import { errorsRoutes } from './features/errors/errors-routes.ts'
import { disbursementRoutes } from './features/orders/disbursement/disbursement-routes.ts'
import { accountAsk } from './features/orders/disbursement/account-ask-job.ts'
import { redisburseApproval } from './features/orders/disbursement/resend-payout.ts'
import {
  cancelDisbursementJob,
  redisburseJob,
} from './features/orders/disbursement/retry-payouts.ts'
import { offerExpire } from './features/orders/offer-expire-job.ts'
import { directExportRoutes } from './features/exports/direct-exports.ts'
import { exportApproval } from './features/exports/export-approval.ts'
import { exportJob } from './features/exports/export-job.ts'
import { exportsRoutes } from './features/exports/exports-routes.ts'
import { fileSweep } from './features/exports/file-sweep-job.ts'
import { homeRoutes } from './features/home/home-routes.ts'
import { noticesRoutes } from './features/notices/notices-routes.ts'
import { ORDERS_AUDIENCE } from './features/orders/orders-audience.ts'
import { ordersRoutes } from './features/orders/orders-routes.ts'
import { payoutDispatch } from './features/orders/payout-dispatch-job.ts'
import { payoutPoll } from './features/orders/payout-poll-job.ts'
import { sendPayouts } from './features/orders/send-payout-job.ts'
import { productsRoutes } from './features/products/products-routes.ts'
import { preferencesRoutes } from './features/preferences/preferences-routes.ts'
import { openDay } from './features/repayments/open-day-job.ts'
import { paymentTimeout } from './features/repayments/payment-timeout-job.ts'
import {
  batchWriteOffApproval,
  batchWriteOffJob,
  cureApproval,
  decideReductionsJob,
  ledgerProofJob,
  paymentLink,
  proveNightly,
  reversalApproval,
} from './features/repayments/public.ts'
import { reduceExpire } from './features/repayments/reductions/reduce-expire-job.ts'
import { repaymentsRoutes } from './features/repayments/repayments-routes.ts'
import { dataTimeout } from './features/review/data-timeout-job.ts'
import { leaseSweep } from './features/review/lease-sweep-job.ts'
import { machineReview } from './features/review/machine/machine-review-job.ts'
import { postCheck } from './features/review/post-check-job.ts'
import {
  assignReviewsJob,
  decideHandoverJob,
  endReviewOfOrder,
  releaseClaimsOf,
  releaseReviewsJob,
  requestHandoverJob,
} from './features/review/public.ts'
import { liveStats } from './features/review/queue-stats-job.ts'
import { REVIEW_AUDIENCE } from './features/review/review-audience.ts'
import { reviewRoutes } from './features/review/review-routes.ts'
import { searchRoutes } from './features/search/search-routes.ts'
import { boardSweep } from './features/wall/board-sweep-job.ts'
import { boardTick } from './features/wall/figures/board-tick-job.ts'
import { FigureDesk } from './features/wall/figures/figure-desk.ts'
import { revokeBoardsJob } from './features/wall/revoke-boards.ts'
import { lineStatusJob } from './features/system/line-store.ts'
import { systemRoutes } from './features/system/system-routes.ts'
import { viewsRoutes } from './features/views/views-routes.ts'
import { screenDoor } from './features/wall/pairing/screen-token.ts'
import { WALL_AUDIENCE } from './features/wall/wall-audience.ts'
import { wallRoutes } from './features/wall/wall-routes.ts'
import {
  assignTicketsJob,
  decideTransferJob,
  releaseLeasesOf,
  ticketDistribute,
  ticketMessage,
  ticketSla,
  ticketSweep,
  transferJob,
} from './features/tickets/public.ts'
import { TICKETS_AUDIENCE } from './features/tickets/tickets-audience.ts'
import { ticketsRoutes } from './features/tickets/tickets-routes.ts'
import type { House } from './kernel/house.ts'
import { resealClass } from './kernel/reseal-job.ts'
import { type MessageSettings, messageVendorOf } from './vendors/message-settings.ts'
import { type PayoutSettings, payoutVendorOf } from './vendors/payout-settings.ts'

/**
 * @param messages without them the sandbox vendor plays one, in production none: nobody is told, and what waits for it waits
 * @param machine whether the rules of this installation judge applications, or somebody outside does, through /inbound/machineReview
 */
export function buildManage(
  deps: ManageDeps,
  payout: PayoutSettings,
  messages: MessageSettings = { kind: deps.production ? 'none' : 'sandbox' },
  machine: 'rules' | 'external' = 'external',
): Promise<Manage> {
  return buildCore(deps, (house, app) =>
    consoleParts(house, app, payout, messages, machine, deps.secureCookies),
  )
}

/** What is freed when somebody may not work any more. */
const RELEASES: Releases = [(cx, userId) => releaseClaimsOf(cx, userId, 'offDuty'), releaseLeasesOf]
/** What waits for a second person. */
const APPROVALS = [
  redisburseApproval,
  batchWriteOffApproval,
  reversalApproval([casePaid]),
  cureApproval([openDayCases]),
  exportApproval,
  roleApproval(RELEASES),
]

function consoleParts(
  house: House,
  app: FastifyInstance,
  payout: PayoutSettings,
  messages: MessageSettings,
  machine: 'rules' | 'external',
  secureCookies: boolean,
): Parts {
  const vendor = payoutVendorOf(payout, house, app)
  const messenger = messageVendorOf(messages)
  const figures = new FigureDesk(house)
  return {
    menus: [
      ...SESSION_MENU,
      ...ORDERS_MENU,
      ...DISBURSEMENT_MENU,
      ...REPAYMENTS_MENU,
      ...REVIEW_MENU,
      ...SETUP_MENU,
      ...WORK_MENU,
      ...ALLOCATION_MENU,
      ...FIGURES_MENU,
      ...WALL_MENU,
      ...TICKETS_MENU,
      ...CUSTOMERS_MENU,
      ...ACCESS_MENU,
      ...PRODUCTS_MENU,
      ...NOTICES_MENU,
      ...SYSTEM_MENU,
    ],
    audiences: [
      ORDERS_AUDIENCE,
      REVIEW_AUDIENCE,
      CUSTOMERS_AUDIENCE,
      COLLECTION_AUDIENCE,
      WALL_AUDIENCE,
      TICKETS_AUDIENCE,
    ],
    schedules: [
      resealClass(),
      leaseSweep,
      postCheck,
      dataTimeout,
      liveStats,
      offerExpire,
      openDay([openDayCases]),
      paymentTimeout,
      reduceExpire([casePaid]),
      approvalExpire(APPROVALS),
      ptpCheck,
      recallIdle,
      stopExpire,
      stopHold,
      autoAllocateClass,
      proveNightly,
      boardTick(figures),
      boardSweep,
      fileSweep,
      ticketSweep,
      ticketSla,
      ticketDistribute,
      ...(messenger
        ? [
            intimate(messenger),
            ticketMessage(messenger),
            accountAsk(messenger),
            paymentLink(messenger),
          ]
        : []),
      ...(machine === 'rules' ? [machineReview] : []),
      ...(vendor ? [payoutDispatch, sendPayouts(vendor), payoutPoll(vendor)] : []),
    ],
    jobTypes: [
      exportJob,
      redisburseJob,
      cancelDisbursementJob,
      decideReductionsJob,
      batchWriteOffJob([casePaid]),
      blacklistJob,
      unblacklistJob,
      assignReviewsJob,
      releaseReviewsJob,
      requestHandoverJob,
      decideHandoverJob,
      decideJob,
      resumeJob,
      decideChangeJob,
      openAllocationJob,
      personStatusJob,
      allocationRunJob,
      undoRunJob,
      allocateJob,
      recallJob,
      assignTicketsJob,
      transferJob,
      decideTransferJob,
      lineStatusJob,
      revokeBoardsJob,
      ledgerProofJob,
    ],
    onLogout: [(cx, userId) => releaseClaimsOf(cx, userId, 'logout'), releaseLeasesOf],
    screens: screenDoor(house),
    outside: vendor ? [vendor] : [],
    routes(base) {
      preferencesRoutes(base, house)
      errorsRoutes(base, house)
      searchRoutes(base, house)
      noticesRoutes(base, house)
      exportsRoutes(base, house)
      viewsRoutes(base, house)
      systemRoutes(base, house)
      accessRoutes(base, house, { releases: RELEASES })
      disbursementRoutes(base, house)
      ordersRoutes(base, house, { whenCancelled: [endReviewOfOrder] })
      reviewRoutes(base, house)
      customersRoutes(base, house)
      productsRoutes(base, house)
      approvalsRoutes(base, house, { kinds: APPROVALS })
      homeRoutes(base, house, { kinds: APPROVALS })
      repaymentsRoutes(base, house, { whenPaid: [casePaid] })
      setupRoutes(base, house)
      workRoutes(base, house)
      allocationRoutes(base, house)
      figuresRoutes(base, house)
      ticketsRoutes(base, house)
      wallRoutes(base, house, { desk: figures, secureCookies })
      directExportRoutes(base, house)
    },
  }
}
