/** Hits of the rules on the demo's applications: each rule that a machine report names was hit. */
import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { RULE_DAYS_AGO } from './market.ts'

export async function seedRuleHits(trx: Trx): Promise<void> {
  await sql`
    insert into rule_hit (review_id, rule_id, version_no, outcome, at)
    select r.id, v.id, 1, 'hit', coalesce(r.machine_at, r.queued_at, r.created_at)
    from review r
    cross join lateral jsonb_array_elements(r.machine_report -> 'rules') x (rule)
    join rule v on v.id = x.rule ->> 'code'
    where (x.rule ->> 'hit')::boolean
    order by 5, 1, 2`.execute(trx)
}

/**
 * The income rule became stricter: the administrator wrote version 2, the director approved it, and the
 * log has both, so that reports can mark the change.
 */
export async function seedRuleChange(trx: Trx, today: string): Promise<void> {
  const at = sql`((${today}::date - ${sql.lit(RULE_DAYS_AGO)}) + time '11:20') at time zone 'Asia/Kolkata'`
  const requestedAt = sql`${at} - interval '1 day'`
  await sql`
    update rule_version set state = 'retired' where rule_id = 'INC02' and version_no = 1`.execute(
    trx,
  )
  await sql`
    insert into rule_version (rule_id, version_no, name, type, group_id, priority, mode, description, content,
      action_id, output, refusal_code, state, created_by_name, created_at, enabled_by_name, enabled_at)
    select v.rule_id, 2, v.name, v.type, v.group_id, v.priority, v.mode, v.description, v.content,
      v.action_id, v.output, v.refusal_code, 'enabled', a.user_name, ${requestedAt}, d.user_name, ${at}
    from rule_version v
    join sys_user a on a.account = 'administrator'
    join sys_user d on d.account = 'director'
    where v.rule_id = 'INC02' and v.version_no = 1`.execute(trx)
  await sql`
    update rule_version set name = 'Instalment above 95 % of income',
      content = replace(content::text, 'incomeShare > 80', 'incomeShare > 95')::jsonb
    where rule_id = 'INC02' and version_no = 1`.execute(trx)
  await sql`
    update rule r set enabled_no = 2, latest_no = 2, updated_at = ${at}, version = r.version + 1
    where r.id = 'INC02'`.execute(trx)
  await sql`
    with approved as (
      insert into approval (kind, target_kind, target_id, payload, reason, state, requested_by, requested_by_name,
        requested_at, decided_by, decided_by_name, decided_at, expires_at)
      select 'ruleEnable', 'rule', 'INC02', jsonb_build_object('versionNo', 2),
        'Too many of those above 80 % never paid their first instalment', 'approved', a.id, a.user_name,
        ${requestedAt}, d.id, d.user_name, ${at}, ${requestedAt} + interval '7 days'
      from sys_user a
      join sys_user d on d.account = 'director'
      where a.account = 'administrator'
      returning id, decided_by, decided_by_name
    )
    insert into operate_log (time, user_id, user_name, role_mark, menu, action, target_kind, target_id, before,
      after, result, approval_id)
    select ${at}, w.decided_by, w.decided_by_name, 'director', 'rule_engine', 'enableRule', 'rule', 'INC02',
      jsonb_build_object('status', 'enabled', 'versionNo', 1),
      jsonb_build_object('status', 'enabled', 'versionNo', 2, 'name', v.name), 'ok', w.id
    from approved w
    join rule_version v on v.rule_id = 'INC02' and v.version_no = 2`.execute(trx)
}

/**
 * What the machine knew of the applications it sent to people, so that a rule can be tried on them.
 * The hits of a report are facts too; those of the other applications are not known.
 */
export async function seedMachineFacts(trx: Trx): Promise<void> {
  const isHit = (code: string) => sql<boolean>`(x.hits ? ${sql.lit(code)})`
  await sql`
    insert into machine_facts (review_id, facts, versions, at)
    select r.id, jsonb_build_object('age', extract(year from age(ist_day(o.created_at), c.birthday))::int,
        'monthlyIncome', coalesce(c.monthly_income, 0),
        'incomeShare', case when ${isHit('INC01')} then 46 + mod(o.amount / 50000, 30)
          else least(45, round(o.contract_amount * 100.0 / o.term / nullif(c.monthly_income, 0))::int) end,
        'amount', o.amount, 'productMinimum', p.min_amount, 'productMaximum', p.max_amount,
        'customerClass', r.customer_class, 'orderNo', e.loans + 1, 'daysSinceRefusal', e.refused_days,
        'worstOverdueDays', e.worst, 'writtenOff', 0, 'identityElsewhere', ${isHit('AF01')}::int,
        'accountElsewhere', ${isHit('AF02')}::int, 'blacklistedContacts', ${isHit('AF03')}::int,
        'panNameSame', true, 'cardBound', b.customer_id is not null,
        'nameSimilarity', b.name_similarity / 100, 'faceScore', k.face_pan / 100,
        'limit', (r.machine_report ->> 'limit')::bigint),
      v.judged, coalesce(r.machine_at, r.created_at)
    from review r
    join loan_order o on o.id = r.order_id
    join product p on p.id = o.product_id
    join customer c on c.id = r.customer_id
    left join bank_card b on b.customer_id = c.id and b.active
    left join customer_kyc k on k.customer_id = c.id
    cross join (
      select jsonb_object_agg(m.id, m.enabled_no) as judged from rule m where m.enabled_no is not null
    ) v
    cross join lateral (
      select coalesce(jsonb_agg(y.rule -> 'code') filter (where (y.rule ->> 'hit')::boolean), '[]') as hits
      from jsonb_array_elements(r.machine_report -> 'rules') y (rule)
    ) x
    cross join lateral (
      select count(*) filter (where n.disbursed_at is not null)::int as loans,
        coalesce(max(n.overdue_days) filter (where n.closed_at < o.created_at), 0) as worst,
        min(ist_day(o.created_at) - ist_day(n.updated_at)) filter (where n.status in (21, 27)) as refused_days
      from loan_order n where n.customer_id = c.id and n.created_at < o.created_at
    ) e
    where r.machine_report is not null`.execute(trx)
}
