import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of review commands. */
export const ALREADY_CLAIMED: ProblemKind = {
  id: 'V-TAKEN',
  code: 409,
  msg: 'Already claimed by {userName}',
}
export const CLAIM_EXPIRED: ProblemKind = {
  id: 'V-LEASE',
  code: 409,
  msg: 'Your claim has expired',
}
export const TOO_MANY_CLAIMS: ProblemKind = {
  id: 'V-MAX',
  code: 400,
  msg: 'You may hold {n} items',
}
export const REVIEW_STATE: ProblemKind = { id: 'V-STATE', code: 409, msg: 'Review is {state}' }
export const REASON_NEEDED: ProblemKind = {
  id: 'V-REA',
  code: 400,
  msg: 'Choose a rejection (quality) reason',
}
/** The application may pass when its identity points are ticked. */
export const IDENTITY_UNCHECKED: ProblemKind = {
  id: 'V-IDENT',
  code: 400,
  msg: 'Tick the identity points of the checklist first',
}
export const OWN_REVIEW: ProblemKind = {
  id: 'V-SELF',
  code: 400,
  msg: 'You cannot check your own review',
}
export const NOT_ON_DUTY: ProblemKind = {
  id: 'V-DUTY',
  code: 400,
  msg: '{userName} takes no reviews at the moment',
}
export const QUEUE_EMPTY: ProblemKind = { id: 'V-EMPTY', code: 400, msg: 'The queue is empty' }
