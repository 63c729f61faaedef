import { sql } from 'kysely'
import type { RecallCause } from '#shared/collection/case-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { logCase, emitPromise, emitRecalled } from '../case-events.ts'
import { type LockedCase, moveCase, type MovedCase, nextCaseState, POOL } from '../case-store.ts'

/**
 * AGENCY_RECALL: takes a locked case from its holder into the pool and cancels an open promise.
 * @param reason for the log and the events
 * @throws Problem C-STATE when it has no holder, or for a promised one when the cause does not end
 * promises
 */
export async function recallCase(
  tx: CommandTx,
  locked: LockedCase,
  { cause, reason, menu }: { cause: RecallCause; reason: string; menu: string },
): Promise<MovedCase> {
  const to = nextCaseState(locked, { type: 'AGENCY_RECALL', cause, reason })
  const moved = await moveCase(tx, locked, {
    to,
    place: POOL,
    cause: 'recall',
    reason,
    set: [sql`ptp_state = case when c.ptp_state = 'open' then 'cancelled' else c.ptp_state end`],
  })
  emitRecalled(tx, moved, cause)
  if (moved.ptp_state !== locked.ptp_state) emitPromise(tx, moved)
  logCase(tx, menu, 'recall', moved, { cause })
  return moved
}
