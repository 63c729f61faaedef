import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of telemarketing commands. */
export const TASK_STATE: ProblemKind = { id: 'M-TASK', code: 409, msg: 'Task is {state}' }
/** Somebody else has the task. */
export const TASK_TAKEN: ProblemKind = { id: 'M-OWN', code: 409, msg: 'Task belongs to {userName}' }
/** The caller's claim ended, and nobody has the task. */
export const TASK_CLAIM_OVER: ProblemKind = {
  id: 'M-LEASE',
  code: 409,
  msg: 'Your claim of this customer has ended',
}
export const NO_PROMOTION: ProblemKind = {
  id: 'M-DND',
  code: 400,
  msg: 'The customer does not want promotion',
}
export const BLACKLISTED: ProblemKind = {
  id: 'M-BLACK',
  code: 400,
  msg: 'The customer is blacklisted',
}
export const NO_LINE: ProblemKind = {
  id: 'M-LINE',
  code: 400,
  msg: 'No promotional line is bound to you',
}
export const CALLED_ENOUGH: ProblemKind = {
  id: 'M-LIM',
  code: 400,
  msg: '{n} promotional calls in {days} days are the limit for a customer',
}

/** `data.faults` names the nodes of the tree. */
export const CONDITION_WRONG: ProblemKind = {
  id: 'X-COND',
  code: 400,
  msg: 'The condition is not complete',
}
export const NODE_NAME_TAKEN: ProblemKind = {
  id: 'M-NAME',
  code: 400,
  msg: 'Another node has this name',
}
export const NODE_OFF: ProblemKind = { id: 'M-OFF', code: 400, msg: 'The node is switched off' }
export const NODE_EMPTY: ProblemKind = {
  id: 'M-LIST',
  code: 400,
  msg: 'The customer list of the node is empty',
}
export const TASK_HELD_OUT: ProblemKind = {
  id: 'M-HELD',
  code: 409,
  msg: 'The customer is held out to measure a node and is not contacted now',
}
export const PERSON_TAKEN: ProblemKind = {
  id: 'M-PERSON',
  code: 400,
  msg: 'The account is a telemarketer already',
}
