import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals by the order lifecycle and its guards. */
export const ORDER_STATE: ProblemKind = {
  id: 'O-STATE',
  code: 409,
  msg: 'Order is {status}; operation not possible',
}
/** Rates only become lower, and not of loans in equated instalments. */
export const RATE_KEPT: ProblemKind = {
  id: 'O-RATE',
  code: 409,
  msg: 'The rates of the order stay as they are',
}
/** Loans in equated instalments keep their agreement. */
export const TERM_KEPT: ProblemKind = {
  id: 'O-TERM',
  code: 409,
  msg: 'The term of the order stays as it is',
}
/** The borrower accepted other terms than the order has now. */
export const OTHER_TERMS: ProblemKind = {
  id: 'O-TERMS',
  code: 409,
  msg: 'The order has other terms than those that were accepted',
}
export const ORDER_RULE: ProblemKind = {
  id: 'O-RULE',
  code: 400,
  msg: 'Order does not meet the condition: {reason}',
}
export const REASON_REQUIRED: ProblemKind = { id: 'M-REA', code: 400, msg: 'Reason is required' }
