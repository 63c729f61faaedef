import type { ProblemKind } from '#shared/kernel/problem.ts'

export const REVEAL_LIMIT: ProblemKind = { id: 'G-RATE', code: 400, msg: 'Too many requests, try again in {s} s', httpStatus: 429 }
