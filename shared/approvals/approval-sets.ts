/** Requests that a second person decides (maker-checker). */
export const APPROVAL_KINDS = [
  'reversePayment',
  'cure',
  'redisburse',
  'transferPaid',
  'transferNotPaid',
  'paymentStands',
  'batchWriteOff',
  'roleEdit',
  'export',
  'ruleEnable',
  'tableEnable',
  'strayReturned',
  'transferEndedPaid',
  'transferEndedFailed',
] as const
/**
 * Kinds for which the company chooses whether they need approval (parameter approval.kinds); all
 * others always do.
 */
export const CHOSEN_KINDS: readonly ApprovalKindName[] = ['roleEdit']
/** Kinds that always need approval and that the parameter does not name. */
export const FIXED_KINDS: readonly ApprovalKindName[] = [
  'ruleEnable',
  'tableEnable',
  'strayReturned',
  'transferEndedPaid',
  'transferEndedFailed',
]
export type ApprovalKindName = (typeof APPROVAL_KINDS)[number]
export const APPROVAL_STATES = ['pending', 'approved', 'rejected', 'withdrawn', 'expired'] as const
