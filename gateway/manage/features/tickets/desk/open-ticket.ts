/**
 * CREATE, by staff or by the customer app. The type decides the queue, the parameters the due
 * times. A complaint about collection is about the holder of the customer's case at creation; it
 * holds that case until it is resolved.
 */
import { sql } from 'kysely'
import type { ContactWay } from '#shared/collection/collection-sets.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { answerDue, replyDue } from '#shared/tickets/ticket-clock.ts'
import { ticketLifecycle } from '#shared/tickets/ticket-lifecycle.ts'
import { isGrievance, queueOf, type TicketType, TYPE_NAMES } from '#shared/tickets/ticket-sets.ts'
import { TICKET_CREATED } from '#shared/tickets/tickets-live.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { filesInLog } from '#gateway/manage/kernel/kept-files.ts'
import { parameterIn } from '#gateway/manage/kernel/parameters.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { holdForGrievance } from '#gateway/manage/features/collection/public.ts'
import { MENU } from '../ticket-events.ts'
import { attachFiles } from '../ticket-files.ts'
import { ROOMS, ROW_COLUMNS, rowJoins, TICKET_JSON, type TicketRow } from '../ticket-row.ts'

export interface NewTicket {
  customerId: string
  type: TicketType
  content: string
  orderId: string | null
  contactWay: ContactWay
  files: readonly Upload[]
}

interface Facts {
  is_overdue: boolean
  department: string | null
  about_id: string | null
  about_name: string | null
}

/**
 * The caller of this function has checked access to the customer.
 * @throws Problem G404 for an order of another customer
 */
export async function openTicket(
  tx: CommandTx,
  { customerId, type, content, orderId, contactWay, files }: NewTicket,
): Promise<TicketRow> {
  const facts = await factsOf(tx, customerId, orderId)
  const now = await tx.now()
  const queue = queueOf(type, facts.is_overdue)
  const minutes = Number(await parameterIn(tx.db, `ticket.sla.${TYPE_NAMES[type]}`))
  const days = Number(await parameterIn(tx.db, 'ticket.resolveDays'))
  const about = isGrievance(type)
    ? { id: facts.about_id, name: facts.about_name }
    : { id: null, name: null }
  const { rows } = await sql<{ row: TicketRow; rooms: string[]; step_id: string }>`
    with made as (
      insert into feedback as t (customer_id, order_id, type, content, contact_way, queue, department,
        progress, about_id, about_name, reply_due_at, answer_due_at, created_by, created_at, updated_at)
      values (${customerId}, ${orderId}, ${type}, ${content}, ${contactWay}, ${queue},
        ${queue === 'loaned' ? facts.department : null}, ${ticketLifecycle.initial}, ${about.id},
        ${about.name}, ${replyDue(now, minutes)}::timestamptz,
        ${answerDue(now, days)}::timestamptz, ${tx.actor.userId}, ${now}::timestamptz, ${now}::timestamptz)
      returning ${ROW_COLUMNS}
    ), logged as (
      insert into feedback_step (feedback_id, kind, operator_id, operator_name, content, to_state, token,
        at) select m.id, 'created', ${tx.actor.userId}::text, ${tx.actor.userName}::text, null, m.progress,
        m.token, ${now}::timestamptz from made m returning id
    )
    select ${TICKET_JSON} as row, ${ROOMS} as rooms, l.id::text as step_id from made t ${rowJoins(tx.actor)}
      cross join logged l`.execute(tx.db)
  const {
    row,
    rooms,
    step_id: stepId,
  } = rows[0] as { row: TicketRow; rooms: string[]; step_id: string }
  await attachFiles(tx, { feedbackId: row.feedbackId, customerId, stepId }, files)
  tx.emit(TICKET_CREATED, {
    subject: `ticket:${row.feedbackId}`,
    version: row.version,
    rooms,
    data: { feedbackId: row.feedbackId, type, queue, dueTime: row.dueTime },
  })
  tx.log({
    menu: MENU,
    action: 'add',
    targetKind: 'ticket',
    targetId: row.feedbackId,
    after: {
      type,
      queue,
      orderId,
      userId: customerId,
      ...(files.length === 0 ? {} : { files: filesInLog(files) }),
    },
  })
  if (isGrievance(type)) await holdForGrievance(tx, { customerId, ticketId: row.feedbackId })
  return row
}

/**
 * Overdue: the ticket's order, or any loan of the customer when the ticket names no order. The
 * holder is taken from the open case of that order, else from any open case.
 */
async function factsOf(tx: CommandTx, customerId: string, orderId: string | null): Promise<Facts> {
  const { rows } = await sql<Facts & { order_is_his: boolean }>`
    select (${orderId}::text is null
      or exists (select 1 from loan_order o where o.id = ${orderId}
      and o.customer_id = ${customerId})) as order_is_his,
      exists (select 1 from loan_order o where o.customer_id = ${customerId}
        and (${orderId}::text is null or o.id = ${orderId}) and o.status in (50, 90)) as is_overdue,
      x.department_id as department, x.collector_id as about_id, k.user_name as about_name
    from (values (1)) as one
    left join lateral (
      select c.department_id, c.collector_id from collection_case c where c.customer_id = ${customerId}
        and c.state <> 'closed' order by (c.order_id is not distinct
        from ${orderId}::text) desc, c.created_at, c.id limit 1
    ) x on true
    left join sys_user k on k.id = x.collector_id`.execute(tx.db)
  const { order_is_his: isHis, ...facts } = rows[0] as Facts & { order_is_his: boolean }
  if (!isHis) throw new Problem(NOT_FOUND)
  return facts
}
