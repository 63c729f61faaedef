import type { ProblemKind } from '#shared/kernel/problem.ts'

/** Refusals of payments (api.md 0.1). */
export const UTR_USED: ProblemKind = { id: 'M-UTR', code: 400, msg: 'UTR already used on order {orderId}' }
