/**
 * State of a call, as reported by its exchange or as queried. Reports may come late, twice and in any
 * order: what the lifecycle does not take changes nothing.
 */
import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { EndCause } from '#shared/voice-calls/voice-call-sets.ts'
import {
  voiceCallLifecycle,
  type VoiceCallEvent,
} from '#shared/voice-calls/voice-call-lifecycle.ts'
import type { inboundCallRecord } from '#shared/voice-calls/voice-calls-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type MachineCaller, maySpeakFor } from '#gateway/manage/kernel/machine-caller.ts'
import type { VoiceReport } from '#gateway/manage/vendors/voice-vendor.ts'
import { type LockedVoiceCall, lockVoiceCall, moveVoiceCall } from './voice-call-store.ts'

type Answer = DataOf<typeof inboundCallRecord>

/** A recording that comes later is not taken: the customer may be erased by then. */
const RECORDING_DAYS = 7

export const EVENTS = {
  ringing: { type: 'RINGING' },
  answered: { type: 'ANSWERED' },
  ended: { type: 'ENDED' },
} as const satisfies Record<VoiceReport['state'], VoiceCallEvent>

/**
 * A report of an exchange, which can report only its own calls.
 * @throws Problem G404 for an unknown call and for one another exchange has, G422 for an end without
 * its cause
 */
export async function receiveRecord(
  tx: CommandTx,
  report: VoiceReport,
  caller: MachineCaller,
): Promise<Answer> {
  const call = await lockVoiceCall(tx, report.callId)
  if (call === null || call.vendorCode === null || !maySpeakFor(caller, call)) {
    if (call !== null)
      tx.context.log.warn(
        { callId: call.callId, cfgId: call.cfgId, key: caller.name, speaksFor: caller.vendorCode },
        'a machine key reports a call of another exchange',
      )
    throw new Problem(NOT_FOUND)
  }
  if (report.state === 'ended' && report.endCause === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { endCause: 'required' } })
  return applyReport(tx, call, report)
}

export async function applyReport(
  tx: CommandTx,
  call: LockedVoiceCall,
  report: Omit<VoiceReport, 'endCause'> & { endCause?: EndCause },
): Promise<Answer> {
  const { callId } = call
  const event = EVENTS[report.state]
  if (!voiceCallLifecycle.can(call.state, event)) {
    const applied = await addRecording(tx, call, report)
    return { callId, state: call.state, applied }
  }
  const state = await moveVoiceCall(tx, call, event, [
    sql`vendor_call_id = coalesce(v.vendor_call_id, ${report.vendorCallId ?? null}::text)`,
    sql`ask_at = clock_timestamp() + make_interval(secs => ${ASK_AFTER_SEC[report.state]})`,
    ...(report.state === 'answered' ? [sql`answered_at = clock_timestamp()`] : []),
    ...(report.state === 'ended' ? [sql`ended_at = clock_timestamp()`] : []),
  ])
  if (report.state === 'ended')
    await sql`
      update call_log set state = 'ended', end_cause = ${report.endCause ?? 'lost'},
        duration_sec = ${report.durationSec ?? null}, recording_ref = ${report.recordingRef ?? null}
      where id = ${callId}`.execute(tx.db)
  tx.log({
    action: 'callRecord',
    targetKind: 'call',
    targetId: callId,
    before: { state: call.state },
    after: {
      state,
      ...(report.state === 'ended' && {
        endCause: report.endCause ?? 'lost',
        durationSec: report.durationSec ?? null,
      }),
    },
  })
  return { callId, state, applied: true }
}

/** Without another report the exchange is asked after so long. */
const ASK_AFTER_SEC = { ringing: 30, answered: 60, ended: 0 } as const

/** An exchange often has the recording some time after the end; it is stored once. */
async function addRecording(
  tx: CommandTx,
  { callId, state }: LockedVoiceCall,
  { recordingRef }: Pick<VoiceReport, 'recordingRef'>,
): Promise<boolean> {
  if (state !== 'ended' || recordingRef === undefined) return false
  const { rows } = await sql`
    update call_log set recording_ref = ${recordingRef}
    where id = ${callId} and recording_ref is null
      and started_at > clock_timestamp() - make_interval(days => ${RECORDING_DAYS})
    returning id`.execute(tx.db)
  return rows.length > 0
}
