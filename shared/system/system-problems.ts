import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of parameters and dictionaries. */
export const BUILT_IN: ProblemKind = {
  id: 'K-LOCK',
  code: 400,
  msg: 'Built-in item cannot be changed',
}
export const UNFIT_VALUE: ProblemKind = {
  id: 'K-VAL',
  code: 400,
  msg: 'Value does not fit the parameter type',
}
