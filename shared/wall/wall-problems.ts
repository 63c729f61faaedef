import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of pairing a wall screen. */
export const CODE_UNKNOWN: ProblemKind = {
  id: 'B-CODE',
  code: 400,
  msg: 'The code is unknown or has expired',
}
