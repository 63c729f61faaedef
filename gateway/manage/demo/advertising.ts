/**
 * What the demo's advertising cost: entries of the last four months for the channels that cost money.
 * Social campaigns are the expensive channel, and cost more at weekends and around salary day.
 */
import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'

const DAYS = 120

/** @param today last IST day */
export async function seedAdvertising(trx: Trx, today: string): Promise<void> {
  await sql`
    insert into delivery_spend (day, channel_id, campaign, spend, impressions, clicks, updated_by_name,
      created_at, updated_at)
    select s.day, s.channel_id, s.campaign,
      -- whole rupees
      round(s.clicks * s.paise_per_click / 100) * 100,
      s.clicks * s.views_per_click, s.clicks, 'Manager 1', s.entered_at, s.entered_at
    from (
      select d.day::date as day, c.channel_id, c.campaign, c.paise_per_click, c.views_per_click,
        ((d.day::date + 1)::timestamp + interval '10 hours') at time zone 'Asia/Kolkata' as entered_at,
        round(c.clicks * (0.85 + (abs(hashtext(c.campaign || d.day::date::text)) % 30) / 100.0)
          * case when extract(isodow from d.day) >= 6 then c.weekend else 1 end
          * case when extract(day from d.day) <= 7 then 1.2 else 1 end) as clicks
      from generate_series(${today}::date - ${sql.lit(DAYS)}, ${today}::date - 1, '1 day') d (day)
      cross join (values
        ('CH002', 'Play Store brand', 28, 900, 14, 1.1),
        ('CH002', 'Play Store salary loan', 19, 1200, 18, 1.2),
        ('CH003', 'Social video festival', 36, 2100, 40, 1.5),
        ('CH003', 'Social lookalike', 22, 1700, 46, 1.3),
        ('CH004', 'Partner shelf', 9, 1500, 4, 0.8)
      ) c (channel_id, campaign, clicks, paise_per_click, views_per_click, weekend)
    ) s
    where exists (select from channel h where h.id = s.channel_id)
      -- begun later than the others
      and (s.campaign <> 'Social lookalike' or s.day >= ${today}::date - 45)
    order by s.day, s.channel_id, s.campaign`.execute(trx)
}
