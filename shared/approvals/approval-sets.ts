/** Requests that a second person decides (maker-checker: trust.md C5). */
export const APPROVAL_KINDS = [
  'reversePayment',
  'cure',
  'redisburse',
  'batchWriteOff',
  'roleEdit',
  'export',
] as const
/** Of these the company chooses whether they wait (parameter approval.kinds); the others always do. */
export const CHOSEN_KINDS: readonly ApprovalKindName[] = ['roleEdit']
export type ApprovalKindName = (typeof APPROVAL_KINDS)[number]
export const APPROVAL_STATES = ['pending', 'approved', 'rejected', 'withdrawn', 'expired'] as const
