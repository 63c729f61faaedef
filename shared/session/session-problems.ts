import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of login and session. An unknown account and a wrong password get the same answer. */
export const BAD_CREDENTIALS: ProblemKind = {
  id: 'S-CRED',
  code: 400,
  msg: 'Account or password is incorrect',
}
export const ACCOUNT_DISABLED: ProblemKind = { id: 'S-DIS', code: 400, msg: 'Account is disabled' }
export const ACCOUNT_FROZEN: ProblemKind = {
  id: 'S-FRZ',
  code: 400,
  msg: 'Account is frozen, contact the administrator',
}
export const ROLE_DISABLED: ProblemKind = { id: 'S-ROLE', code: 400, msg: 'Role is disabled' }
export const TOO_MANY_ATTEMPTS: ProblemKind = {
  id: 'S-TRY',
  code: 400,
  msg: 'Too many failed attempts, try again in {m} minutes',
}
export const OLD_PASSWORD_WRONG: ProblemKind = {
  id: 'P-OLD',
  code: 400,
  msg: 'Old password is incorrect',
}
export const PASSWORD_SAME: ProblemKind = {
  id: 'P-SAME',
  code: 400,
  msg: 'Old password same as new',
}
export const PASSWORDS_DIFFER: ProblemKind = {
  id: 'P-DIFF',
  code: 400,
  msg: 'Passwords inconsistent',
}
export const PASSWORD_FORMAT: ProblemKind = {
  id: 'P-FMT',
  code: 400,
  msg: 'Password format is incorrect',
}
export const PASSWORD_WEAK: ProblemKind = {
  id: 'P-WEAK',
  code: 400,
  msg: 'This password is too easy to guess; choose another',
}
export const CODE_WRONG: ProblemKind = {
  id: 'S-CODE',
  code: 400,
  msg: 'Verification code is incorrect',
}
export const CHALLENGE_OVER: ProblemKind = {
  id: 'S-CHAL',
  code: 400,
  msg: 'Verification timed out, log in again',
}
export const CHANGE_PASSWORD_FIRST: ProblemKind = {
  id: 'S-CHANGE',
  code: 400,
  msg: 'Change your password first',
}
export const ENROL_FIRST: ProblemKind = {
  id: 'S-ENROL',
  code: 400,
  msg: 'Set up two-factor sign-in first',
}
