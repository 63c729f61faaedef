/**
 * Opens tasks by the configurations, ends those a person or a payment overtook, dials what is due,
 * and queries the vendor for calls whose end was not reported.
 */
import { sql } from 'kysely'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { NotReached } from '#gateway/kernel/outbound-call.ts'
import { emitRobotCall } from '#gateway/manage/features/collection/public.ts'
import type { AiCallResult } from '#gateway/manage/vendors/ai-call-vendor.ts'
import type { AiCallVendors } from '#gateway/manage/vendors/ai-call-vendors.ts'
import { admission } from '#gateway/manage/vendors/routing/breaker.ts'
import type { VendorLane } from '#gateway/manage/vendors/routing/vendors-by-lane.ts'
import { cancelTask, lockTask, moveTask } from './ai-task-store.ts'
import { type Dialling, dialTask, endOf, type Handing } from './dial-task.ts'
import { dialFacts } from './dial-facts.ts'
import { openPlanned } from './open-tasks.ts'
import { receiveCall } from './receive-call.ts'
import { hasRobot } from './robot-lane.ts'

export const AI_CALLS = 'aiCallPlan'
/** Calls begun, handed to the vendor, or asked about at once: a crash delays no others. */
const AT_ONCE = 5
const DUE_MOST = 500
/** Minutes after which a call the vendor took and does not know counts as not reached. */
const GIVEN_UP_MINUTES = 60

export function aiCalls(vendors: AiCallVendors): ScheduledClass {
  return {
    name: AI_CALLS,
    cycle: 'every:60',
    async run(context) {
      const opened = await openPlanned(context)
      const ended = await endOvertaken(context)
      const polled = await pollCalls(context, vendors)
      const { dialled, withoutLine } = await dialDue(context, vendors)
      return { opened, ended, dialled, polled, withoutLine }
    },
  }
}

function command(context: AppContext, taskId: string) {
  return <T>(run: Parameters<typeof runCommand<T>>[2]) =>
    runCommand(
      context,
      {
        actor: systemActor(AI_CALLS),
        audit: { action: AI_CALLS, targetKind: 'aiTask', targetId: taskId },
      },
      run,
    )
}

/**
 * Held cases, settled loans and borrowers a person contacted: their tasks leave the list before they
 * are due. At the moment of dialling it is asked again.
 */
