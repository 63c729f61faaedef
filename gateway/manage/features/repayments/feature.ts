import { sql } from 'kysely'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { sealedFile } from '#gateway/manage/kernel/kept-files.ts'
import { ledgerProofJob, proveNightly } from './ledger/prove-ledger.ts'
import { paymentLink } from './links/payment-link-job.ts'
import { openDay } from './open-day-job.ts'
import { paymentData } from './payment-data.ts'
import { paymentTimeout } from './payment-timeout-job.ts'
import { decideReductionsJob } from './reductions/decide-reductions.ts'
import { reduceExpire } from './reductions/reduce-expire-job.ts'
import { REPAYMENTS_HOME } from './repayments-home.ts'
import { dueReminder } from './reminders/due-reminder-job.ts'
import { repaymentsRoutes } from './repayments-routes.ts'
import { paymentStandsApproval } from './reversal/record-conflict.ts'
import { reversalApproval } from './reversal/request-reversal.ts'
import { cureApproval } from './settlement/cure-loan.ts'
import { batchWriteOffApproval, batchWriteOffJob } from './writeoffs/batch-write-off.ts'

export const repayments: Feature = {
  menu: REPAYMENTS_MENU,
  sealed: [
    { place: 'repay_record.upi_enc', table: 'repay_record', column: 'upi_enc' },
    sealedFile('proof'),
  ],
  hooks: ({ hooked }) => ({
    home: [REPAYMENTS_HOME],
    personalData: [paymentData],
    ownedFiles: [
      {
        customerOf: sql`(select f.customer_id from repay_proof_file x join repay_proof f
          on f.id = x.proof_id where x.file_id = o.id limit 1)`,
      },
    ],
    approvals: [
      batchWriteOffApproval,
      reversalApproval(hooked('whenPaid')),
      paymentStandsApproval,
      cureApproval(hooked('whenDayOpened')),
    ],
  }),
  schedules: ({ hooked, vendors: { messages, pages } }) => [
    openDay(hooked('whenDayOpened')),
    paymentTimeout,
    reduceExpire(hooked('whenPaid')),
    proveNightly,
    ...(messages ? [paymentLink(messages, pages), dueReminder(messages)] : []),
  ],
  jobTypes: ({ hooked }) => [
    decideReductionsJob,
    batchWriteOffJob(hooked('whenPaid')),
    ledgerProofJob,
  ],
  routes: (base, { context, hooked }) =>
    repaymentsRoutes(base, context, { whenPaid: hooked('whenPaid') }),
}
