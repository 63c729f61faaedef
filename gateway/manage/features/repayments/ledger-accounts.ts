/** Accounts of the ledger that a disbursement touches (api.md 25). A further posting adds its own here. */
export const LEDGER_ACCOUNT = {
  principalReceivable: 'principalReceivable',
  interestReceivable: 'interestReceivable',
  payoutClearing: 'payoutClearing',
  serviceChargeIncome: 'serviceChargeIncome',
  interestIncome: 'interestIncome',
} as const

export type LedgerAccount = (typeof LEDGER_ACCOUNT)[keyof typeof LEDGER_ACCOUNT]