async function endOvertaken(context: AppContext): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select t.id from ai_call_task t join loan_order o on o.id = t.order_id
      left join collection_case c on c.id = t.case_id
    where t.state in ('created', 'pending', 'paused') and (o.status not in (30, 50, 90)
      or o.outstanding = 0 or c.state in ('held', 'closed')
      or exists (select from call_log l where l.customer_id = t.customer_id and l.user_id is not null
        and l.started_at > t.created_at)
      or exists (select from follow_up f where f.customer_id = t.customer_id
        and f.created_at > t.created_at))
    limit ${DUE_MOST}`.execute(context.database.kysely)
  for (const { id } of rows)
    await command(
      context,
      id,
    )(async (tx) => {
      const task = await lockTask(tx, id)
      if (task === null || !['created', 'pending', 'paused'].includes(task.state)) return
      const cause = endOf(await dialFacts(tx.db, id), false)
      if (cause !== null) await cancelTask(tx, task, cause)
    })
  return rows.length
}

async function dialDue(
  context: AppContext,
  vendors: AiCallVendors,
): Promise<{ dialled: number; withoutLine: number }> {
  const installation = vendors.installation?.code ?? null
  const { rows } = await sql<{ id: string }>`
    select t.id from ai_call_task t join ai_call_config k on k.id = t.config_id
      join loan_order o on o.id = t.order_id
    where ${hasRobot(installation, sql`o.app_id`)} and t.due_at <= clock_timestamp() and (t.state = 'calling'
      or (t.state = 'pending' and k.status = 'enabled'))
    order by t.due_at, t.id limit ${DUE_MOST}`.execute(context.database.kysely)
  let dialled = 0
  for (let i = 0; i < rows.length && !context.stopping.aborted; i += AT_ONCE) {
    const diallings = await Promise.all(
      rows.slice(i, i + AT_ONCE).map(async ({ id }): Promise<Dialling> => {
        const outcome = await command(context, id)((tx) => dialTask(tx, context, id, installation))
        return outcome.kind === 'done' ? outcome.result : { kind: 'nothing' }
      }),
    )
    const handings = diallings.flatMap((one) => (one.kind === 'dial' ? [one.handing] : []))
    await Promise.all(handings.map((handing) => hand(context, vendors, handing)))
    dialled += handings.length
    const withoutLine = diallings.filter(({ kind }) => kind === 'noLine').length
    // those after them wait for a line, too
    if (withoutLine > 0)
      return { dialled, withoutLine: withoutLine + rows.slice(i + AT_ONCE).length }
  }
  return { dialled, withoutLine: 0 }
}

/**
 * Outside any transaction. What a vendor certainly did not take goes to another one; without an
 * answer it is asked before the call is handed over again.
 */
async function hand(
  context: AppContext,
  vendors: AiCallVendors,
  { order, lane }: Handing,
): Promise<void> {
  const { callId } = order
  const vendor = await vendors.of(lane)
  if (vendor === null || !(await mayCall(context, lane)))
    return void (await forget(context, callId))
  const answer = await vendor.start(order).catch((error: unknown) => {
    context.log.warn({ err: error, callId }, 'a call could not be handed over')
    return error instanceof NotReached ? 'notTaken' : null
  })
  if (answer === null) return
  if (answer === 'notTaken') return void (await forget(context, callId))
  if (answer.accepted) return taken(context, callId, answer.vendorCallId)
  context.log.warn({ callId, reason: answer.reason }, 'the vendor refused a call')
  await receive(context, { callId, result: 'f', durationSec: 0 })
}

async function mayCall({ database }: AppContext, { cfgId }: VendorLane): Promise<boolean> {
  return cfgId === null || (await admission(database.kysely, cfgId)) !== 'no'
}

async function taken(context: AppContext, callId: string, vendorCallId: string): Promise<void> {
  await sql`
    update ai_call set state = 'calling', vendor_call_id = ${vendorCallId},
      ask_at = clock_timestamp() + interval '5 minutes'
    where id = ${callId} and state in ('dialling', 'calling')`.execute(context.database.kysely)
}

async function pollCalls(context: AppContext, vendors: AiCallVendors): Promise<number> {
  const { rows } = await sql<{ id: string; isOld: boolean } & VendorLane>`
    update ai_call a set ask_at = clock_timestamp() + interval '2 minutes'
    where a.id in (select x.id from ai_call x where x.state in ('dialling', 'calling')
      and x.ask_at <= clock_timestamp() order by x.ask_at limit ${DUE_MOST})
    returning a.id, a.started_at < clock_timestamp() - make_interval(mins => ${GIVEN_UP_MINUTES})
      as "isOld", a.tp_cfg_id as "cfgId",
      coalesce(a.vendor_code, ${vendors.installation?.code ?? ''}) as "vendorCode"`.execute(
    context.database.kysely,
  )
  for (let i = 0; i < rows.length && !context.stopping.aborted; i += AT_ONCE)
    await Promise.all(
      rows
        .slice(i, i + AT_ONCE)
        .map(({ id, isOld, ...lane }) => pollCall(context, vendors, { callId: id, isOld, lane })),
    )
  return rows.length
}

async function pollCall(
  context: AppContext,
  vendors: AiCallVendors,
  { callId, isOld, lane }: { callId: string; isOld: boolean; lane: VendorLane },
): Promise<void> {
  const vendor = await vendors.of(lane)
  if (vendor === null || !(await mayCall(context, lane))) return
  const found = await vendor.query(callId).catch((error: unknown) => {
    context.log.warn({ err: error, callId }, 'a call could not be asked about')
    return null
  })
  if (found === null) return
  if (found.state === 'ended') await receive(context, found.result)
  else if (found.state === 'calling') await taken(context, callId, found.vendorCallId)
  // never taken: the borrower was not called, so the task dials when it may
  else if (await forget(context, callId)) return
  else if (isOld) await receive(context, { callId, result: 'f', durationSec: 0 })
}

/**
 * A call that no vendor took is taken back: it was no contact and no redial, and the task dials when
 * it may. @returns false for one that was taken
 */
async function forget(context: AppContext, callId: string): Promise<boolean> {
  const { rows } = await sql<{ task_id: string }>`
    select a.task_id from ai_call a where a.id = ${callId} and a.state = 'dialling'`.execute(
    context.database.kysely,
  )
  const taskId = rows[0]?.task_id
  if (taskId === undefined) return false
  await command(
    context,
    taskId,
  )(async (tx) => {
    const task = await lockTask(tx, taskId)
    const { rows: undone } = await sql<{ contact: string | null }>`
      with was as (select a.id, a.contact_call_id from ai_call a where a.id = ${callId} for update)
      update ai_call a set state = 'refused', contact_call_id = null from was
      where a.id = was.id and a.state = 'dialling' returning was.contact_call_id as contact`.execute(
      tx.db,
    )
    if (undone.length === 0) return
    await sql`delete from call_log where id = ${undone[0]?.contact ?? null}`.execute(tx.db)
    if (task === null) return
    if (task.case_id !== null) await emitRobotCall(tx, task.case_id)
    if (task.state !== 'calling') return
    await moveTask(tx, task, {
      to: task.state,
      dueAt: sql`clock_timestamp()`,
      // the next one counts as a redial of this round, which this one was not
      set: [sql`redials = t.redials - 1`],
    })
  })
  return true
}

async function receive(context: AppContext, result: AiCallResult): Promise<void> {
  await command(
    context,
    result.callId,
  )((tx) => receiveCall(tx, result)).catch((error: unknown) => {
    // one that fails must not block the others
    context.log.error(
      { err: error, callId: result.callId },
      'the end of a call could not be stored',
    )
  })
}
