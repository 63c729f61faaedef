import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals by the order lifecycle and its guards. */
export const ORDER_STATE: ProblemKind = {
  id: 'O-STATE',
  code: 409,
  msg: 'Order is {status}; operation not possible',
}
export const ORDER_RULE: ProblemKind = {
  id: 'O-RULE',
  code: 400,
  msg: 'Order does not meet the condition: {reason}',
}
export const REASON_REQUIRED: ProblemKind = { id: 'M-REA', code: 422, msg: 'Reason is required' }
