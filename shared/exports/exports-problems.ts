import type { ProblemKind } from '#shared/kernel/problem.ts'

export const TWO_EXPORTS_AT_ONCE: ProblemKind = { id: 'E-TWO', code: 400, msg: 'Two of your exports are under way; wait until one is done' }
