import type { ProblemKind } from '#shared/kernel/problem.ts'

export const APPROVAL_STATE: ProblemKind = {
  id: 'A-STATE',
  code: 409,
  msg: 'This request is {state}',
}
/** A request of this kind for the same target is pending. */
export const APPROVAL_PENDING: ProblemKind = {
  id: 'A-OPEN',
  code: 409,
  msg: 'A request for this waits for a decision already',
}
