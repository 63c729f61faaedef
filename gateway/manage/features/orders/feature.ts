import { DISBURSEMENT_MENU } from '#shared/orders/disbursement-menu.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { accountRequest } from './disbursement/account-request-job.ts'
import { disbursementRoutes } from './disbursement/disbursement-routes.ts'
import { redisburseApproval } from './disbursement/resend-payout.ts'
import { transferNotPaidApproval, transferPaidApproval } from './disbursement/resolve-conflict.ts'
import {
  transferEndedFailedApproval,
  transferEndedPaidApproval,
} from './disbursement/end-transfer.ts'
import { strayReturnedApproval } from './disbursement/return-stray.ts'
import { cancelDisbursementJob, redisburseJob } from './disbursement/retry-payouts.ts'
import { offerExpire } from './offer-expire-job.ts'
import { KEPT_NOTES, orderData } from './order-data.ts'
import { ORDERS_AUDIENCE } from './orders-audience.ts'
import { ORDERS_HOME } from './orders-home.ts'
import { ordersRoutes } from './orders-routes.ts'
import { dispatcherOf } from './payout-dispatch-job.ts'
import { payoutPoll } from './payout-poll-job.ts'
import { priceBatches } from './price-batches.ts'
import { sendPayouts } from './send-payout-job.ts'

export const orders: Feature = {
  menu: [...ORDERS_MENU, ...DISBURSEMENT_MENU],
  audience: ORDERS_AUDIENCE,
  sealed: [
    { place: 'payout_transfer.account_enc', table: 'payout_transfer', column: 'account_enc' },
  ],
  hooks: {
    batches: priceBatches,
    approvals: [
      redisburseApproval,
      transferPaidApproval,
      transferNotPaidApproval,
      strayReturnedApproval,
      transferEndedPaidApproval,
      transferEndedFailedApproval,
    ],
    home: [ORDERS_HOME],
    personalData: [orderData],
    retained: [KEPT_NOTES],
  },
  schedules: ({ vendors: { payout, messages } }) => [
    offerExpire,
    ...(payout
      ? [
          dispatcherOf({ servesAll: payout.installation !== null }),
          sendPayouts(payout),
          payoutPoll(payout),
        ]
      : []),
    ...(messages ? [accountRequest(messages)] : []),
  ],
  jobTypes: [redisburseJob, cancelDisbursementJob],
  outside: ({ vendors: { payout } }) => (payout ? [payout] : []),
  routes(base, { context, hooked }) {
    disbursementRoutes(base, context)
    ordersRoutes(base, context, { whenCancelled: hooked('whenCancelled') })
  },
}
