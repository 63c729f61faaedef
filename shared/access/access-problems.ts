import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of accounts and roles. */
export const USER_EXISTS: ProblemKind = { id: 'U-DUP', code: 400, msg: 'User name already exists' }
export const JOB_NUMBER_EXISTS: ProblemKind = {
  id: 'U-JOB',
  code: 400,
  msg: 'Job number already exists',
}
export const NOT_YOURSELF: ProblemKind = {
  id: 'U-SELF',
  code: 400,
  msg: 'You cannot change your own role or status',
}
export const LAST_ADMINISTRATOR: ProblemKind = {
  id: 'U-LAST',
  code: 400,
  msg: 'One enabled administrator must remain',
}
export const MARK_EXISTS: ProblemKind = {
  id: 'R-DUP',
  code: 400,
  msg: 'Unique mark already exists',
}
export const BUTTON_WITHOUT_MENU: ProblemKind = {
  id: 'R-TREE',
  code: 400,
  msg: 'A button needs its menu',
}
