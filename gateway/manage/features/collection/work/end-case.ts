import { sql } from 'kysely'
import type { endCase as call } from '#shared/collection/cases-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import { casesInScope } from '#gateway/manage/kernel/scope.ts'
import { logCase, notifyOfCase, tellEnded, tellPromise } from '../case-events.ts'
import { lockCase, moveCase, nextCaseState } from '../case-store.ts'
import { type CaseRow, caseRow } from '../cases/case-row.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'

/**
 * Ends a case by hand: held without an end and with the reason, off every desk. The order goes on; the case closes with it.
 * @throws Problem G404, G409, C-STATE
 */
export async function endCase(
  cx: Cx,
  { caseId, version, endReason, remark }: InputOf<typeof call>,
): Promise<CaseRow> {
  const locked = await lockCase(cx, caseId, casesInScope(staff(cx.actor)))
  if (locked.version !== version)
    throw await changedByOther(cx.db, 'case', caseId, await caseRow(cx.db, caseId))
  const to = nextCaseState(locked, { type: 'HOLD', reason: endReason })
  const moved = await moveCase(cx, locked, {
    to,
    set: [
      sql`end_reason = ${endReason}`,
      sql`ended_at = clock_timestamp()`,
      sql`hold_reason = null`,
      sql`hold_until = null`,
      sql`ptp_state = case when c.ptp_state = 'open' then 'cancelled' else c.ptp_state end`,
    ],
  })
  if (moved.ptp_state !== locked.ptp_state) tellPromise(cx, moved)
  tellEnded(cx, moved)
  notifyOfCase(cx, locked.collector_id, 'taken', 'caseEnded', caseId)
  logCase(cx, 'pedding_list', 'end', moved, { endReason, remark })
  return caseRow(cx.db, caseId)
}
