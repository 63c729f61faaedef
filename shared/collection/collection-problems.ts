import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of collection. */
export const CASE_STATE: ProblemKind = { id: 'C-STATE', code: 409, msg: 'Case is {state}' }
export const CASE_MOVED: ProblemKind = {
  id: 'C-OWN',
  code: 409,
  msg: 'Case was moved to {userName}',
}
export const CASE_TAKEN_BACK: ProblemKind = {
  id: 'C-POOL',
  code: 409,
  msg: 'Case was taken back from you',
}
export const CONTACT_LIMIT: ProblemKind = {
  id: 'C-LIM',
  code: 400,
  msg: 'Contact limit for today reached',
}
export const CONTACT_LIMIT_WEEK: ProblemKind = {
  id: 'C-LIMW',
  code: 400,
  msg: 'Contact limit for this week reached',
}
export const CONTACT_TOO_SOON: ProblemKind = {
  id: 'C-GAP',
  code: 400,
  msg: 'The next contact is possible from {time} IST',
}
export const CONTACT_HOLIDAY: ProblemKind = {
  id: 'C-HOL',
  code: 400,
  msg: 'No recovery contact today: {name}',
}
export const CONTACT_UNWANTED: ProblemKind = {
  id: 'C-ASKED',
  code: 400,
  msg: 'The borrower asked not to be contacted from {from} to {to} IST',
}
export const BORROWER_NOT_TOLD: ProblemKind = {
  id: 'C-TOLD',
  code: 400,
  msg: 'The borrower has not been told of this agent yet',
}
export const BORROWER_ONLY: ProblemKind = {
  id: 'C-REF',
  code: 400,
  msg: 'Only the borrower may be contacted',
}
export const PROMISES_BROKEN: ProblemKind = {
  id: 'C-PTP',
  code: 400,
  msg: '{n} promises were broken; ask your leader',
}
export const CASE_WORKED: ProblemKind = {
  id: 'C-WORKED',
  code: 409,
  msg: 'Contacted, or moved since',
}
export const NO_COLLECTOR: ProblemKind = {
  id: 'C-NONE',
  code: 400,
  msg: 'No collector on duty takes cases of stage {stage}',
}
export const COLLECTION_STOPPED: ProblemKind = {
  id: 'C-STOP',
  code: 400,
  msg: 'Collection is stopped for this customer until {date}',
}
export const COLLECTION_STOPPED_OPEN: ProblemKind = {
  id: 'C-HELD',
  code: 400,
  msg: 'Collection is stopped for this customer',
}
export const STOP_STATE: ProblemKind = { id: 'C-STOPST', code: 409, msg: 'This stop is {state}' }
export const STOP_EXISTS: ProblemKind = {
  id: 'C-STOPDUP',
  code: 400,
  msg: 'Collection is already stopped for this reason',
}
export const WEIGHTS_TOTAL: ProblemKind = {
  id: 'A-100',
  code: 400,
  msg: 'Weights of enabled agencies must total 100',
}
export const STAGE_BOUNDS: ProblemKind = {
  id: 'A-BND',
  code: 400,
  msg: 'Stage bounds overlap or leave a gap',
}
export const NAME_TAKEN: ProblemKind = { id: 'K-DUP', code: 400, msg: 'Name already exists' }
export const IN_USE: ProblemKind = { id: 'K-USED', code: 400, msg: 'Item is in use' }
