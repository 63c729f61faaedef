/**
 * The ticket lists: rows, total, counts and takers in one statement; the database builds the JSON.
 */
import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { HANDOVER_STATES } from '#shared/handovers/handover-lifecycle.ts'
import { FOLLOW_STATES } from '#shared/tickets/follow-lifecycle.ts'
import { DUE_SOON_SHARE, WARN_MINUTES } from '#shared/tickets/ticket-clock.ts'
import { PROGRESS_STATES } from '#shared/tickets/ticket-lifecycle.ts'
import {
  mayTicket,
  TICKET_QUEUES,
  ticketSorts,
  type TicketTab,
} from '#shared/tickets/ticket-sets.ts'
import type { listTickets as listCall } from '#shared/tickets/tickets-api.ts'
import { ON_DUTY } from '#gateway/manage/kernel/claims/claim-table.ts'
import { anyOf } from '#gateway/manage/db/prepared.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { casesInScope } from '#gateway/manage/features/collection/case-scope.ts'
import { ticketsInScope } from '../ticket-scope.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  countedTo,
  filterClauses,
  isOneOf,
  isoTime,
  notNull,
  sortOf,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { serves } from '../desk/capacity.ts'
import { CLOCK_BEGAN, rowJoins, TICKET_JSON } from '../ticket-row.ts'

type Input = InputOf<typeof listCall>

/**
 * Each default order has an index: due soonest first, so missed tickets come first; resolved
 * tickets come after the open ones, newest first.
 */
const DEFAULT_ORDER = {
  queue: 't.due_at, t.id',
  mine: 't.due_at, t.id',
  handover: 't.due_at, t.id',
  finished: 't.finished_at desc, t.id desc',
  all: 't.finished_at desc nulls first, t.due_at, t.id',
} as const satisfies Record<TicketTab, string>

const SORTABLE: Sorts = {
  feedbackId: notNull('t.id'),
  type: 't.type',
  processorName: 't.processor_name',
  progress: 't.progress',
  followState: 't.follow_state',
  level: 't.level',
  createTime: notNull('t.created_at'),
  dueTime: notNull('t.due_at'),
  finishTime: 't.finished_at',
  evaluation: 't.evaluation',
}

/** @throws Problem G-FIELD for an unknown filter or sort */
export async function ticketList(
  db: Db,
  actor: StaffActor,
  secrets: Secrets,
  input: Input,
): Promise<JsonText> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const skip = ((input.pageNum ?? 1) - 1) * size
  const tab = input.tab ?? 'all'
  const ofQueue = input.queue === undefined ? sql`true` : sql`t.queue = ${input.queue}`
  const base = sql<boolean>`${ticketsInScope(actor)} and ${ofQueue}`
  const where = sql<boolean>`${sql.join([base, tabOf(tab, actor), ...filtersOf(input, actor, secrets)], sql` and `)}`
  const order = orderOf(input.sort, tab)
  const { rows } = await sql<{ answer: string }>`
    with page as (
      select t.id, row_number() over (order by ${order}) as place from feedback t where ${where}
        order by ${order} limit ${size} offset ${skip}
    ), counted as (
      select count(*)::int as n from (select from feedback t where ${where} limit ${cap + 1}) c
    ), open as (
      select count(*)::int as queue, count(*) filter (where t.progress = 'unprocessed')::int as waiting,
        count(*) filter (where ${tabOf('mine', actor)})::int as mine,
        count(*) filter (where ${tabOf('handover', actor)})::int as handover,
        count(*) filter (where t.due_at <= clock_timestamp())::int as missed,
          count(*) filter (where ${DUE_SOON})::int as due_soon
      from feedback t where ${base} and t.progress <> 'finished'
    )
    select json_build_object(
      'rows', coalesce((select json_agg(${TICKET_JSON} order by p.place) from page p
        join feedback t on t.id = p.id ${rowJoins(actor)}), '[]'),
      'total', least(c.n, ${cap}::int), 'totalCapped', c.n > ${cap}, 'asOf', ${isoTime('clock_timestamp()')},
      'counts', json_build_object('queue', o.queue, 'waiting', o.waiting, 'mine', o.mine, 'handover',
        o.handover, 'missed', o.missed, 'dueSoon', o.due_soon),
      'stats', json_build_object('takers', ${takersIn(input.queue)}, 'maxClaimed',
        ${intParameter('ticket.maxClaimed')}, 'distributionOn', ${takesHimself(actor, input.queue)})
    )::text as answer
    from counted c, open o`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}

/** The rows of a tab, within the caller's scope. */
function tabOf(tab: TicketTab, actor: StaffActor): RawBuilder<boolean> {
  switch (tab) {
    case 'queue':
      return sql<boolean>`t.progress <> 'finished'`
    case 'mine':
      return isWorkedOnBy(actor.userId)
    case 'handover':
      return handoversOf(actor)
    case 'finished':
      return sql<boolean>`t.progress = 'finished'`
    case 'all':
      return sql<boolean>`true`
  }
}

/** The warning time of a ticket has begun. */
const IS_WARNED = sql<boolean>`
  t.due_at - greatest((t.due_at - ${sql.raw(CLOCK_BEGAN)}) / ${sql.lit(DUE_SOON_SHARE)},
    make_interval(mins => ${sql.lit(WARN_MINUTES)})) <= (select clock_timestamp())`

/** An open ticket that is due soon; a sub-select, so that an index can be asked. */
export const DUE_SOON = sql<boolean>`
  (t.progress <> 'finished' and t.due_at > (select clock_timestamp()) and ${IS_WARNED})`

