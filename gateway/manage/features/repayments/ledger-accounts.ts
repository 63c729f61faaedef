/** Accounts of the ledger. */
export const LEDGER_ACCOUNT = {
  principalReceivable: 'principalReceivable',
  /** Principal of a bad debt. */
  doubtfulPrincipal: 'doubtfulPrincipal',
  interestReceivable: 'interestReceivable',
  serviceReceivable: 'serviceReceivable',
  fineReceivable: 'fineReceivable',
  payoutClearing: 'payoutClearing',
  /** Paid out beside the loan, to be claimed back. */
  payoutRecoverable: 'payoutRecoverable',
  cashClearing: 'cashClearing',
  serviceChargeIncome: 'serviceChargeIncome',
  /** GST on the processing fee of EMI loans: owed to the tax office. */
  gstPayable: 'gstPayable',
  interestIncome: 'interestIncome',
  serviceIncome: 'serviceIncome',
  fineIncome: 'fineIncome',
  extensionFeeIncome: 'extensionFeeIncome',
  /** Part of an extension fee that is owed to the seller. */
  commissionPayable: 'commissionPayable',
  /** Money beyond the debt: to be refunded. */
  customerCredit: 'customerCredit',
  /** Fines and fees waived by a reduction. */
  waiverExpense: 'waiverExpense',
  /** Fees given up by coupons. */
  couponExpense: 'couponExpense',
  writeOffExpense: 'writeOffExpense',
  recoveryIncome: 'recoveryIncome',
  /** Remaining claim of a written-off loan, and its contra account: off-balance memo accounts. */
  recoveryClaim: 'recoveryClaim',
  recoveryContra: 'recoveryContra',
} as const

export type LedgerAccount = (typeof LEDGER_ACCOUNT)[keyof typeof LEDGER_ACCOUNT]
