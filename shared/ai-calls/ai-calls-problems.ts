import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of commands for the calling robot. */
export const AI_TASK_STATE: ProblemKind = {
  id: 'AI-STATE',
  code: 409,
  msg: 'AI call task is {state}',
}
/** Two configurations would call the same borrowers. */
export const AI_DAYS_TAKEN: ProblemKind = {
  id: 'AI-DAYS',
  code: 400,
  msg: 'Another configuration of this product covers these overdue days',
}
export const AI_CONFIG_OFF: ProblemKind = {
  id: 'AI-OFF',
  code: 400,
  msg: 'The configuration is switched off',
}
/** The loan is settled, or not in the days of the configuration. */
export const AI_NOT_DUE: ProblemKind = {
  id: 'AI-DUE',
  code: 400,
  msg: 'The loan is not in the overdue days of the configuration',
}
export const AI_TASK_OPEN: ProblemKind = {
  id: 'AI-OPEN',
  code: 400,
  msg: 'The loan has an open AI call task',
}
