/** What the promotion gate asks of a customer and of the caller, in one statement. */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import type { PromotionFacts, PromotionRefusal } from '#shared/telemarketing/promotion-gate.ts'
import { busyLine } from '#gateway/manage/features/collection/public.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { intParameter, parameterValue } from '#gateway/manage/kernel/parameters.ts'

export interface PromotionNow {
  now: string
  facts: PromotionFacts
  lineId: string | null
  seatNumber: string | null
}

const TODAY = sql`ist_day(clock_timestamp())`
/** The first instant of an IST day. */
const startOf = (day: ReturnType<typeof sql>) =>
  sql`((${day})::timestamp at time zone 'Asia/Kolkata')`

export async function promotionFacts(
  db: Db,
  customerId: string,
  userId: string,
): Promise<PromotionNow> {
  const { rows } = await sql<PromotionNow>`
    select clock_timestamp() as now, p.id as "lineId", p.seat_number as "seatNumber",
      json_build_object(
        'callFrom', ${parameterValue('marketing.callFrom')},
        'callTo', ${parameterValue('marketing.callTo')},
        'noContact', c.no_contact, 'dnd', c.dnd, 'blacklisted', c.blacklisted,
        'stopped', exists (select 1 from stop_collection x
          where x.customer_id = c.id and x.state = 'active'),
        'callsToday', n.today, 'callsWeek', n.week,
        'perDay', ${intParameter('marketing.maxCallsPerDay')},
        'perWeek', ${intParameter('marketing.maxCallsPerWeek')},
        'lineUsed', case when p.id is not null then (select count(*)::int from call_log u
          where u.user_id = ${userId} and u.way = 'phone' and u.started_at >= ${startOf(TODAY)}) end,
        'lineCap', p.daily_cap) as facts
    from customer c
    cross join lateral (
      select count(*) filter (where l.started_at >= ${startOf(TODAY)})::int as today,
        count(*)::int as week
      from call_log l
      where l.customer_id = c.id and l.kind = 'tele' and l.started_at >= ${startOf(sql`${TODAY} - 6`)}
    ) n
    left join lateral (select q.id, q.seat_number, q.daily_cap from phone_line q
      where q.bound_user_id = ${userId} and q.kind = 'promotional' and q.status = 'enabled'
        and q.seat_number is not null
      order by q.number limit 1) p on true
    where c.id = ${customerId}`.execute(db)
  // the customer of a task exists
  const found = rows[0] as PromotionNow
  const busy = await busyLine(db, userId, { kind: 'promotional', customerId })
  return { ...found, facts: { ...found.facts, busyLine: busy } }
}

/** The gate's refusal as the problem of a call. */
export function refusalOf({ problem, params, openTime }: PromotionRefusal): Problem {
  return new Problem(problem, params, openTime === null ? null : { openTime })
}
