/** Accounts of the ledger (api.md 25). */
export const LEDGER_ACCOUNT = {
  principalReceivable: 'principalReceivable',
  /** Principal of a bad debt. */
  doubtfulPrincipal: 'doubtfulPrincipal',
  interestReceivable: 'interestReceivable',
  serviceReceivable: 'serviceReceivable',
  fineReceivable: 'fineReceivable',
  payoutClearing: 'payoutClearing',
  cashClearing: 'cashClearing',
  serviceChargeIncome: 'serviceChargeIncome',
  interestIncome: 'interestIncome',
  serviceIncome: 'serviceIncome',
  fineIncome: 'fineIncome',
  extensionFeeIncome: 'extensionFeeIncome',
  /** Part of an extension fee that is owed to who sold it. */
  commissionPayable: 'commissionPayable',
  /** Money nobody owed: to be refunded. */
  customerCredit: 'customerCredit',
  /** Fines and fees given up by a reduction. */
  waiverExpense: 'waiverExpense',
  writeOffExpense: 'writeOffExpense',
  recoveryIncome: 'recoveryIncome',
  /** What is still claimed of a written-off loan, and its contra: a memo beside the books. */
  recoveryClaim: 'recoveryClaim',
  recoveryContra: 'recoveryContra',
} as const

export type LedgerAccount = (typeof LEDGER_ACCOUNT)[keyof typeof LEDGER_ACCOUNT]
