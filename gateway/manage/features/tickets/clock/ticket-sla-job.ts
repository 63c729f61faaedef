/** Each minute: says which due times come near or have passed, and escalates on the days of `ticket.escalateDays`. */
import { sql } from 'kysely'
import { istDay } from '#shared/kernel/time.ts'
import { escalationsDue, WARN_MINUTES } from '#shared/tickets/ticket-clock.ts'
import { ticketLifecycle } from '#shared/tickets/ticket-lifecycle.ts'
import { MAX_LEVEL } from '#shared/tickets/ticket-sets.ts'
import { TICKET_SLA_DUE } from '#shared/tickets/tickets-live.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { parameterIn } from '#gateway/manage/kernel/parameters.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { raise } from '../desk/escalate-ticket.ts'
import { MENU, notifyOf } from '../ticket-events.ts'
import { ROOMS, rowJoins } from '../ticket-row.ts'
import { lockIfFree } from '../ticket-store.ts'

const NAME = 'ticketSla'
const BATCH = 100
const MOST = 5_000

export const ticketSla: ScheduledClass = {
  name: NAME,
  cycle: 'every:60',
  async run(house) {
    const told = await tellDue(house)
    const escalated = await escalateDue(house)
    return told + escalated === 0 ? '' : `told of ${told} due times, escalated ${escalated}`
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

/** Due times come near or passed, of which nobody was told yet. */
const IS_UNTOLD = sql<boolean>`t.progress <> 'finished' and t.due_at <= clock_timestamp() + make_interval(mins => ${WARN_MINUTES}) and t.sla_told < case when t.due_at <= clock_timestamp() then 2 else 1 end`

/** Once for each due time before it and once at it: the mark is set back whenever the due time moves. A minute without any leaves no line in the operation log. */
async function tellDue(house: House): Promise<number> {
  let told = 0
  for (;;) {
    const { rows } = await sql<{
      some: boolean
    }>`select exists (select 1 from feedback t where ${IS_UNTOLD}) as some`.execute(
      house.database.kysely,
    )
    if (!rows[0]?.some) return told
    const done = await command(house, tellBatch)
    told += done
    if (done < BATCH || told >= MOST) return told
  }
}

async function tellBatch(cx: Cx): Promise<number> {
  const { rows } = await sql<Due>`
    with near as (
      select t.id, t.due_at <= clock_timestamp() as missed from feedback t
      where ${IS_UNTOLD}
      order by t.due_at, t.id limit ${BATCH} for update skip locked
    ), marked as (
      update feedback t set sla_told = case when n.missed then 2 else 1 end from near n where n.id = t.id
      returning t.id, t.queue, t.due_at, n.missed, t.processor_id, t.customer_id, t.order_id, t.department, t.about_id, t.handover_state
    )
    select t.id, t.queue, ${isoTime('t.due_at')} as due_at, t.missed, t.processor_id, ${ROOMS} as rooms from marked t ${rowJoins(cx.actor)} order by t.id`.execute(
    cx.db,
  )
  for (const due of rows) {
    cx.emit(TICKET_SLA_DUE, {
      subject: `ticket:${due.id}`,
      rooms: due.rooms,
      data: { feedbackId: due.id, queue: due.queue, dueTime: due.due_at, missed: due.missed },
    })
    notifyOf(cx, due.processor_id, 'sla', due.missed ? 'slaMissed' : 'slaSoon', {
      feedbackId: due.id,
      queue: due.queue,
    })
  }
  return rows.length
}

async function escalateDue(house: House): Promise<number> {
  const text = await house.parameters.text('ticket.escalateDays')
  const days = text
    .split(',')
    .map((day) => Number(day.trim()))
    .filter((day) => Number.isSafeInteger(day) && day > 0)
    .sort((a, b) => a - b)
  if (days.length === 0) return 0
  const { rows } = await sql<{ id: string }>`
    select t.id from feedback t
    where t.progress <> 'finished' and t.auto_level < ${days.length} and (clock_timestamp() at time zone 'Asia/Kolkata')::date - (t.created_at at time zone 'Asia/Kolkata')::date >= (${days}::int[])[t.auto_level + 1]
    order by t.created_at, t.id limit ${MOST}`.execute(house.database.kysely)
  let escalated = 0
  for (const { id } of rows) if (await command(house, (cx) => escalateOne(cx, id))) escalated += 1
  return escalated
}

/** Several days that came while nothing ran count each. At the highest level only the day is noted. */
async function escalateOne(cx: Cx, feedbackId: string): Promise<boolean> {
  const ticket = await lockIfFree(cx, feedbackId, sql<boolean>`t.progress <> 'finished'`)
  if (!ticket) return false
  const days = (await parameterIn(cx.db, 'ticket.escalateDays')).split(',').map(Number)
  const due = escalationsDue(ticket.created_at, await cx.now(), days)
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
    await sql`update feedback set auto_level = ${due} where id = ${ticket.id}`.execute(cx.db)
    return false
  }
  const to = ticketLifecycle.next(ticket.progress, event)
  await raise(cx, ticket, {
    to,
    kind: 'autoEscalated',
    reason: istDay(ticket.created_at),
    levels: due - ticket.auto_level,
    set: [sql`auto_level = ${due}`],
  })
  return true
}

async function command<T>(house: House, work: (cx: Cx) => Promise<T>): Promise<T> {
  const outcome = await runCommand(
    house,
    { actor: systemActor(NAME), audit: { action: NAME, menu: MENU } },
    work,
  )
  // without an idempotency key nothing is ever replayed
  return (outcome as { result: T }).result
}
