/** One ticket with its customer and order cards and its steps. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { MAX_LEVEL, mayTicket } from '#shared/tickets/ticket-sets.ts'
import { type TicketEventType, ticketLifecycle } from '#shared/tickets/ticket-lifecycle.ts'
import type {
  ticketDetail as detailCall,
  ticketSteps as stepsCall,
} from '#shared/tickets/tickets-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { ticketsInScope } from '../ticket-scope.ts'
import { filesJson } from '#gateway/manage/kernel/kept-files.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { rowJoins, TICKET_JSON } from '../ticket-row.ts'

type Detail = DataOf<typeof detailCall>
type Stored = Omit<Detail, 'allowed' | 'mayDecide' | 'mayWithdraw'> & { lease_over: boolean }

/** People of an outside agency do not see the address, because they do not need it to answer. */
const customerOf = ({ rights }: StaffActor): RawBuilder<unknown> => sql`json_build_object(
  'userId', u.id, 'name', u.name, 'phone', 'XXXXXX' || u.phone_last4, 'email',
    ${rights.scope === 'agency' ? sql`null` : sql`u.email_masked`}, 'language', u.language, 'city', u.city,
    'customerClass', u.customer_class,
  'orderCount', (select count(*)::int from loan_order n
    where n.customer_id = u.id), 'ticketCount', (select count(*)::int from feedback n
    where n.customer_id = u.id))`

const ORDER = sql`
  (select json_build_object('orderId', o.id, 'status', o.status, 'amount', o.amount, 'outstanding',
    o.outstanding, 'dueTime', o.due_at::text, 'overdueDays', o.overdue_days, 'productName', p.name)
  from loan_order o join product p on p.id = o.product_id where o.id = t.order_id)`

/** @throws Problem G404 when it is missing or outside the caller's scope */
export async function ticketDetail(db: Db, actor: StaffActor, feedbackId: string): Promise<Detail> {
  const { rows } = await sql<Stored>`
    select ${TICKET_JSON} as ticket, ${customerOf(actor)} as customer, ${ORDER} as "order",
      ${othersOf(actor, feedbackId)} as others, ${intParameter('ticket.idleMinutes')} * 60 as "idleSeconds",
      e.operator_name as "finishedBy", e.content as resolution, coalesce(least(t.idle_until,
        t.live_until) <= clock_timestamp(), false) as lease_over
    from feedback t ${rowJoins(actor)}
    left join lateral (select s.operator_name, s.content from feedback_step s where s.feedback_id = t.id
      and s.kind = 'resolved' and t.progress = 'finished' order by s.id desc limit 1) e on true
    where t.id = ${feedbackId} and ${ticketsInScope(actor)}`.execute(db)
  const stored = rows[0]
  if (!stored) throw new Problem(NOT_FOUND)
  const { lease_over: leaseOver, ...detail } = stored
  return { ...detail, ...rightsOn(actor, detail.ticket, leaseOver) }
}

/** Other tickets of the customer that the caller may see. */
function othersOf(actor: StaffActor, feedbackId: string): RawBuilder<unknown> {
  return sql`coalesce((
    select json_agg(json_build_object('feedbackId', y.id, 'type', y.type, 'progress', y.progress,
      'createTime', y.created_at) order by y.id desc)
    from (select t.id, t.type, t.progress, ${isoTime('t.created_at')} as created_at from feedback t
      where t.customer_id = u.id and t.id <> ${feedbackId} and ${ticketsInScope(actor)} order by t.id desc
      limit 20) y
  ), '[]')`
}

function rightsOn(
  { userId, rights }: StaffActor,
  ticket: Detail['ticket'],
  leaseOver: boolean,
): Pick<Detail, 'allowed' | 'mayDecide' | 'mayWithdraw'> {
  const may = (action: Parameters<typeof mayTicket>[2]) =>
    mayTicket(rights.permissions, ticket.queue, action)
  const isOwner = ticket.processorId === userId && !leaseOver
  const isPending = ticket.handoverState === 'pending'
  const isAtDesk = isOwner && !isPending
  const leads = may('decide')
  const holds: Record<TicketEventType, boolean> = {
    CLAIM: may('reply'),
    ASSIGN: may('distribute'),
    REPLY: may('reply') && isAtDesk,
    TRANSFER_APPROVED: may('transfer') && !isPending && (isOwner || leads),
    ESCALATE:
      may('superior') &&
      ticket.progress === 'followingUp' &&
      ticket.level < MAX_LEVEL &&
      (isAtDesk || leads),
    RETURN: (may('reply') && isAtDesk) || may('distribute'),
    RESOLVE: may('resolve') && (isAtDesk || leads),
    REOPEN: may('reopen'),
  }
  const isReceiver =
    ticket.handoverToId === userId ||
    (ticket.handoverToDepartment !== null &&
      ticket.handoverToDepartment === rights.departmentId &&
      may('reply'))
  return {
    allowed: ticketLifecycle.allowed(ticket.progress).filter((event) => holds[event]),
    mayDecide: isPending && ticket.handoverById !== userId && (isReceiver || leads),
    mayWithdraw: isPending && ticket.handoverById === userId,
  }
}

const STEP_FILES = sql.raw(filesJson('feedback_file x', 'x.step_id = s.id'))

/** @throws Problem G404 when it is missing or outside the caller's scope */
export async function ticketSteps(
  db: Db,
  actor: StaffActor,
  feedbackId: string,
): Promise<DataOf<typeof stepsCall>> {
  const { rows } = await sql<{ steps: DataOf<typeof stepsCall>['steps'] }>`
    select coalesce((
      select json_agg(json_build_object('stepId', s.id::text, 'time', ${isoTime('s.at')}, 'kind', s.kind,
        'operatorId', s.operator_id, 'operatorName', s.operator_name, 'content', s.content, 'remark',
        s.remark, 'files', ${STEP_FILES}, 'internal', s.internal,
        'fromState', s.from_state, 'toState', s.to_state) order by s.id) from feedback_step s
          where s.feedback_id = t.id), '[]') as steps
    from feedback t where t.id = ${feedbackId} and ${ticketsInScope(actor)}`.execute(db)
  const found = rows[0]
  if (!found) throw new Problem(NOT_FOUND)
  return found
}
