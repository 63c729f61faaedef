/** What other features may use of repayments. */
export { type LoanTerms, type MadePlan, makePlans } from './make-plans.ts'
export { type DisbursedLoan, type OpenedLoan, postDisbursement } from './post-disbursement.ts'
export type { PaidOrder, WhenPaid } from './settle-payment.ts'
export { batchWriteOffApproval, batchWriteOffJob } from './writeoffs/batch-write-off.ts'
export { reversalApproval } from './reversal/reverse-payment.ts'
export { LEDGER_ACCOUNT, type LedgerAccount } from './ledger-accounts.ts'
