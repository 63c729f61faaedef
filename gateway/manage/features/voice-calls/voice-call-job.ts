/**
 * Hands calls to the exchange of their app, outside any transaction, and asks about those of which
 * nothing was reported. A call is at one exchange at a time: it goes to the next one only when the one
 * before certainly did not take it.
 */
import { sql } from 'kysely'
import {
  voiceCallLifecycle,
  type VoiceCallState,
} from '#shared/voice-calls/voice-call-lifecycle.ts'
import { NotReached } from '#gateway/kernel/outbound-call.ts'
import { contactOf } from '#gateway/manage/features/collection/public.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { admission } from '#gateway/manage/vendors/routing/breaker.ts'
import { candidatesFor } from '#gateway/manage/vendors/routing/choose-vendor.ts'
import type { VendorLane } from '#gateway/manage/vendors/routing/vendors-by-lane.ts'
import type { VoiceOrder } from '#gateway/manage/vendors/voice-vendor.ts'
import type { VoiceVendors } from '#gateway/manage/vendors/voice-vendors.ts'
import { applyReport, EVENTS } from './receive-record.ts'
import { VOICE_CALLS } from './ring-extension.ts'
import { type LockedVoiceCall, lockVoiceCall, moveVoiceCall } from './voice-call-store.ts'

/** Handed over side by side: an exchange that hangs delays no call of another person. */
const AT_ONCE = 20
const MOST = 200
/** A person who pressed Call so long ago has dialled by hand; their telephone no longer rings. */
const WAITS_SEC = 60
/** An exchange that took a call is asked after so long without a report. */
const ASK_SEC = 20
/** One that did not answer is asked at once: the person waits. */
const ASK_UNANSWERED_SEC = 5
/** No call lasts so long: its end was lost. */
const GIVEN_UP_SEC = 5 * 3600

export function voiceCalls(vendors: VoiceVendors): ScheduledClass {
  return {
    name: VOICE_CALLS,
    cycle: 'every:5',
    async run(context) {
      const polled = await pollCalls(context, vendors)
      const handedOver = await handWaiting(context, vendors)
      return { handedOver, polled }
    },
  }
}

function command<T>(
  context: AppContext,
  callId: string,
  run: (tx: CommandTx, call: LockedVoiceCall) => Promise<T>,
): Promise<T | null> {
  return runCommand(
    context,
    {
      actor: systemActor(VOICE_CALLS),
      audit: { action: VOICE_CALLS, targetKind: 'call', targetId: callId },
    },
    async (tx) => {
      const call = await lockVoiceCall(tx, callId)
      return call === null ? null : run(tx, call)
    },
  ).then(({ result }) => result)
}

