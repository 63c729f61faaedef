/** Tickets on a person's home page: of people who answer them and lead nobody who does. */
import { sql } from 'kysely'
import { replyPath, ticketPath } from '#shared/tickets/ticket-path.ts'
import { mayTicket, TICKET_QUEUES, type TicketQueue } from '#shared/tickets/ticket-sets.ts'
import { countRows, goalOf, type HomePart } from '#gateway/manage/features/home/public.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { isToAnswerBy, isWorkedOnBy } from './lists/ticket-list.ts'
import { ticketsInScope } from './ticket-scope.ts'

/** The list of the first screen of tickets the person has. */
function listOf({ rights: { permissions } }: StaffActor): string {
  if (permissions.has('user_feedback:view')) return '/customer_management/user_feedback'
  return permissions.has('operation_ticket:view')
    ? '/system/operation_ticket'
    : '/system/loaned_ticket'
}

function queuesOf({ rights: { permissions } }: StaffActor): TicketQueue[] {
  return TICKET_QUEUES.filter(
    (queue) => mayTicket(permissions, queue, 'reply') && !mayTicket(permissions, queue, 'decide'),
  )
}

/** @returns the address of a ticket's page, from that list */
function ticketOf(actor: StaffActor, pathOf = ticketPath): (feedbackId: string) => string {
  return (feedbackId) => pathOf(feedbackId, listOf(actor).split('/').at(-1) ?? null)
}

export const TICKETS_HOME: HomePart = {
  next(actor) {
    const queues = queuesOf(actor)
    if (queues.length === 0) return []
    const waiting = sql`feedback t where ${ticketsInScope(actor)} and t.progress = 'unprocessed'
      and t.queue = any(${queues}::text[])`
    // an own ticket that waits for the customer is nothing to do now
    const own = sql`feedback t where ${isToAnswerBy(actor.userId)}`
    return [
      {
        key: 'ownTicket',
        count: countRows(own),
        time: sql`(select min(t.due_at) from ${own})`,
        id: sql`(select t.id from ${own} order by t.due_at, t.id limit 1)`,
        target: ticketOf(actor, replyPath),
      },
      {
        key: 'ticket',
        count: countRows(waiting),
        time: sql`(select min(t.due_at) from ${waiting})`,
        target: `${listOf(actor)}?tab=queue&progress=unprocessed`,
      },
    ]
  },
  lane: (actor) =>
    queuesOf(actor).length === 0
      ? []
      : [
          {
            kind: 'ticket',
            rows: sql`
              feedback t join customer c on c.id = t.customer_id where ${isWorkedOnBy(actor.userId)}`,
            at: 't.due_at',
            id: 't.id',
            name: 'c.name',
            target: ticketOf(actor),
            list: `${listOf(actor)}?tab=mine`,
          },
        ],
  figures(actor) {
    // a collector answers tickets of their borrowers beside the cases
    if (!actor.rights.permissions.has('user_feedback:reply') || queuesOf(actor).length === 0)
      return []
    const own = sql`feedback t where t.processor_id = ${actor.userId}`
    const list = listOf(actor)
    return [
      {
        key: 'resolvedToday',
        rows: own,
        at: 't.finished_at',
        goal: goalOf('home.ticketsPerDay'),
        target: `${list}?tab=finished`,
      },
      { key: 'firstReplies', rows: own, at: 't.first_reply_at', target: `${list}?tab=mine` },
      {
        key: 'firstReplyTime',
        rows: own,
        at: 't.first_reply_at',
        amount: sql`extract(epoch from t.first_reply_at - t.created_at)::int`,
        goal: sql`60::bigint * (select c.value::int from sys_config c where c.code = 'ticket.sla.complaint')`,
        target: `${list}?tab=mine`,
      },
    ]
  },
  arrivals(actor) {
    const queues = queuesOf(actor)
    return queues.length === 0
      ? []
      : [
          {
            key: 'ticketsNew',
            rows: sql`feedback t where ${ticketsInScope(actor)} and t.queue = any(${queues}::text[])`,
            at: 't.created_at',
            target: `${listOf(actor)}?tab=queue`,
          },
        ]
  },
}
