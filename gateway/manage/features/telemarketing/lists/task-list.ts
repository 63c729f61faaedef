/** The lists of the segments: rows, total and counts. */
import { type RawBuilder, sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import type { listTasks as listCall } from '#shared/telemarketing/tele-api.ts'
import type { Lane } from '#shared/telemarketing/tele-sets.ts'
import { IST_MIDNIGHT } from '#gateway/manage/features/collection/public.ts'
import { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  countedTo,
  filterClauses,
  isOneOf,
  isoTime,
  notNull,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { intParameter } from '#gateway/manage/kernel/parameters.ts'
import { sinceDay, untilDay } from '#gateway/manage/kernel/ist-days.ts'
import { MAY_BE_CALLED } from '../desk/claim-task.ts'
import { LOSS_DAYS, ROW_JOINS, TELE_JSON } from '../tele-row.ts'
import { segmentsOf, tasksInScope } from '../tele-scope.ts'

type Input = InputOf<typeof listCall>

const SORTS = {
  taskId: notNull('t.id'),
  state: notNull('t.state'),
  lossDays: notNull('t.loss_at'),
  lossTime: notNull('t.loss_at'),
  assigneeName: 't.assignee_name',
  followCount: notNull('t.follow_count'),
  lastResult: 't.last_result',
  lastFollowTime: 't.last_follow_at',
  nextFollowTime: 't.next_follow_at',
  convertTime: 't.closed_at',
}
const END_OF_TODAY = sql`((ist_day(clock_timestamp()) + 1)::timestamp at time zone 'Asia/Kolkata')`

/** @throws Problem G422 for an unknown sort */
export async function taskList(
  { db, actor, context: { secrets } }: Query,
  input: Input,
): Promise<JsonText> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const base = sql`${tasksInScope(actor)} and t.segment = ${input.segment}`
  const where = sql.join([base, ...filtersOf(input, secrets)], sql` and `)
  const order = sortOf(input.sort, SORTS, 'lossTime:desc', 't.id')
  const mayFollow = segmentsOf(actor).includes(input.segment)
  const { rows } = await sql<{ answer: string }>`
    with page as materialized (
      select t.id, row_number() over (order by ${order}) as place from tele_task t where ${where}
        order by ${order} limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    ), counted as (
      select count(*)::int as n from (select from tele_task t where ${where} limit ${cap + 1}) c
    ), own as (
      select count(*) filter (where t.assignee_id = ${actor.userId})::int as mine,
        count(*) filter (where t.assignee_id = ${actor.userId} and ${laneOf('due')})::int as due
      from tele_task t where t.segment = ${input.segment} and t.closed_at is null
        and t.assignee_id = ${actor.userId}
    ), pool as (
      -- the number of waiting tasks is shown to those who may claim them
      select count(*)::int as waiting from (select from tele_task t
        where t.segment = ${input.segment} and t.state = 'waiting' and ${MAY_BE_CALLED}
          and ${mayFollow} limit ${cap}) w
    ), done as (
      select count(*)::int as today from tele_task t
      where ${base} and t.state = 'converted'
        and t.closed_at >= ${IST_MIDNIGHT}
    )
    select json_build_object(
      'rows', coalesce((select json_agg(${TELE_JSON} order by p.place) from page p
        join tele_task t on t.id = p.id ${ROW_JOINS}), '[]'),
      'total', least(n.n, ${cap}::int), 'totalCapped', n.n > ${cap},
      'asOf', ${isoTime('clock_timestamp()')},
      'counts', json_build_object('waiting', w.waiting, 'mine', o.mine, 'due', o.due,
        'convertedToday', d.today, 'maxClaimed', ${intParameter('marketing.maxClaimed')})
    )::text as answer
    from counted n, own o, pool w, done d`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}

function filtersOf(input: Input, secrets: Secrets): RawBuilder<boolean>[] {
  const { all, add } = filterClauses()
  const lossDays = sql.raw(LOSS_DAYS)
  add(input.taskId, (id) => sql`t.id = ${id}`)
  add(input.userId, (id) => sql`t.customer_id = ${id}`)
  add(input.assigneeId, (id) => sql`t.assignee_id = ${id}`)
  add(input.unassigned, (yes) => sql`(t.assignee_id is null) = ${yes}`)
  add(input.nodeId, (id) => sql`t.node_id = ${id}`)
  add(
    input.taskType,
    (type) =>
      sql`exists (select 1 from marketing_node n where n.id = t.node_id and n.type = ${type})`,
  )
  // one task is read whatever its lane, unless one is asked for
  add(input.lane ?? (input.taskId === undefined ? 'open' : undefined), laneOf)
  add(input.lastResult, (codes) => isOneOf('t.last_result', codes, 'int'))
  add(input.lossDaysFrom, (days) => sql`${lossDays} >= ${days}`)
  add(input.lossDaysTo, (days) => sql`${lossDays} <= ${days}`)
  add(input.followCountFrom, (n) => sql`t.follow_count >= ${n}`)
  add(input.followCountTo, (n) => sql`t.follow_count <= ${n}`)
  add(input.nextFollowFrom, (day) => sinceDay('t.next_follow_at', day))
  add(input.nextFollowTo, (day) => untilDay('t.next_follow_at', day))
  add(input.converted, (yes) => sql`(t.state = 'converted') = ${yes}`)
  add(input.endedFrom, (day) => sinceDay('t.closed_at', day))
  add(input.endedTo, (day) => untilDay('t.closed_at', day))
  add(input.creditedTo, (id) => sql`t.credited_to = ${id}`)
  add(
    input.creditedGroup,
    (id) =>
      sql`exists (select 1 from sys_user u where u.id = t.credited_to and u.group_id = ${id})`,
  )
  // one index lookup per app: the index starts with the app
  add(
    input.phone,
    (phone) =>
      sql`t.customer_id in (select x.id from app y join customer x on x.app_id = y.id
        where x.phone_h = ${secrets.blindIndex('phone', phone)})`,
  )
  add(input.appId, (ids) => isOneOf('t.app_id', ids, 'text'))
  add(input.channelId, (ids) => isOneOf('t.channel_id', ids, 'text'))
  return all
}

function laneOf(lane: Lane): RawBuilder<boolean> {
  switch (lane) {
    case 'open':
      return sql<boolean>`t.closed_at is null`
    case 'fresh':
      return sql<boolean>`(t.closed_at is null and t.follow_count = 0)`
    case 'due':
      return sql<boolean>`(t.closed_at is null and t.next_follow_at < ${END_OF_TODAY})`
    case 'later':
      return sql<boolean>`(t.closed_at is null and t.next_follow_at >= ${END_OF_TODAY})`
    case 'closed':
      return sql<boolean>`t.closed_at is not null`
  }
}
