/**
 * What a press of Call does beside its record: the exchange of the app is to ring the extension of
 * the person. It is handed over after the commit, by a job; the number never passes the browser.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { PressAnswer } from '#shared/voice-calls/voice-call-sets.ts'
import type { VoiceCallNow } from '#shared/voice-calls/voice-calls-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'

export const VOICE_CALLS = 'voiceCalls'

export interface Press {
  /** Of the row of `call_log` that records it. */
  callId: string
  userId: string
  /** Null: the person has none, and dials by hand. */
  extension: string | null
  /** The borrower sees the number of the person's line of this kind. */
  lineKind: 'service' | 'promotional'
  /** Of a telemarketer's call. */
  taskId: string | null
}

/**
 * Has an effect once for each call, so that a repeated press rings once.
 * @returns null for an app without an exchange: the person dials by hand
 */
export async function ringExtension(tx: CommandTx, press: Press): Promise<PressAnswer | null> {
  const { callId, userId, extension, lineKind, taskId } = press
  const { rows } = await sql<{ appId: string }>`
    select a.app_id as "appId" from (
      select coalesce(o.app_id, u.app_id) as app_id from call_log l
        left join collection_case c on c.id = l.case_id
        left join loan_order o on o.id = c.order_id
        left join customer u on u.id = l.customer_id
      where l.id = ${callId}
    ) a
    where exists (select from tp_app_cfg s where s.app_id = a.app_id and s.kind = 'voice'
      and s.status = 'enabled')`.execute(tx.db)
  const [app] = rows
  if (!app) return null
  if (extension === null) return 'noExtension'
  await sql`
    insert into voice_call (call_id, app_id, user_id, task_id, extension, line_number, created_at, ask_at)
    values (${callId}, ${app.appId}, ${userId}, ${taskId}, ${extension},
      (select p.number from phone_line p where p.bound_user_id = ${userId} and p.kind = ${lineKind}
        and p.status = 'enabled' order by p.number limit 1), clock_timestamp(), clock_timestamp())
    on conflict (call_id) do nothing`.execute(tx.db)
  tx.afterCommit(() => tx.context.wakeSchedule(VOICE_CALLS))
  return 'rings'
}

/**
 * `VoiceCallNow` of a row of `call_log`, null for a call that no exchange has.
 * @param callId column with the call's id
 */
export function voiceCallOf(
  callId: RawBuilder<unknown>,
): RawBuilder<Static<typeof VoiceCallNow> | null> {
  return sql`
    (select json_build_object('state', v.state, 'answeredTime', ${isoTime('v.answered_at')},
        'durationSec', w.duration_sec, 'endCause', w.end_cause)
      from voice_call v join call_log w on w.id = v.call_id where v.call_id = ${callId})`
}
