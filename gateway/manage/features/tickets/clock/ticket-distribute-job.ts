/**
 * Runs each minute. Assigns unprocessed tickets, due soonest first, to signed-in people with
 * distribution switched on, fewest open tickets first. Returns tickets of processors who were away
 * for a day. Collection staff get only post-loan tickets of their own agency.
 */
import { type RawBuilder, sql } from 'kysely'
import { TICKET_QUEUES, type TicketQueue } from '#shared/tickets/ticket-sets.ts'
import { ON_DUTY } from '#gateway/manage/kernel/claims/claim-table.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runAsSystem } from '#gateway/manage/kernel/system-command.ts'
import { giveTo } from '../desk/assign-tickets.ts'
import {
  CAPACITY,
  IS_ONLINE,
  openTicketsOf,
  receiverOf,
  serves,
  takesOf,
} from '../desk/capacity.ts'
import { returnToQueue } from '../desk/return-ticket.ts'
import { MENU } from '../ticket-events.ts'
import { lockIfFree } from '../ticket-store.ts'

const NAME = 'ticketDistribute'
const WORK = { name: NAME, menu: MENU }
/** Tickets assigned in one run; the next run continues a minute later. */
const MOST = 500
/** A person is off duty when no session of theirs was used for this long. */
const AWAY_HOURS = 24

export const ticketDistribute: ScheduledClass = {
  name: NAME,
  cycle: 'every:60',
  async run(context) {
    const returned = await takeBack(context)
    let distributed = 0
    for (const queue of TICKET_QUEUES) distributed += await distribute(context, queue)
    return { distributed, returned }
  },
}

interface Taker {
  id: string
  sees_all: boolean
  agency_id: string | null
  open: number
  capacity: number
}

async function distribute(context: AppContext, queue: TicketQueue): Promise<number> {
  const takers = await takersNow(context, queue)
  if (takers.length === 0) return 0
  const { rows } = await sql<{ id: string; about_id: string | null; agency_id: string | null }>`
    select t.id, t.about_id, (select c.agency_id from collection_case c where c.customer_id = t.customer_id
      and c.state <> 'closed' order by (c.order_id is not distinct from t.order_id) desc, c.created_at, c.id
      limit 1) as agency_id
    from feedback t where t.queue = ${queue} and t.progress = 'unprocessed' order by t.due_at, t.id
      limit ${MOST}`.execute(context.database.kysely)
  let given = 0
  for (const ticket of rows) {
    const taker = takers
      .filter(
        (person) =>
          person.open < person.capacity &&
          person.id !== ticket.about_id &&
          (person.sees_all || (person.agency_id !== null && person.agency_id === ticket.agency_id)),
      )
      .toSorted((a, b) => a.open - b.open)[0]
    if (!taker) continue
    if (!(await runAsSystem(context, WORK, (tx) => giveOne(tx, ticket.id, queue, taker)))) continue
    taker.open += 1
    given += 1
  }
  return given
}

async function takersNow(context: AppContext, queue: TicketQueue): Promise<Taker[]> {
  const { rows } = await sql<Taker>`
    select u.id, g.data_scope = 'all' as sees_all, u.agency_id, ${openTicketsOf(sql`
      u.id`)} as open, ${CAPACITY} as capacity
    from sys_user u join sys_role g on g.id = u.role_id where ${takesOf(sql`
      ${queue}`)} and ${canTake(queue)} order by u.id`.execute(context.database.kysely)
  return rows
}

function canTake(queue: TicketQueue): RawBuilder<boolean> {
  return sql<boolean>`(${serves(queue)} and ${ON_DUTY} and ${IS_ONLINE})`
}

/**
 * The person may have switched off or reached the limit since the list was read, so both are
 * checked again under the capacity lock.
 */
async function giveOne(
  tx: CommandTx,
  feedbackId: string,
  queue: TicketQueue,
  { id }: Taker,
): Promise<boolean> {
  const receiver = await receiverOf(tx, id, queue)
  const { rows } = await sql`
      select
      from sys_user u
      join sys_role g on g.id = u.role_id
      where u.id = ${id} and ${takesOf(sql`${queue}`)} and ${canTake(queue)}`.execute(tx.db)
  if (rows.length === 0 || receiver.openTickets >= receiver.capacity) return false
  const ticket = await lockIfFree(
    tx,
    feedbackId,
    sql<boolean>`t.progress = 'unprocessed' and t.about_id is distinct from ${id}`,
  )
  if (!ticket) return false
  await giveTo(tx, ticket, receiver, 'distributed')
  return true
}

/**
 * Away: no session was used for a day, or the account is closed. A ticket assigned less than a day
 * ago stays with its processor.
 */
const IS_AWAY = sql<boolean>`(t.progress = 'followingUp' and exists (
  select 1 from sys_user u join sys_role g on g.id = u.role_id where u.id = t.processor_id and (
    u.status not in ('enabled', 'normal') or g.status <> 'enabled'
    or (t.claimed_at < clock_timestamp() - make_interval(hours => ${AWAY_HOURS})
      and not exists (select 1 from sys_session s where s.user_id = u.id
      and s.last_seen_at > clock_timestamp() - make_interval(hours => ${AWAY_HOURS})))
  )))`

async function takeBack(context: AppContext): Promise<number> {
  const { rows } = await sql<{
    id: string
  }>`select t.id from feedback t where ${IS_AWAY} order by t.due_at, t.id limit ${MOST}`.execute(
    context.database.kysely,
  )
  let returned = 0
  for (const { id } of rows)
    if (await runAsSystem(context, WORK, (tx) => returnOne(tx, id))) returned += 1
  return returned
}

async function returnOne(tx: CommandTx, feedbackId: string): Promise<boolean> {
  const ticket = await lockIfFree(tx, feedbackId, IS_AWAY)
  if (!ticket) return false
  await returnToQueue(
    tx,
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
