import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of coupons. */
export const COUPON_USED: ProblemKind = { id: 'Q-USED', code: 400, msg: 'Coupon already used' }
export const VALIDITY_WRONG: ProblemKind = {
  id: 'Q-DATE',
  code: 400,
  msg: 'Validity must be 1 to 365 days',
}
export const COUPON_NAME_TAKEN: ProblemKind = {
  id: 'K-DUP',
  code: 400,
  msg: 'Name already exists',
}
/** Amounts are fixed once the coupon was granted. */
export const COUPON_GRANTED_ALREADY: ProblemKind = {
  id: 'Q-LOCK',
  code: 400,
  msg: 'The coupon was granted: its amounts cannot be changed',
}
export const GRANT_STATE: ProblemKind = {
  id: 'Q-STATE',
  code: 409,
  msg: 'Coupon is {state}; operation not possible',
}
export const COUPON_OFF: ProblemKind = {
  id: 'Q-OFF',
  code: 400,
  msg: 'The coupon is switched off',
}
export const HAS_UNUSED: ProblemKind = {
  id: 'Q-HAS',
  code: 400,
  msg: 'The customer has an unused coupon of this kind',
}
export const BUDGET_SPENT: ProblemKind = {
  id: 'Q-BUDGET',
  code: 400,
  msg: 'The budget of the coupon leaves {amount, rupees}',
}
/** `reason` is one of UNFIT_REASONS. */
export const COUPON_UNFIT: ProblemKind = {
  id: 'Q-FIT',
  code: 400,
  msg: 'The coupon cannot be used here: {reason}',
}
/** The customer is blacklisted and gets no coupon. */
export const COUPON_BLACKLISTED: ProblemKind = {
  id: 'Q-BLACK',
  code: 400,
  msg: 'The customer is blacklisted',
}
