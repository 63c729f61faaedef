/**
 * TicketRow as JSON built by PostgreSQL, over `feedback t` and its joins. Personal values are
 * masked here; times are ISO 8601 UTC with milliseconds.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { TicketRow as TicketRowSchema } from '#shared/tickets/tickets-api.ts'
import type { Actor, StaffActor } from '#gateway/manage/kernel/actor.ts'
import { casesInScope } from '#gateway/manage/features/collection/case-scope.ts'
import { filesJson } from '#gateway/manage/kernel/kept-files.ts'
import { isoText } from '#gateway/manage/kernel/list-parts.ts'

export type TicketRow = Static<typeof TicketRowSchema>

/** When the clock of `feedback t` began that runs now: the first reply, then the answer. */
export const CLOCK_BEGAN = 'coalesce(t.reopened_at, t.first_reply_at, t.created_at)'

/** JSON name → SQL. */
const FIELDS = {
  feedbackId: 't.id',
  userId: 't.customer_id',
  userName: 'u.name',
  phone: "'XXXXXX' || u.phone_last4",
  orderId: 't.order_id',
  type: 't.type',
  content: 't.content',
  files: filesJson(
    'feedback_step s join feedback_file x on x.step_id = s.id',
    "s.feedback_id = t.id and s.kind = 'created'",
  ),
  contactWay: 't.contact_way',
  queue: 't.queue',
  department: 't.department',
  departmentName: 'd.name',
  processorId: 't.processor_id',
  processorName: 't.processor_name',
  aboutId: 't.about_id',
  aboutName: 't.about_name',
  progress: 't.progress',
  followState: 't.follow_state',
  handoverState: 't.handover_state',
  handoverId: 'h.id',
  handoverById: 'h.requested_by',
  handoverFrom: 'h.from_name',
  handoverTo: 'coalesce(h.to_name, hd.name)',
  handoverToId: 'h.to_user_id',
  handoverToDepartment: 'h.to_department',
  handoverReason: 'h.reason',
  handoverUntil: isoText('h.expires_at'),
  level: 't.level',
  createTime: isoText('t.created_at'),
  firstReplyTime: isoText('t.first_reply_at'),
  dueTime: isoText('t.due_at'),
  dueFromTime: isoText(CLOCK_BEGAN),
  finishTime: isoText('t.finished_at'),
  evaluation: 't.evaluation',
  leaseUntil: isoText('least(t.idle_until, t.live_until)'),
  token: 't.token',
  version: 't.version',
  caseId: 'x.id',
  stageId: 'x.stage_id',
  collectorId: 'x.collector_id',
  collectorName: 'k.user_name',
  held: "coalesce(x.state = 'held', false)",
} as const satisfies Record<keyof TicketRow, string>

export const TICKET_JSON = sql.raw<TicketRow>(
  `json_build_object(${Object.entries(FIELDS)
    .map(([name, column]) => `'${name}', ${column}`)
    .join(', ')})`,
)

/** Columns of `feedback t` that TICKET_JSON and its joins read, for `returning`. */
export const ROW_COLUMNS = sql.raw(
  [
    ...new Set(
      Object.values(FIELDS).flatMap((column) => [...column.matchAll(/\bt\.\w+/g)].map((m) => m[0])),
    ),
  ].join(', '),
)

/**
 * The joins TICKET_JSON reads from. The ticket row carries the state of its newest hand-over, so
 * only a pending one is joined. The customer's open case is shown in the post-loan queue only, that
 * of the ticket's order first, and only to people who may see the case: a processor from another
 * unit gets no events of the case, so the value would become stale.
 */
export function rowJoins(actor: Actor): RawBuilder<unknown> {
  // rights and a user id are enough for a staff actor here; the session is not read
  const seen = actor.rights === null ? sql<boolean>`true` : casesInScope(actor as StaffActor)
  return sql`
    join customer u on u.id = t.customer_id
    left join department d on d.id = t.department
    left join feedback_handover h on h.feedback_id = t.id and h.state = 'pending'
      and t.handover_state = 'pending'
    left join department hd on hd.id = h.to_department
    left join lateral (
      select c.id, c.stage_id, c.collector_id, c.state from collection_case c where t.queue = 'loaned'
        and c.customer_id = t.customer_id and c.state <> 'closed' and ${seen}
      order by (c.order_id is not distinct from t.order_id) desc, c.created_at, c.id limit 1
    ) x on true
    left join sys_user k on k.id = x.collector_id`
}

/**
 * Whether `m` has the screen of the post-loan queue. Collectors without it get no events of their
 * customers' tickets.
 */
export const SEES_LOANED = `
  exists (select 1 from sys_role_menu rm where rm.role_id = m.role_id
    and rm.menu_id in ('M_loaned_ticket', 'M_user_feedback'))`

/**
 * Rooms of a ticket: the ticket itself, its queue (for people who see every ticket), its processor,
 * the receiver of a pending hand-over; in the post-loan queue also the units and holders of the
 * customer's open cases and its department. A scope room of the person the ticket is about is left
 * out. Needs `rowJoins`.
 */
export const ROOMS = sql.raw<string[]>(`array(
  select distinct r.room from (
    select unnest(array['ticket:' || t.id, 'queue:ticket:' || t.queue, 'user:' || t.processor_id,
      'user:' || h.to_user_id, 'user:' || h.requested_by]) as room
    union all select 'user:' || m.id from sys_user m where m.department_id = h.to_department
      and ${SEES_LOANED}
    union all select 'scope:dept:' || t.department where t.queue = 'loaned'
    union all select 'scope:agency:' || d.agency_id where t.queue = 'loaned'
    union all select unnest(array['scope:agency:' || c.agency_id, 'scope:dept:' || c.department_id,
      'scope:group:' || c.group_id, 'user:' || m.id])
      from collection_case c left join sys_user m on m.id = c.collector_id and ${SEES_LOANED}
        where t.queue = 'loaned' and c.customer_id = t.customer_id and c.state <> 'closed'
  ) r
  where r.room is not null and r.room not in (
    select unnest(array_remove(array['user:' || a.id, case g.data_scope
      when 'agency' then 'scope:agency:' || a.agency_id
      when 'department' then 'scope:dept:' || a.department_id
      when 'group' then 'scope:group:' || a.group_id end], null))
    from sys_user a join sys_role g on g.id = a.role_id where a.id = t.about_id and t.about_id is not null)
)`)
