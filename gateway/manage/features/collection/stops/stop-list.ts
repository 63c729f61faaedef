import { type RawBuilder, sql } from 'kysely'
import type { listStops as call } from '#shared/collection/stops-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { JsonText } from '#gateway/manage/kernel/answer.ts'
import {
  countedTo,
  filterClauses,
  isoTime,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { customersNamed } from '#gateway/manage/features/customers/public.ts'
import { stopRowJson } from './stop-row.ts'
import { stopsInScope } from './stop-store.ts'

type Input = InputOf<typeof call>

const SORTABLE: Sorts = {
  stopId: notNull('s.id'),
  startTime: notNull('s.start_at'),
}

export async function stopList(db: Db, actor: StaffActor, input: Input): Promise<JsonText> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const skip = ((input.pageNum ?? 1) - 1) * size
  const where = sql.join([stopsInScope(actor), ...filtersOf(input)], sql` and `)
  const order =
    input.sort === undefined
      ? sql.raw('s.start_at desc, s.id desc')
      : sortOf(input.sort, SORTABLE, '', 's.id')
  const { rows } = await sql<{ answer: string }>`
    with total as (
      select count(*)::int as n from (select from stop_collection s where ${where} limit ${cap + 1}) t
    ), page as (
      select s.id from stop_collection s where ${where} order by ${order} limit ${size} offset ${skip}
    )
    select json_build_object(
      'rows', coalesce((select json_agg(${stopRowJson} order by ${order}) from page x
        join stop_collection s on s.id = x.id join customer u on u.id = s.customer_id), '[]'),
      'total', least(t.n, ${cap}::int), 'totalCapped', t.n > ${cap}, 'asOf',
        ${isoTime('clock_timestamp()')})::text as answer
    from total t`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}

function filtersOf(input: Input): RawBuilder<boolean>[] {
  const { all: filters, add } = filterClauses()
  add(input.userId, (id) => sql`s.customer_id = ${id}`)
  add(
    input.orderId,
    (id) => sql`s.customer_id in (select o.customer_id from loan_order o where o.id = ${id})`,
  )
  add(input.userName, (name) => sql`s.customer_id = ${customersNamed(name)}`)
  add(input.reason, (reason) => sql`s.reason = ${reason}`)
  add(input.state, (state) => sql`s.state = ${state}`)
  add(input.startFrom, (time) => sql`s.start_at >= ${time}::timestamptz`)
  add(input.startTo, (time) => sql`s.start_at <= ${time}::timestamptz`)
  return filters
}