/** The person answers it, and it has no reply yet, is due soon or is overdue. */
export function isToAnswerBy(userId: string): RawBuilder<boolean> {
  return sql<boolean>`(${isWorkedOnBy(userId)} and (t.first_reply_at is null or ${IS_WARNED}))`
}

/** Predicate over `feedback t`. */
export function isWorkedOnBy(userId: string): RawBuilder<boolean> {
  return sql<boolean>`(t.processor_id = ${userId} and t.progress = 'followingUp')`
}

/** A leader sees every pending hand-over of their queues, others only those they take part in. */
function handoversOf({ userId, rights }: StaffActor): RawBuilder<boolean> {
  const led = TICKET_QUEUES.filter((queue) => mayTicket(rights.permissions, queue, 'decide'))
  const ofDepartment =
    rights.departmentId === null ? sql`` : sql`or p.to_department = ${rights.departmentId}`
  return sql<boolean>`(t.handover_state = 'pending' and (t.queue = any(${led}::text[]) or t.id = any(array(
    select p.feedback_id from feedback_handover p where p.state = 'pending'
      and (p.to_user_id = ${userId} or p.from_user_id = ${userId}
      or p.requested_by = ${userId} ${ofDepartment})))))`
}

function takersIn(queue: Input['queue']): RawBuilder<number> {
  return sql<number>`
    (select count(distinct u.id)::int from feedback_distributor f join sys_user u on u.id = f.user_id
      join sys_role g on g.id = u.role_id
    where f."on" and ${
      queue === undefined
        ? sql`
      true`
        : sql`f.queue = ${queue}`
    } and ${ON_DUTY} and ${serves(sql`f.queue`)})`
}

/** Null when the caller serves no such queue. */
function takesHimself({ userId }: StaffActor, queue: Input['queue']): RawBuilder<boolean | null> {
  const queues = queue === undefined ? [...TICKET_QUEUES] : [queue]
  return sql<boolean | null>`(select case when ${sql.join(
    queues.map((one) => serves(one)),
    sql` or `,
  )} then exists (
      select 1 from feedback_distributor f where f.user_id = u.id and f."on"
        and f.queue = any(${queues}::text[])) end
    from sys_user u join sys_role g on g.id = u.role_id where u.id = ${userId})`
}

function filtersOf(input: Input, actor: StaffActor, secrets: Secrets): RawBuilder<boolean>[] {
  const { all: filters, add } = filterClauses()
  add(input.feedbackId, (id) => sql`t.id = ${id}`)
  add(input.type, (types) => isOneOf('t.type', types, 'int'))
  add(
    input.progress,
    (states) => sql`t.progress = any(${known('progress', states, PROGRESS_STATES)}::text[])`,
  )
  add(
    input.followState,
    (states) => sql`t.follow_state = ${anyOf(known('followState', states, FOLLOW_STATES))}`,
  )
  add(
    input.handoverState,
    (states) => sql`t.handover_state = ${anyOf(known('handoverState', states, HANDOVER_STATES))}`,
  )
  add(input.level, (levels) => isOneOf('t.level', levels, 'int'))
  add(input.processorId, (id) => sql`t.processor_id = ${id}`)
  add(input.department, (id) => sql`t.department = ${id}`)
  add(input.userId, (id) => sql`t.customer_id = ${id}`)
  // one lookup per app, because the index starts with the app
  add(
    input.phone,
    (phone) =>
      sql`
        t.customer_id in (select u.id from app a join customer u on u.app_id = a.id
          where u.phone_h = ${secrets.blindIndex('phone', phone)})`,
  )
  add(input.orderId, (id) => sql`t.order_id = ${id}`)
  add(input.createTimeFrom, (time) => sql`t.created_at >= ${time}::timestamptz`)
  add(input.createTimeTo, (time) => sql`t.created_at <= ${time}::timestamptz`)
  add(input.overdue, (overdue) =>
    overdue
      ? sql`(t.progress <> 'finished' and t.due_at <= clock_timestamp())`
      : sql`(t.progress = 'finished' or t.due_at > clock_timestamp())`,
  )
  add(input.dueSoon, (soon) => (soon ? DUE_SOON : sql`not ${DUE_SOON}`))
  const ofCase = [
    ...(input.stageId === undefined ? [] : [isOneOf('c.stage_id', input.stageId, 'text')]),
    ...(input.agencyId === undefined ? [] : [sql`c.agency_id = ${input.agencyId}`]),
    ...(input.collectorId === undefined ? [] : [sql`c.collector_id = ${input.collectorId}`]),
  ]
  if (ofCase.length > 0)
    filters.push(
      // the customers first: as a join the planner may read every ticket of the queue
      sql<boolean>`(t.queue = 'loaned' and t.customer_id = any(array(
        select c.customer_id
        from collection_case c
        where c.state <> 'closed' and ${casesInScope(actor)} and ${sql.join(ofCase, sql` and `)})))`,
    )
  return filters
}

/** @throws Problem G-FIELD for a value outside the set */
function known(field: string, given: string, set: readonly string[]): string[] {
  const words = given.split(',')
  if (words.some((word) => !set.includes(word)))
    throw new Problem(INVALID_FIELDS, {}, { fields: { [field]: 'enum' } })
  return words
}

/** @throws Problem G-FIELD for a field the tab cannot be sorted by */
function orderOf(sort: string | undefined, tab: TicketTab): RawBuilder<unknown> {
  if (sort === undefined) return sql.raw(DEFAULT_ORDER[tab])
  const keys = ticketSorts(tab)
  const sorts = Object.fromEntries(
    Object.entries(SORTABLE).filter(([field]) => keys.includes(field)),
  )
  return sortOf(sort, sorts, '', 't.id')
}
