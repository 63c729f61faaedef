import { DISBURSEMENT_MENU } from '#shared/orders/disbursement-menu.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { accountAsk } from './disbursement/account-ask-job.ts'
import { disbursementRoutes } from './disbursement/disbursement-routes.ts'
import { redisburseApproval } from './disbursement/resend-payout.ts'
import { transferNotPaidApproval, transferPaidApproval } from './disbursement/resolve-conflict.ts'
import { cancelDisbursementJob, redisburseJob } from './disbursement/retry-payouts.ts'
import { offerExpire } from './offer-expire-job.ts'
import { ORDERS_AUDIENCE } from './orders-audience.ts'
import { ordersRoutes } from './orders-routes.ts'
import { payoutDispatch } from './payout-dispatch-job.ts'
import { payoutPoll } from './payout-poll-job.ts'
import { sendPayouts } from './send-payout-job.ts'

export const orders: Feature = {
  menu: [...ORDERS_MENU, ...DISBURSEMENT_MENU],
  audience: ORDERS_AUDIENCE,
  sealed: [
    { place: 'payout_transfer.account_enc', table: 'payout_transfer', column: 'account_enc' },
  ],
  hooks: { approvals: [redisburseApproval, transferPaidApproval, transferNotPaidApproval] },
  schedules: ({ vendors: { payout, messages } }) => [
    offerExpire,
    ...(payout ? [payoutDispatch, sendPayouts(payout), payoutPoll(payout)] : []),
    ...(messages ? [accountAsk(messages)] : []),
  ],
  jobTypes: [redisburseJob, cancelDisbursementJob],
  outside: ({ vendors: { payout } }) => (payout ? [payout] : []),
  routes(base, { context, hooked }) {
    disbursementRoutes(base, context)
    ordersRoutes(base, context, { whenCancelled: hooked('whenCancelled') })
  },
}
