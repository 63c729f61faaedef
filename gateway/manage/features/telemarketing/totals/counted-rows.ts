/** The rows that a figure of the totals counts. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { REPORT_DAYS } from '#shared/kernel/report.ts'
import { daysBetween } from '#shared/kernel/time.ts'
import type { totalRows as rowsCall } from '#shared/telemarketing/total-api.ts'
import { JsonText } from '#gateway/manage/kernel/answer.ts'
import { countedTo, isoTime, notNull, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { FACT_JOINS, factsOf, isCounted, narrowed } from './total-facts.ts'

const SORTS = {
  time: notNull('f.at'),
  personName: 'u.user_name',
  amount: 'f.amount',
}

/** @throws Problem G-FIELD for a range that is reversed or too long */
export async function countedRows(
  { db, actor }: Query,
  input: InputOf<typeof rowsCall>,
): Promise<JsonText> {
  const { measure, dateFrom, dateTo } = input
  const days = daysBetween(dateFrom, dateTo) + 1
  if (days < 1 || days > REPORT_DAYS)
    throw new Problem(INVALID_FIELDS, {}, { fields: { dateTo: 'maximum' } })
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const cap = countedTo(input)
  const order = sortOf(input.sort, SORTS, 'time:desc', 'f.id')
  const { rows } = await sql<{ answer: string }>`
    with f as (${factsOf(measure, dateFrom, dateTo)}), shown as materialized (
      select f.*, u.user_name, g.name as group_name, n.name as node_name,
        row_number() over (order by ${order}) as place
      from f ${FACT_JOINS} where ${isCounted(measure)} and ${narrowed(actor, input)}
    ), page as (
      select s.* from shown s
      order by s.place limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}
    ), counted as (
      select count(*)::int as n from shown
    )
    select json_build_object(
      'rows', coalesce((select json_agg(json_build_object('rowId', f.kind || ':' || f.id,
        'time', ${isoTime('f.at')}, 'personId', f.user_id, 'personName', f.user_name,
        'groupName', f.group_name, 'taskId', f.task_id, 'userId', t.customer_id, 'segment', f.segment,
        'nodeId', f.node_id, 'nodeName', f.node_name, 'result', f.result, 'orderId', f.order_id,
        'amount', f.amount, 'grantId', case when f.kind = 'coupon' then f.id end) order by f.place)
        from page f join tele_task t on t.id = f.task_id), '[]'),
      'total', least(k.n, ${cap}::int), 'totalCapped', k.n > ${cap},
      'asOf', ${isoTime('clock_timestamp()')})::text as answer
    from counted k`.execute(db)
  return new JsonText((rows[0] as { answer: string }).answer)
}
