/** Writes one call at a time: lock the row, ask the lifecycle, `moveVoiceCall`. */
import { type RawBuilder, sql } from 'kysely'
import {
  type VoiceCallEvent,
  voiceCallLifecycle,
  type VoiceCallState,
} from '#shared/voice-calls/voice-call-lifecycle.ts'
import { VOICE_CALL_CHANGED } from '#shared/voice-calls/voice-calls-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

export interface LockedVoiceCall {
  callId: string
  appId: string
  userId: string
  taskId: string | null
  caseId: string | null
  customerId: string
  contactId: string
  extension: string
  lineNumber: string | null
  state: VoiceCallState
  vendorCode: string | null
  cfgId: string | null
  /** Configurations that certainly did not take it. */
  passed: string[]
  vendorCallId: string | null
}

export async function lockVoiceCall(
  tx: CommandTx,
  callId: string,
): Promise<LockedVoiceCall | null> {
  const { rows } = await sql<LockedVoiceCall>`
    select v.call_id as "callId", v.app_id as "appId", v.user_id as "userId", v.task_id as "taskId",
      l.case_id as "caseId", l.customer_id as "customerId", l.contact_id as "contactId", v.extension,
      v.line_number as "lineNumber", v.state, v.vendor_code as "vendorCode", v.tp_cfg_id as "cfgId",
      v.passed, v.vendor_call_id as "vendorCallId"
    from voice_call v join call_log l on l.id = v.call_id
    where v.call_id = ${callId} for update of v`.execute(tx.db)
  return rows[0] ?? null
}

/**
 * @param set columns of `voice_call v` beside its state
 * @returns the state after it
 * @throws IllegalTransition when the state does not take the event
 */
export async function moveVoiceCall(
  tx: CommandTx,
  call: LockedVoiceCall,
  event: VoiceCallEvent,
  set: readonly RawBuilder<unknown>[] = [],
): Promise<VoiceCallState> {
  const state = voiceCallLifecycle.next(call.state, event)
  await sql`
    update voice_call v set ${sql.join([sql`state = ${state}`, ...set])}
    where v.call_id = ${call.callId}`.execute(tx.db)
  tx.emit(VOICE_CALL_CHANGED, {
    subject: `call:${call.callId}`,
    rooms: [`user:${call.userId}`, ...(call.caseId === null ? [] : [`case:${call.caseId}`])],
    data: { callId: call.callId, caseId: call.caseId, taskId: call.taskId, state },
  })
  return state
}
