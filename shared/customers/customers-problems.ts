import type { ProblemKind } from '#shared/kernel/problem.ts'

export const REVEAL_LIMIT: ProblemKind = {
  id: 'G-RATE',
  code: 400,
  msg: 'Too many requests, try again in {s} s',
  httpStatus: 429,
}
export const ALREADY_LISTED: ProblemKind = {
  id: 'L-ON',
  code: 409,
  msg: 'The customer is on the blacklist already',
}
export const ENTRY_ENDED: ProblemKind = {
  id: 'L-END',
  code: 409,
  msg: 'This entry of the blacklist has ended already',
}
export const LIMIT_AT_BOUND: ProblemKind = {
  id: 'K-BOUND',
  code: 409,
  msg: 'The limit is at the maximum of the product',
}