async function handWaiting(context: AppContext, vendors: VoiceVendors): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select v.call_id as id from voice_call v where v.state = 'waiting'
    order by v.created_at limit ${MOST}`.execute(context.database.kysely)
  for (let i = 0; i < rows.length && !context.stopping.aborted; i += AT_ONCE)
    await Promise.all(
      rows.slice(i, i + AT_ONCE).map(({ id }) =>
        hand(context, vendors, id).catch((error: unknown) =>
          // one that fails must not block the others
          context.log.error({ err: error, callId: id }, 'a call could not be handed over'),
        ),
      ),
    )
  return rows.length
}

/** Goes on until an exchange has it, or may have it, or none is left. */
async function hand(context: AppContext, vendors: VoiceVendors, callId: string): Promise<void> {
  while (!context.stopping.aborted) {
    const handing = await command(context, callId, (tx, call) => choose(tx, context, call))
    if (handing === null) return
    const { order, lane } = handing
    const vendor = await vendors.of(lane)
    if (vendor === null || !(await mayCall(context, lane))) {
      await passOver(context, callId)
      continue
    }
    const answer = await vendor.start(order).catch((error: unknown) => {
      context.log.warn({ err: error, callId }, 'an exchange did not answer to a call')
      return error instanceof NotReached ? 'notTaken' : null
    })
    // it may have it: it is asked before anybody else gets the call
    if (answer === null) return
    if (answer !== 'notTaken' && answer.accepted) return taken(context, callId, answer.vendorCallId)
    if (answer !== 'notTaken')
      context.log.warn({ callId, cfgId: lane.cfgId, reason: answer.reason }, 'a call was refused')
    await passOver(context, callId)
  }
}

async function mayCall({ database }: AppContext, { cfgId }: VendorLane): Promise<boolean> {
  return cfgId !== null && (await admission(database.kysely, cfgId)) !== 'no'
}

/** @returns null when it is handed to nobody */
async function choose(
  tx: CommandTx,
  { secrets }: Pick<AppContext, 'secrets'>,
  call: LockedVoiceCall,
): Promise<{ order: VoiceOrder; lane: VendorLane } | null> {
  if (call.state !== 'waiting') return null
  const { rows } = await sql<{ isInTime: boolean }>`
    select v.created_at > clock_timestamp() - make_interval(secs => ${WAITS_SEC})
      -- a result says that the person has dialled by hand
      and l.state = 'started' and not exists (select from follow_up f where f.call_id = l.id)
      and not exists (select from tele_record r where r.call_id = l.id) as "isInTime"
    from voice_call v join call_log l on l.id = v.call_id where v.call_id = ${call.callId}`.execute(
    tx.db,
  )
  const isInTime = rows[0]?.isInTime ?? false
  const candidates = isInTime
    ? await candidatesFor(tx.db, { appId: call.appId, kind: 'voice', key: call.callId })
    : []
  const found = candidates.find(
    ({ cfgId, isAvailable }) => isAvailable && !call.passed.includes(cfgId),
  )
  if (!found) {
    await moveVoiceCall(tx, call, { type: 'FAIL' })
    return null
  }
  const { cfgId, vendorCode } = found
  const contact = await contactOf(tx.db, call.customerId, call.contactId)
  await moveVoiceCall(tx, call, { type: 'HAND', isInTime }, [
    sql`vendor_code = ${vendorCode}`,
    sql`tp_cfg_id = ${cfgId}`,
    sql`ask_at = clock_timestamp() + make_interval(secs => ${ASK_UNANSWERED_SEC})`,
  ])
  return {
    lane: { cfgId, vendorCode },
    order: {
      callId: call.callId,
      extension: call.extension,
      from: call.lineNumber,
      to: secrets.open(contact.place, contact.contactId, contact.sealed),
    },
  }
}

async function taken(context: AppContext, callId: string, vendorCallId: string): Promise<void> {
  await sql`
    update voice_call set vendor_call_id = ${vendorCallId},
      ask_at = clock_timestamp() + make_interval(secs => ${ASK_SEC})
    where call_id = ${callId} and state in ('dialling', 'ringing', 'answered')`.execute(
    context.database.kysely,
  )
}

/** The exchange certainly has no such call; the next one may get it. */
function passOver(context: AppContext, callId: string): Promise<unknown> {
  return command(context, callId, async (tx, call) => {
    // a report that came meanwhile differs
    if (call.state !== 'dialling') return
    await moveVoiceCall(tx, call, { type: 'NOT_TAKEN' }, [
      sql`passed = array_append(v.passed, v.tp_cfg_id)`,
      sql`vendor_code = null`,
      sql`tp_cfg_id = null`,
    ])
  })
}

interface Out extends VendorLane {
  id: string
  state: VoiceCallState
  isTaken: boolean
  isOld: boolean
}

async function pollCalls(context: AppContext, vendors: VoiceVendors): Promise<number> {
  const { rows } = await sql<Out>`
    update voice_call v set ask_at = clock_timestamp() + make_interval(secs => ${ASK_SEC})
    where v.call_id in (select x.call_id from voice_call x
      where x.state in ('dialling', 'ringing', 'answered') and x.ask_at <= clock_timestamp()
      order by x.ask_at limit ${MOST})
    returning v.call_id as id, v.state, v.tp_cfg_id as "cfgId", v.vendor_code as "vendorCode",
      v.vendor_call_id is not null as "isTaken",
      v.created_at < clock_timestamp() - make_interval(secs => ${GIVEN_UP_SEC}) as "isOld"`.execute(
    context.database.kysely,
  )
  for (let i = 0; i < rows.length && !context.stopping.aborted; i += AT_ONCE)
    await Promise.all(
      rows
        .slice(i, i + AT_ONCE)
        .map((out) =>
          pollCall(context, vendors, out).catch((error: unknown) =>
            context.log.error({ err: error, callId: out.id }, 'a call could not be asked about'),
          ),
        ),
    )
  return rows.length
}

async function pollCall(
  context: AppContext,
  vendors: VoiceVendors,
  { id: callId, state, isTaken, isOld, ...lane }: Out,
): Promise<void> {
  const endUnreported = () =>
    command(context, callId, (tx, call) =>
      applyReport(tx, call, { callId, state: 'ended', endCause: 'lost' }),
    )
  if (isOld) return void (await endUnreported())
  const vendor = await vendors.of(lane)
  if (vendor === null || !(await mayCall(context, lane))) return
  const found = await vendor.query(callId).catch((error: unknown) => {
    context.log.warn({ err: error, callId }, 'an exchange could not be asked about a call')
    return null
  })
  if (found === null) return
  if (found.state === 'dialling') return taken(context, callId, found.vendorCallId)
  if (found.state === 'reported') {
    const { report } = found
    // nothing new, or an end without its cause, is no reason to lock it
    if (!voiceCallLifecycle.can(state, EVENTS[report.state])) return
    if (report.state === 'ended' && report.endCause === undefined) return
    await command(context, callId, (tx, call) => applyReport(tx, call, report))
    return
  }
  // one that it took and forgot goes to nobody else: the telephone may have rung
  await (isTaken || state !== 'dialling' ? endUnreported() : passOver(context, callId))
}
