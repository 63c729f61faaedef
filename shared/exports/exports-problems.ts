import type { ProblemKind } from '#shared/kernel/problem.ts'

/** The client then requests the file as a job. */
export const TOO_MANY_AT_ONCE: ProblemKind = {
  id: 'G-SIZE',
  code: 400,
  msg: 'Too many rows for a direct download',
  httpStatus: 413,
}
/** The list changed between request and job, or since the approval. */
export const LIST_GREW: ProblemKind = {
  id: 'E-GREW',
  code: 400,
  msg: 'The list has grown past what was allowed; ask for it again',
}
export const TWO_EXPORTS_AT_ONCE: ProblemKind = {
  id: 'E-TWO',
  code: 400,
  msg: 'Two of your exports are under way; wait until one is done',
}
