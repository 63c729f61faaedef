import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of payments. */
export const UTR_USED: ProblemKind = {
  id: 'M-UTR',
  code: 400,
  msg: 'UTR already used on order {orderId}',
}
/** `rule` names the rule (less, equal); `data.fields` marks the amount. */
export const AMOUNT_WRONG: ProblemKind = {
  id: 'M-AMT',
  code: 400,
  msg: 'Amount must be less than / equal to what is due: {amount, rupees}',
}
export const PAYMENT_OPEN: ProblemKind = {
  id: 'M-OPEN',
  code: 409,
  msg: 'Another payment or reduction is open on this order',
}
/** The payment is already confirmed or failed. */
export const PAYMENT_STATE: ProblemKind = {
  id: 'M-STATE',
  code: 409,
  msg: 'Payment is {state}; operation not possible',
}
/** `data.roles` names the roles whose cap is sufficient. */
export const ABOVE_CAP: ProblemKind = {
  id: 'M-CAP',
  code: 400,
  msg: 'Above your limit of {amount, rupees}',
}
/** The decider must be at least one level above the launcher. */
export const LEVEL_TOO_LOW: ProblemKind = {
  id: 'M-LEVEL',
  code: 400,
  msg: 'Only somebody at least one level above {userName} may decide this',
}
/** The same receipt is already under review; `data` names it. */
export const PROOF_WAITS: ProblemKind = {
  id: 'M-PROOF',
  code: 409,
  msg: 'This receipt waits to be checked as {proofId} already',
}
export const PROOF_STATE: ProblemKind = {
  id: 'M-PRFST',
  code: 409,
  msg: 'Payment proof is {state}; operation not possible',
}
export const REDUCTION_STATE: ProblemKind = {
  id: 'M-REDST',
  code: 409,
  msg: 'Reduction is {state}; operation not possible',
}
