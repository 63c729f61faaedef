import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Neither five fields nor a number of seconds, or a time that never comes. */
export const CYCLE_INVALID: ProblemKind = {
  id: 'X-CYC',
  code: 400,
  msg: 'Cycle expression is not valid',
}
