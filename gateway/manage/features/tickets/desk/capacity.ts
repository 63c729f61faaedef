/**
 * Who may get tickets of a queue, and how many tickets one person may hold (`ticket.maxClaimed`).
 */
import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { TicketQueue } from '#shared/tickets/ticket-sets.ts'
import {
  CONCERNED,
  NOBODY_TAKES,
  TAKES_NO_TICKETS,
  TOO_MANY_TICKETS,
} from '#shared/tickets/tickets-problems.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { lockCapacity, ON_DUTY } from '#gateway/manage/kernel/claims/claim-table.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { CLAIMS, type LockedTicket } from '../ticket-store.ts'

export const openTicketsOf = (userId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`
    (select count(*)::int from feedback w where w.processor_id = ${userId} and w.progress = 'followingUp')`
export const CAPACITY = intParameter('ticket.maxClaimed')

/**
 * Whether the role of `g` answers tickets of the queue. The administrator holds every code but
 * answers no tickets.
 */
export function serves(queue: TicketQueue | RawBuilder<unknown>): RawBuilder<boolean> {
  const own = typeof queue === 'string' ? sql`${queue}::text` : queue
  return sql<boolean>`
    (g.unique_mark <> ${ADMINISTRATOR}
      and exists (select 1 from sys_role_menu rm join sys_menu m on m.id = rm.menu_id
    where rm.role_id = g.id and m.name in ('user_feedback', ${own} || '_ticket')
      and 'reply' = any(rm.buttons)))`
}
/** Whether `u` has an active session. */
export const IS_ONLINE = sql<boolean>`
  exists (select 1 from sys_session s where s.user_id = u.id and s.revoked_at is null
    and s.expires_at > clock_timestamp())`
export const takesOf = (queue: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`
    exists (select 1 from feedback_distributor f where f.user_id = u.id and f.queue = ${queue} and f."on")`

/**
 * Predicate over `sys_user u` and `sys_role g`: the people the caller may assign tickets to. Scope
 * `all` reaches everybody; other scopes reach their own agency and the people who see every ticket
 * (to return it to customer service).
 */
export function reachable(actor: StaffActor): RawBuilder<boolean> {
  if (actor.rights.scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(g.data_scope = 'all' or u.agency_id = ${actor.rights.agencyId})`
}

export interface Receiver {
  userId: string
  userName: string
  serves: boolean
  onDuty: boolean
  openTickets: number
  capacity: number
}

/**
 * The person who is to get tickets, with the open tickets counted under the capacity lock.
 * @param among predicate of the people the caller may choose from
 * @throws Problem G404 when there is no such account
 */
export async function receiverOf(
  tx: CommandTx,
  userId: string,
  queue: TicketQueue,
  among: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<Receiver> {
  await lockCapacity(tx, CLAIMS.table, userId)
  const { rows } = await sql<Receiver>`
    select u.id as "userId", u.user_name as "userName", ${serves(queue)} as serves,
      ${ON_DUTY} as "onDuty", ${openTicketsOf(sql`u.id`)} as "openTickets", ${CAPACITY} as capacity
    from sys_user u
    join sys_role g on g.id = u.role_id
    where u.id = ${userId} and ${among}`.execute(tx.db)
  const receiver = rows[0]
  if (!receiver) throw new Problem(NOT_FOUND)
  return receiver
}

/** @throws Problem F-ABOUT, F-DUTY, F-MAX */
export function requireRoom(
  receiver: Receiver,
  { about_id: aboutId }: Pick<LockedTicket, 'about_id'>,
): void {
  if (receiver.userId === aboutId) throw new Problem(CONCERNED, { userName: receiver.userName })
  if (!receiver.serves || !receiver.onDuty)
    throw new Problem(TAKES_NO_TICKETS, { userName: receiver.userName })
  if (receiver.openTickets >= receiver.capacity)
    throw new Problem(TOO_MANY_TICKETS, { userName: receiver.userName, n: receiver.capacity })
}

/**
 * The person of a department who gets a ticket offered to the department: on duty, with the fewest
 * open tickets.
 * @throws Problem F-NOBODY
 */
export async function receiverIn(
  tx: CommandTx,
  department: string,
  ticket: Pick<LockedTicket, 'queue' | 'about_id' | 'processor_id'>,
): Promise<Receiver> {
  const { rows } = await sql<{ id: string | null; name: string }>`
    select (
      select u.id
      from sys_user u
      join sys_role g on g.id = u.role_id
      where u.department_id = d.id
        and ${serves(ticket.queue)}
        and ${ON_DUTY}
        and u.id is distinct from ${ticket.about_id}
        and u.id is distinct from ${ticket.processor_id}
        and ${openTicketsOf(sql`u.id`)} < ${CAPACITY}
      order by ${IS_ONLINE} desc, ${openTicketsOf(sql`u.id`)}, u.id
      limit 1) as id, d.name
    from department d
    where d.id = ${department}`.execute(tx.db)
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  if (found.id === null) throw new Problem(NOBODY_TAKES, { department: found.name })
  return receiverOf(tx, found.id, ticket.queue)
}
