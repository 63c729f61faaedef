/** What the contact gate needs to know of one case or loan, in one statement. */
import { type RawBuilder, sql } from 'kysely'
import type { ContactFacts, ContactRefusal } from '#shared/collection/contact-gate.ts'
import { Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { intParameter, parameterValue } from '#gateway/manage/kernel/parameters.ts'
import { attemptsToday, attemptsWeek, IST_TODAY, lastAttempt } from '../cases/case-row.ts'

export interface ContactLimits {
  now: string
  facts: ContactFacts
  /** The tighter of the stage's and the parameter's longest promise. */
  ptpMaxDays: number
  ptpMaxBroken: number
  /** Words that make a remark ask for confirmation. */
  harshWords: string[]
}

export async function contactFacts(db: Db, caseId: string): Promise<ContactLimits> {
  const [facts] = await contactFactsWhere(db, sql<boolean>`c.id = ${caseId}`)
  return facts as ContactLimits
}

/** @param which a predicate over `collection_case c` */
export function contactFactsWhere(
  db: Db,
  which: RawBuilder<boolean>,
): Promise<(ContactLimits & { caseId: string })[]> {
  return factsOf(db, sql`collection_case c join loan_order o on o.id = c.order_id`, which)
}

/** Of a loan with or without an open case: before its due day there is none. */
export async function contactFactsOfOrder(db: Db, orderId: string): Promise<ContactLimits> {
  const [facts] = await factsOf<ContactLimits>(
    db,
    sql`loan_order o left join collection_case c on c.order_id = o.id and c.state <> 'closed'`,
    sql<boolean>`o.id = ${orderId}`,
  )
  return facts as ContactLimits
}

/** A stop counts from the moment it is active, even before its cases are held. */
async function factsOf<Facts extends ContactLimits>(
  db: Db,
  from: RawBuilder<unknown>,
  which: RawBuilder<boolean>,
): Promise<Facts[]> {
  const { rows } = await sql<Facts>`
    select c.id as "caseId", clock_timestamp() as now, least(s.ptp_max_days,
      ${intParameter('collection.ptpMaxDays')}) as "ptpMaxDays",
      ${intParameter('collection.ptpMaxBroken')} as "ptpMaxBroken",
      (select coalesce(json_agg(distinct w.value), '[]') from sys_dict d
        join sys_dict_detail e on e.dict_id = d.id cross join lateral jsonb_each_text(e.labels) w
        where d.code = 'harsh_word' and e.state = 'enabled') as "harshWords",
      json_build_object(
        'callFrom', ${parameterValue('collection.callFrom')}, 'callTo',
          ${parameterValue('collection.callTo')}, 'microfinance', p.microfinance, 'noContact', u.no_contact,
        'holidays', (select coalesce(json_agg(json_build_object('day', h.day::text, 'name', h.name)
          order by h.day), '[]') from holiday h where h.day >= ${IST_TODAY} and h.day < ${IST_TODAY} + 60),
        'stopped', coalesce(c.state = 'held', false) or coalesce(t.n, 0) > 0,
        'stoppedUntil', case when c.state = 'held' and coalesce(t.n, 0) = 0 then c.hold_until::text
          else t.until end,
        'needsIntimation', coalesce(not a.in_house, false), 'intimatedAt', ${isoTime('c.intimated_at')},
        'attemptsToday', ${attemptsToday('o.customer_id')}, 'attemptsWeek', ${attemptsWeek('o.customer_id')},
        'perDay', ${intParameter('collection.maxContactsPerDay')}, 'perWeek',
          ${intParameter('collection.maxContactsPerWeek')}, 'gapMinutes',
          ${intParameter('collection.contactGapMinutes')},
        'lastAttemptTime', ${isoTime('last.at')}, 'referencesAllowed',
          ${parameterValue('contact.references')} = 'true') as facts
    from ${from}
    left join stage s on s.stage_id = c.stage_id
    join product p on p.id = o.product_id
    join customer u on u.id = o.customer_id
    left join agency a on a.id = c.agency_id
    left join lateral (
      -- open until the last of them ends; one without an end has no date
      select count(*)::int as n, case
        when bool_and(x.end_at is not null) then max(x.end_at)::text end as until from stop_collection x
        where x.customer_id = o.customer_id and x.state = 'active'
    ) t on true
    left join lateral ${lastAttempt('o.customer_id')} last on true
    where ${which}`.execute(db)
  return rows
}

/** The gate's refusal as the problem of a call. */
export function refusalOf({ problem, params, openTime }: ContactRefusal): Problem {
  return new Problem(problem, params, openTime === null ? null : { openTime })
}
