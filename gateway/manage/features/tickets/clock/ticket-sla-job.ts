/**
 * Runs each minute. Announces due times that are near or have passed, and escalates on the days of
 * `ticket.escalateDays`.
 */
import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import { escalationsDue, WARN_MINUTES } from '#shared/tickets/ticket-clock.ts'
import { ticketLifecycle } from '#shared/tickets/ticket-lifecycle.ts'
import { MAX_LEVEL } from '#shared/tickets/ticket-sets.ts'
import { TICKET_SLA_DUE } from '#shared/tickets/tickets-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runAsSystem } from '#gateway/manage/kernel/system-command.ts'
import { parameterIn } from '#gateway/manage/kernel/parameters.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { raise } from '../desk/escalate-ticket.ts'
import { MENU, notifyAboutTicket } from '../ticket-events.ts'
import { ROOMS, rowJoins } from '../ticket-row.ts'
import { lockIfFree } from '../ticket-store.ts'

const NAME = 'ticketSla'
const WORK = { name: NAME, menu: MENU }
const BATCH = 100
const MOST = 5_000

export const ticketSla: ScheduledClass = {
  name: NAME,
  cycle: 'every:60',
  async run(context) {
    const notified = await notifyDue(context)
    const escalated = await escalateDue(context)
    return { notified, escalated }
  },
}

interface Due {
  id: string
  queue: string
  due_at: string
  missed: boolean
  processor_id: string | null
  rooms: string[]
}

/** Due times that are near or have passed and were not announced yet. */
const IS_UNTOLD = sql<boolean>`
  t.progress <> 'finished' and t.due_at <= clock_timestamp() + make_interval(mins => ${WARN_MINUTES})
    and t.sla_told < case when t.due_at <= clock_timestamp() then 2 else 1 end`

/**
 * Announces each due time once before it and once at it; the mark is reset whenever the due time
 * moves. A run without any leaves no line in the operate log.
 */
async function notifyDue(context: AppContext): Promise<number> {
  let notified = 0
  for (;;) {
    const { rows } = await sql<{
      some: boolean
    }>`select exists (select 1 from feedback t where ${IS_UNTOLD}) as some`.execute(
      context.database.kysely,
    )
    if (!rows[0]?.some) return notified
    const done = await runAsSystem(context, WORK, notifyBatch)
    notified += done
    if (done < BATCH || notified >= MOST) return notified
  }
}

async function notifyBatch(tx: CommandTx): Promise<number> {
  const { rows } = await sql<Due>`
    with near as (
      select t.id, t.due_at <= clock_timestamp() as missed from feedback t
      where ${IS_UNTOLD}
      order by t.due_at, t.id limit ${BATCH} for update skip locked
    ), marked as (
      update feedback t set sla_told = case when n.missed then 2 else 1 end from near n where n.id = t.id
      returning t.id, t.queue, t.due_at, n.missed, t.processor_id, t.customer_id, t.order_id, t.department,
        t.about_id, t.handover_state
    )
    select t.id, t.queue, ${isoTime('t.due_at')} as due_at, t.missed, t.processor_id, ${ROOMS} as rooms
      from marked t ${rowJoins(tx.actor)} order by t.id`.execute(tx.db)
  for (const due of rows) {
    tx.emit(TICKET_SLA_DUE, {
      subject: `ticket:${due.id}`,
      rooms: due.rooms,
      data: { feedbackId: due.id, queue: due.queue, dueTime: due.due_at, missed: due.missed },
    })
    notifyAboutTicket(tx, due.processor_id, 'sla', due.missed ? 'slaMissed' : 'slaSoon', {
      feedbackId: due.id,
      queue: due.queue,
    })
  }
  return rows.length
}

async function escalateDue(context: AppContext): Promise<number> {
  const text = await context.parameters.text('ticket.escalateDays')
  const days = text
    .split(',')
    .map((day) => Number(day.trim()))
    .filter((day) => Number.isSafeInteger(day) && day > 0)
    .toSorted((a, b) => a - b)
  if (days.length === 0) return 0
  const { rows } = await sql<{ id: string }>`
    select t.id from feedback t
    where t.progress <> 'finished' and t.auto_level < ${days.length}
      and (clock_timestamp() at time zone 'Asia/Kolkata')::date - (t.created_at at time zone
      'Asia/Kolkata')::date >= (${days}::int[])[t.auto_level + 1]
    order by t.created_at, t.id limit ${MOST}`.execute(context.database.kysely)
  let escalated = 0
  for (const { id } of rows)
    if (await runAsSystem(context, WORK, (tx) => escalateOne(tx, id))) escalated += 1
  return escalated
}

/**
 * If several escalation days passed while no job ran, each counts. At the highest level only the
 * day is recorded.
 */
async function escalateOne(tx: CommandTx, feedbackId: string): Promise<boolean> {
  const ticket = await lockIfFree(tx, feedbackId, sql<boolean>`t.progress <> 'finished'`)
  if (!ticket) return false
  const days = (await parameterIn(tx.db, 'ticket.escalateDays')).split(',').map(Number)
  const due = escalationsDue(ticket.created_at, await tx.now(), days)
  if (due <= ticket.auto_level) return false
  const event = {
    type: 'ESCALATE',
    level: ticket.level,
    reason: '',
    bySystem: true,
    isOwner: false,
    isLeader: false,
    handoverPending: false,
  } as const
  if (ticket.level >= MAX_LEVEL) {
    await sql`update feedback set auto_level = ${due} where id = ${ticket.id}`.execute(tx.db)
    return false
  }
  const to = ticketLifecycle.next(ticket.progress, event)
  await raise(tx, ticket, {
    to,
    kind: 'autoEscalated',
    reason: istDay(ticket.created_at),
    levels: due - ticket.auto_level,
    set: [sql`auto_level = ${due}`],
  })
  return true
}
