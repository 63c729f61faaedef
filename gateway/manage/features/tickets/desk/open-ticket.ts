/**
 * CREATE, whoever writes: staff for a customer, or the customer app. The queue follows from the type, the clocks from the
 * parameters. A complaint about collection is about who holds the customer's case now; it holds that case until it ends.
 */
import { sql } from 'kysely'
import type { ContactWay } from '#shared/collection/collection-sets.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { answerDue, replyDue } from '#shared/tickets/ticket-clock.ts'
import { ticketLifecycle } from '#shared/tickets/ticket-lifecycle.ts'
import { isGrievance, queueOf, type TicketType, TYPE_NAMES } from '#shared/tickets/ticket-sets.ts'
import { TICKET_CREATED } from '#shared/tickets/tickets-live.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
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

/** The caller has checked that the customer is his to see. @throws Problem G404 for an order that is not the customer's */
export async function openTicket(
  cx: Cx,
  { customerId, type, content, orderId, contactWay, files }: NewTicket,
): Promise<TicketRow> {
  const facts = await factsOf(cx, customerId, orderId)
  const now = await cx.now()
  const queue = queueOf(type, facts.is_overdue)
  const minutes = Number(await parameterIn(cx.db, `ticket.sla.${TYPE_NAMES[type]}`))
  const days = Number(await parameterIn(cx.db, 'ticket.resolveDays'))
  const about = isGrievance(type)
    ? { id: facts.about_id, name: facts.about_name }
    : { id: null, name: null }
  const { rows } = await sql<{ row: TicketRow; rooms: string[]; step_id: string }>`
    with made as (
      insert into feedback as t (customer_id, order_id, type, content, contact_way, queue, department, progress, about_id, about_name, reply_due_at, answer_due_at, created_by, created_at, updated_at)
      values (${customerId}, ${orderId}, ${type}, ${content}, ${contactWay}, ${queue}, ${queue === 'loaned' ? facts.department : null}, ${ticketLifecycle.initial}, ${about.id}, ${about.name}, ${replyDue(now, minutes)}::timestamptz,
        ${answerDue(now, days)}::timestamptz, ${cx.actor.userId}, ${now}::timestamptz, ${now}::timestamptz)
      returning ${ROW_COLUMNS}
    ), logged as (
      insert into feedback_step (feedback_id, kind, operator_id, operator_name, content, to_state, token, at) select m.id, 'created', ${cx.actor.userId}::text, ${cx.actor.userName}::text, null, m.progress, m.token, ${now}::timestamptz from made m returning id
    )
    select ${TICKET_JSON} as row, ${ROOMS} as rooms, l.id::text as step_id from made t ${rowJoins(cx.actor)} cross join logged l`.execute(
    cx.db,
  )
  const {
    row,
    rooms,
    step_id: stepId,
  } = rows[0] as { row: TicketRow; rooms: string[]; step_id: string }
  await attachFiles(cx, { feedbackId: row.feedbackId, customerId, stepId }, files)
  cx.emit(TICKET_CREATED, {
    subject: `ticket:${row.feedbackId}`,
    version: row.version,
    rooms,
    data: { feedbackId: row.feedbackId, type, queue, dueTime: row.dueTime },
  })
  cx.log({
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
  if (isGrievance(type)) await holdForGrievance(cx, { customerId, ticketId: row.feedbackId })
  return row
}

/** Overdue: the ticket's order, or without one any loan of the customer. The holder is that of his open case, the ticket's order first. */
async function factsOf(cx: Cx, customerId: string, orderId: string | null): Promise<Facts> {
  const { rows } = await sql<Facts & { order_is_his: boolean }>`
    select (${orderId}::text is null or exists (select 1 from loan_order o where o.id = ${orderId} and o.customer_id = ${customerId})) as order_is_his,
      exists (select 1 from loan_order o where o.customer_id = ${customerId} and (${orderId}::text is null or o.id = ${orderId}) and o.status in (50, 90)) as is_overdue,
      x.department_id as department, x.collector_id as about_id, k.user_name as about_name
    from (values (1)) as one
    left join lateral (
      select c.department_id, c.collector_id from collection_case c where c.customer_id = ${customerId} and c.state <> 'closed' order by (c.order_id is not distinct from ${orderId}::text) desc, c.created_at, c.id limit 1
    ) x on true
    left join sys_user k on k.id = x.collector_id`.execute(cx.db)
  const { order_is_his: isHis, ...facts } = rows[0] as Facts & { order_is_his: boolean }
  if (!isHis) throw new Problem(NOT_FOUND)
  return facts
}
