import { sql } from 'kysely'
import type { endCase as call } from '#shared/collection/cases-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { casesInScope } from '../case-scope.ts'
import { logCase, notifyAboutCase, emitEnded, emitPromise } from '../case-events.ts'
import { lockCase, moveCase, nextCaseState } from '../case-store.ts'
import { type CaseRow, caseRow } from '../cases/case-row.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'

/**
 * Ends a case by hand: held without an end date, with the reason. The order continues; the case
 * closes with it.
 * @throws Problem G404, G409, C-STATE
 */
export async function endCase(
  tx: CommandTx,
  { caseId, version, endReason, remark }: InputOf<typeof call>,
): Promise<CaseRow> {
  const locked = await lockCase(tx, caseId, casesInScope(staff(tx.actor)))
  if (locked.version !== version)
    throw await changedByOther(tx.db, 'case', caseId, await caseRow(tx.db, caseId))
  const to = nextCaseState(locked, { type: 'HOLD', reason: endReason })
  const moved = await moveCase(tx, locked, {
    to,
    set: [
      sql`end_reason = ${endReason}`,
      sql`ended_at = clock_timestamp()`,
      sql`hold_reason = null`,
      sql`hold_until = null`,
      sql`ptp_state = case when c.ptp_state = 'open' then 'cancelled' else c.ptp_state end`,
    ],
  })
  if (moved.ptp_state !== locked.ptp_state) emitPromise(tx, moved)
  emitEnded(tx, moved)
  notifyAboutCase(tx, locked.collector_id, 'taken', 'caseEnded', caseId)
  logCase(tx, 'pedding_list', 'end', moved, { endReason, remark })
  return caseRow(tx.db, caseId)
}
