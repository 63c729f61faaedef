/** What happened in the days of a report and may bend its curves. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { addDays } from '#shared/kernel/time.ts'
import type { reportChanges as call } from '#shared/reports/changes-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { onDays } from '#gateway/manage/kernel/ist-days.ts'
import { checkDays, type Range } from './report-parts.ts'

const MOST = 200
/** Spend of a day that is so far from the average of the week before is a change: in percent. */
const SPEND_STEP = { up: 160, down: 40 } as const

type Answer = DataOf<typeof call>

/**
 * Changes of a rule or a table in force and of the share of a version, of the terms of a product and of
 * parameters, outages of vendors, and days on which the spend of a campaign begins, jumps or falls.
 * @throws Problem G-FIELD for a range that is reversed or too long
 */
export async function reportChanges(db: Db, input: InputOf<typeof call>): Promise<Answer> {
  checkDays(input)
  const { rows } = await sql<Answer['rows'][number]>`
    select ${isoTime('c.at')} as at, c.kind, c.what, c.by
    from (${logged(input)} union all ${spent(input)}) c
    order by c.at desc
    limit ${MOST + 1}`.execute(db)
  return { rows: rows.slice(0, MOST).toReversed(), isCut: rows.length > MOST }
}

/** Of a share with its size: 0 % is its end. */
const ruleWords = sql`l.target_id || ' · ' || (l.after ->> 'name') || case l.action
  when 'startTrial' then ' · ' || (l.after ->> 'percent') || ' %' when 'stopTrial' then ' · 0 %' else '' end`

function logged({ dateFrom, dateTo }: Range): RawBuilder<unknown> {
  return sql`
    select l.time as at,
      case when l.action in ('startTrial', 'stopTrial') then 'share' else
        case l.target_kind when 'config' then 'parameter' when 'configuration' then 'outage'
          when 'decisionTable' then 'table' else l.target_kind end end as kind,
      coalesce(
        case l.target_kind
          when 'rule' then ${ruleWords}
          when 'decisionTable' then l.target_id || ' · ' || (l.after ->> 'name')
          when 'product' then (select p.name from product p where p.id = l.target_id)
          when 'config' then l.after ->> 'code'
          else (select f.name from tp_cfg f where f.id = l.target_id)
        end, l.target_id) as what,
      coalesce(l.user_name, '') as by
    from operate_log l
    where ${onDays('l.time', { from: dateFrom, to: dateTo })}
      and l.target_kind in ('rule', 'decisionTable', 'product', 'config', 'configuration')
      and l.result = 'ok'
      and (
        l.action in ('enableRule', 'disableRule', 'enableTable', 'disableTable')
        -- a shadow decides nothing, and asking for a share does not either
        or (l.action = 'startTrial' and l.after ->> 'kind' = 'share')
        or (l.action = 'stopTrial' and l.before ->> 'kind' = 'share')
        or (l.target_kind = 'product' and l.action in ('edit', 'quota', 'penalty', 'extend', 'status'))
        or (l.target_kind = 'config' and l.after ->> 'code' is not null)
        or (l.target_kind = 'configuration' and l.action = 'breaker' and l.after ->> 'state' = 'open')
      )`
}

function spent({ dateFrom, dateTo }: Range): RawBuilder<unknown> {
  return sql`
    select (s.day::timestamp at time zone 'Asia/Kolkata') as at, 'spend' as kind,
      h.name || ' · ' || s.campaign as what, s.updated_by_name as by
    from (
      select d.day, d.channel_id, d.campaign, d.spend, d.updated_by_name,
        avg(d.spend) over w as week_before, count(*) over w as days_before
      from delivery_spend d
      where d.day >= ${addDays(dateFrom, -8)}::date and d.day <= ${dateTo}::date
      window w as (partition by d.channel_id, d.campaign order by d.day
        range between '7 days' preceding and '1 day' preceding)
    ) s
    join channel h on h.id = s.channel_id
    where s.day >= ${dateFrom}::date
      and (
        (s.days_before = 0 and not exists (
          select from delivery_spend e
          where e.channel_id = s.channel_id and e.campaign = s.campaign and e.day < s.day))
        or (s.days_before >= 3 and s.spend * 100 > s.week_before * ${SPEND_STEP.up})
        or (s.days_before >= 3 and s.spend * 100 < s.week_before * ${SPEND_STEP.down})
      )`
}
