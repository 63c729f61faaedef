/** Requests. */
import type { Invariants } from '#gateway/manage/db/invariant.ts'

export const APPROVAL_INVARIANTS: Invariants = {
  S01: [
    'a request is decided by somebody else',
    `select a.id from approval a where a.decided_by = a.requested_by`,
  ],
}
