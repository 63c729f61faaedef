/**
 * Automatic distribution is switched by each person for themselves, and by a leader for the people
 * they may assign tickets to.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { mayTicket, TICKET_QUEUES, type TicketQueue } from '#shared/tickets/ticket-sets.ts'
import type { setDistribution as distributionCall } from '#shared/tickets/tickets-api.ts'
import { TICKET_DISTRIBUTION_CHANGED } from '#shared/tickets/tickets-live.ts'
import { TAKES_NO_TICKETS } from '#shared/tickets/tickets-problems.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { MENU, queueRoom } from '../ticket-events.ts'
import { reachable, serves } from './capacity.ts'
import { takersOf } from './takers.ts'

/**
 * Applies to every queue the person serves and, for another person, to the queues the caller leads.
 * @throws Problem G404, G403, F-DUTY for a person who serves no queue
 */
export async function setDistribution(
  tx: CommandTx,
  { userId, status }: InputOf<typeof distributionCall>,
): Promise<DataOf<typeof distributionCall>> {
  const actor = staff(tx.actor)
  const on = status === 1
  const isOwn = userId === actor.userId
  const led = TICKET_QUEUES.filter((queue) =>
    mayTicket(actor.rights.permissions, queue, 'distribute'),
  )
  if (!isOwn && led.length === 0) throw new Problem(FORBIDDEN)
  const { rows } = await sql<{ user_name: string; operation: boolean; loaned: boolean }>`
    select u.user_name, ${serves('operation')} as operation, ${serves('loaned')} as loaned from sys_user u
      join sys_role g on g.id = u.role_id
    where u.id = ${userId} and ${isOwn ? sql<boolean>`true` : reachable(actor)}`.execute(tx.db)
  const person = rows[0]
  if (!person) throw new Problem(NOT_FOUND)
  const queues = TICKET_QUEUES.filter((queue) => person[queue] && (isOwn || led.includes(queue)))
  if (queues.length === 0) throw new Problem(TAKES_NO_TICKETS, { userName: person.user_name })
  for (const queue of queues) await setOne(tx, userId, queue, on)
  tx.log({
    menu: MENU,
    action: 'distribution',
    targetKind: 'user',
    targetId: userId,
    after: { on, queues },
  })
  if (!isOwn)
    tx.notify({
      userId,
      kind: 'system',
      titleKey: on ? 'tickets:notification.takesOn' : 'tickets:notification.takesOff',
      params: { userName: actor.userName },
      route: '/home_page',
    })
  return { userId, distributionOn: on }
}

async function setOne(
  tx: CommandTx,
  userId: string,
  queue: TicketQueue,
  on: boolean,
): Promise<void> {
  await sql`
    insert into feedback_distributor (user_id, queue, "on") values (${userId}, ${queue}, ${on})
    on conflict (user_id, queue) do update set "on" = excluded."on", updated_at = clock_timestamp()`.execute(
    tx.db,
  )
  const { rows } = await sql<{ n: number; units: string[] }>`
    select ${takersOf(queue)} as n, array_remove(array['scope:agency:' || u.agency_id,
      'scope:dept:' || u.department_id], null) as units from sys_user u where u.id = ${userId}`.execute(
    tx.db,
  )
  const { n, units } = rows[0] as { n: number; units: string[] }
  tx.emit(TICKET_DISTRIBUTION_CHANGED, {
    subject: `user:${userId}`,
    rooms: [queueRoom(queue), `user:${userId}`, ...(queue === 'loaned' ? units : [])],
    data: { queue, userId, on, takers: n },
  })
}
