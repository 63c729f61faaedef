import { type RawBuilder, sql } from 'kysely'
import type { listBlacklist } from '#shared/customers/customer-list-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import {
  allOf,
  countedTo,
  filterClauses,
  isoTime,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { JsonText } from '#gateway/manage/kernel/answer.ts'
import { customerInScope } from '../customer-scope.ts'
import { customersNamed } from '../customers-named.ts'

const SORTS: Sorts = {
  blackId: notNull('b.id'),
  time: notNull('b.created_at'),
}

/** An entry of `b`, with its customer in `c`. */
export const BLACKLIST_ROW = sql`
  json_build_object('blackId', b.id, 'userId', c.id, 'userName', c.name, 'time', ${isoTime('b.created_at')},
    'source', b.source, 'reason', b.reason,
  'operatorName', (select u.user_name from sys_user u
    where u.id = b.operator_id), 'endTime', ${isoTime('b.ended_at')}, 'endReason', b.end_reason, 'endName',
    (select u.user_name from sys_user u where u.id = b.ended_by))`

/**
 * A page in one statement; newest first unless sorted.
 * @throws Problem G-FIELD for an unsupported sort field
 */
export async function blacklistPage(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof listBlacklist>,
): Promise<JsonText> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  // who sees every customer and asks for no name needs no customer to find or count the entries
  const isJoined = actor.rights.scope !== 'all' || input.name !== undefined
  const from = sql`
    from blacklist b ${isJoined ? sql`join customer c on c.id = b.customer_id` : sql``}
      where ${customerInScope(actor)} and ${filters(input)}`
  const order =
    input.sort === undefined
      ? sql.raw('b.created_at desc, b.id desc')
      : sortOf(input.sort, SORTS, '', 'b.id')
  const { rows } = await sql<{ answer: string }>`
    with page as materialized (
      select b.id, row_number() over (order by ${order}) as place ${from} order by ${order}
        limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    ), counted as (
      select count(*)::int as n from (select 1 ${from} limit ${cap + 1}) x
    )
    select json_build_object(
      'rows', coalesce((select json_agg(${BLACKLIST_ROW} order by p.place) from page p
        join blacklist b on b.id = p.id join customer c on c.id = b.customer_id), '[]'),
      'total', least(n.n, ${cap}::int), 'totalCapped', n.n > ${cap}, 'asOf',
        ${isoTime('clock_timestamp()')})::text as answer
    from counted n`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}

function filters(input: InputOf<typeof listBlacklist>): RawBuilder<unknown> {
  const { all, add } = filterClauses()
  add(input.ended, (yes) => (yes ? sql`b.ended_at is not null` : sql`b.ended_at is null`))
  add(input.userId, (id) => sql`b.customer_id = ${id}`)
  add(input.name, (name) => sql`b.customer_id = ${customersNamed(name)}`)
  add(input.source, (source) => sql`b.source = ${source}`)
  add(input.timeFrom, (time) => sql`b.created_at >= ${time}::timestamptz`)
  add(input.timeTo, (time) => sql`b.created_at <= ${time}::timestamptz`)
  return allOf(all)
}
