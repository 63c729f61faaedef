import { sql } from 'kysely'
import type { RecallCause } from '#shared/collection/case-lifecycle.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { logCase, tellPromise, tellRecalled } from '../case-events.ts'
import { type LockedCase, moveCase, type MovedCase, nextCaseState, POOL } from '../case-store.ts'

/**
 * AGENCY_RECALL: takes a locked case from its holder into the pool; an open promise is cancelled.
 * @param reason what the log and the events say
 * @throws Problem C-STATE when nobody holds it, or for a promised one when the cause does not end promises
 */
export async function recallCase(
  cx: Cx,
  locked: LockedCase,
  { cause, reason, menu }: { cause: RecallCause; reason: string; menu: string },
): Promise<MovedCase> {
  const to = nextCaseState(locked, { type: 'AGENCY_RECALL', cause, reason })
  const moved = await moveCase(cx, locked, {
    to,
    place: POOL,
    cause: 'recall',
    reason,
    set: [sql`ptp_state = case when c.ptp_state = 'open' then 'cancelled' else c.ptp_state end`],
  })
  tellRecalled(cx, moved, cause)
  if (moved.ptp_state !== locked.ptp_state) tellPromise(cx, moved)
  logCase(cx, menu, 'recall', moved, { cause })
  return moved
}
