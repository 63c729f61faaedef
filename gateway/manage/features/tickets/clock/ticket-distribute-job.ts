/**
 * Each minute: gives unprocessed tickets, due soonest first, to people who take them and are signed in, fewest open first; takes
 * back what lies with somebody who has been away for a day. A collection person gets post-loan tickets of his own agency only.
 */
import { type RawBuilder, sql } from 'kysely'
import { TICKET_QUEUES, type TicketQueue } from '#shared/tickets/ticket-sets.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { giveTo } from '../desk/assign-tickets.ts'
import {
  CAPACITY,
  IS_ONLINE,
  ON_DUTY,
  openTicketsOf,
  receiverOf,
  serves,
  takesOf,
} from '../desk/capacity.ts'
import { returnToQueue } from '../desk/return-ticket.ts'
import { MENU } from '../ticket-events.ts'
import { lockIfFree } from '../ticket-store.ts'

const NAME = 'ticketDistribute'
/** Tickets given in one run; the next one goes on a minute later. */
const MOST = 500
/** Somebody is off duty when he has not been seen for this long (domain.md 3). */
const AWAY_HOURS = 24

export const ticketDistribute: ScheduledClass = {
  name: NAME,
  cycle: 'every:60',
  async run(house) {
    const returned = await takeBack(house)
    let given = 0
    for (const queue of TICKET_QUEUES) given += await distribute(house, queue)
    return returned + given === 0 ? '' : `gave ${given}, took back ${returned}`
  },
}

interface Taker {
  id: string
  sees_all: boolean
  agency_id: string | null
  open: number
  capacity: number
}

async function distribute(house: House, queue: TicketQueue): Promise<number> {
  const takers = await takersNow(house, queue)
  if (takers.length === 0) return 0
  const { rows } = await sql<{ id: string; about_id: string | null; agency_id: string | null }>`
    select t.id, t.about_id, (select c.agency_id from collection_case c where c.customer_id = t.customer_id and c.state <> 'closed' order by (c.order_id is not distinct from t.order_id) desc, c.created_at, c.id limit 1) as agency_id
    from feedback t where t.queue = ${queue} and t.progress = 'unprocessed' order by t.due_at, t.id limit ${MOST}`.execute(
    house.database.kysely,
  )
  let given = 0
  for (const ticket of rows) {
    const taker = takers
      .filter(
        (person) =>
          person.open < person.capacity &&
          person.id !== ticket.about_id &&
          (person.sees_all || (person.agency_id !== null && person.agency_id === ticket.agency_id)),
      )
      .sort((a, b) => a.open - b.open)[0]
    if (!taker) continue
    if (!(await command(house, (cx) => giveOne(cx, ticket.id, queue, taker)))) continue
    taker.open += 1
    given += 1
  }
  return given
}

async function takersNow(house: House, queue: TicketQueue): Promise<Taker[]> {
  const { rows } = await sql<Taker>`
    select u.id, g.data_scope = 'all' as sees_all, u.agency_id, ${openTicketsOf(sql`u.id`)} as open, ${CAPACITY} as capacity
    from sys_user u join sys_role g on g.id = u.role_id where ${takesOf(sql`${queue}`)} and ${canTake(queue)} order by u.id`.execute(
    house.database.kysely,
  )
  return rows
}

function canTake(queue: TicketQueue): RawBuilder<boolean> {
  return sql<boolean>`(${serves(queue)} and ${ON_DUTY} and ${IS_ONLINE})`
}

/** He may have switched off, or reached his capacity, since the list was read: looked at again under his seat's lock. */
async function giveOne(
  cx: Cx,
  feedbackId: string,
  queue: TicketQueue,
  { id }: Taker,
): Promise<boolean> {
  const receiver = await receiverOf(cx, id, queue)
  const { rows } =
    await sql`select from sys_user u join sys_role g on g.id = u.role_id where u.id = ${id} and ${takesOf(sql`${queue}`)} and ${canTake(queue)}`.execute(
      cx.db,
    )
  if (rows.length === 0 || receiver.openTickets >= receiver.capacity) return false
  const ticket = await lockIfFree(
    cx,
    feedbackId,
    sql<boolean>`t.progress = 'unprocessed' and t.about_id is distinct from ${id}`,
  )
  if (!ticket) return false
  await giveTo(cx, ticket, receiver, 'distributed')
  return true
}

/** Away: no session was used for a day, or the account is closed. A ticket given to him less than a day ago waits for him. */
const IS_AWAY = sql<boolean>`(t.progress = 'followingUp' and exists (
  select 1 from sys_user u join sys_role g on g.id = u.role_id where u.id = t.processor_id and (
    u.status not in ('enabled', 'normal') or g.status <> 'enabled'
    or (t.claimed_at < clock_timestamp() - make_interval(hours => ${AWAY_HOURS}) and not exists (select 1 from sys_session s where s.user_id = u.id and s.last_seen_at > clock_timestamp() - make_interval(hours => ${AWAY_HOURS})))
  )))`

async function takeBack(house: House): Promise<number> {
  const { rows } = await sql<{
    id: string
  }>`select t.id from feedback t where ${IS_AWAY} order by t.due_at, t.id limit ${MOST}`.execute(
    house.database.kysely,
  )
  let returned = 0
  for (const { id } of rows) if (await command(house, (cx) => returnOne(cx, id))) returned += 1
  return returned
}

async function returnOne(cx: Cx, feedbackId: string): Promise<boolean> {
  const ticket = await lockIfFree(cx, feedbackId, IS_AWAY)
  if (!ticket) return false
  await returnToQueue(
    cx,
    ticket,
    {
      cause: 'offDuty',
      reason: '',
      leaseOver: false,
      offDuty: true,
      isOwner: false,
      isLeader: false,
      handoverPending: ticket.handover_state === 'pending',
    },
    NAME,
  )
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
