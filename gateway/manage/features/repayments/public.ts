/** What other features may use of repayments. */
export { type LoanTerms, type MadePlan, makePlans } from './make-plans.ts'
export { postStrayPayout, postStrayReturn } from './post-stray-payout.ts'
export { type DisbursedLoan, type OpenedLoan, postDisbursement } from './post-disbursement.ts'
export type { PaidOrder, WhenPaid } from './paid-order.ts'
export { snapshotFacts } from './order-snapshot.ts'
export { LEDGER_ACCOUNT, type LedgerAccount } from './ledger-accounts.ts'
export { IS_RECEIVED, isUtrOf, plansInScope, recordsInScope } from './lists/payment-rows.ts'
export { paymentOfUtr } from './record-store.ts'
