/**
 * Coupons of the demo: some kinds of them, and two months of grants, unused, used, expired and
 * revoked. Those that reduced a fine were made with their payments (servicing.ts).
 */
import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'

interface DemoCoupon {
  id: string
  name: string
  kind: 'interest' | 'overdueFine' | 'limit'
  /** Paise; of a coupon by share the most it gives. */
  amount: number
  /** Basis points; null for a fixed coupon. */
  rate: number | null
  ratio: number | null
  least: number
  days: number
  /** Days before today it was made. */
  ago: number
  /** Of what is granted, in per cent; null = no budget. */
  budget: number | null
}

const BASE = { rate: null, ratio: null, least: 0, days: 30, budget: null }
const COUPONS: readonly DemoCoupon[] = [
  {
    ...BASE,
    id: 'CP1001',
    name: 'Fine off ₹20',
    kind: 'overdueFine',
    amount: 2_000,
    ago: 62,
    budget: 150,
  },
  {
    ...BASE,
    id: 'CP1002',
    name: 'Half the interest',
    kind: 'interest',
    amount: 15_000,
    rate: 5_000,
    least: 50_000,
    days: 20,
    ago: 58,
  },
  {
    ...BASE,
    id: 'CP1003',
    name: 'Welcome back: limit +₹2,000',
    kind: 'limit',
    amount: 200_000,
    days: 45,
    ago: 50,
    budget: 150,
  },
  {
    ...BASE,
    id: 'CP1004',
    name: 'Festival: 15 % off the fine',
    kind: 'overdueFine',
    amount: 10_000,
    rate: 1_500,
    days: 10,
    ago: 41,
  },
  {
    ...BASE,
    id: 'CP1005',
    name: 'Limit +20 %',
    kind: 'limit',
    amount: 300_000,
    rate: 2_000,
    least: 100_000,
    ago: 33,
  },
  {
    ...BASE,
    id: 'CP1006',
    name: 'Interest off ₹75',
    kind: 'interest',
    amount: 7_500,
    ratio: 6_000,
    least: 100_000,
    days: 15,
    ago: 21,
    budget: 116,
  },
]

/** A steady number of a row, below `most`. */
const pick = (of: string, most: number) => sql`(abs(hashtext(${sql.raw(of)})) % ${sql.lit(most)})`

/** @param asOf ms; the grants end there */
export async function seedCoupons(trx: Trx, asOf: number): Promise<void> {
  const now = sql`${new Date(asOf).toISOString()}::timestamptz`
  await sql`
    insert into coupon (id, name, type, amount_type, preferential_type, discount_amount, rate, ratio,
      min_amount, valid_days, creator_id, creator_name, state, created_at, updated_at)
    select x.id, x.name, case x.kind when 'limit' then 'raiseLimit' else 'reduction' end,
      case when x.rate is null then 'fixed' else 'rate' end, x.kind, x.amount, x.rate, x.ratio, x.least,
      x.days, u.id, u.user_name, case x.id when 'CP1004' then 'disabled' else 'enabled' end,
      ${now} - make_interval(days => x.ago), ${now} - make_interval(days => x.ago)
    from jsonb_to_recordset(${JSON.stringify(COUPONS)}::jsonb) as x (id text, name text, kind text,
      amount bigint, rate int, ratio int, least bigint, days int, ago int)
    join sys_user u on u.account = 'manager'`.execute(trx)
  // the node to good payers grants one with each contact
  await sql`
    update marketing_node n set coupon_id = k.id from coupon k
    where n.segment = 'no_relented' and k.id = 'CP1006'`.execute(trx)
  await seedUsed(trx)
  await seedUnused(trx, now)
  await seedOfNodes(trx, now)
  await sql`
    update coupon k set granted = g.granted, committed = g.committed,
      budget = case when b.budget is not null
        then greatest(k.discount_amount, g.committed * b.budget / 100) end
    from (select x.coupon_id, count(*) as granted, coalesce(sum(x.worth) filter (where x.state
      in ('unused', 'used')), 0) as committed from coupon_grant x group by x.coupon_id) g
    join jsonb_to_recordset(${JSON.stringify(COUPONS)}::jsonb) as b (id text, budget int)
      on b.id = g.coupon_id
    where g.coupon_id = k.id`.execute(trx)
  await sql`
    select setval('coupon_id_seq', 1100), setval('coupon_grant_id_seq',
      greatest(10000001, (select max(substr(g.id, 3)::bigint) + 1 from coupon_grant g)))`.execute(
    trx,
  )
}

const TERMS = sql.raw(`jsonb_build_object('amountType', k.amount_type, 'preferentialType',
  k.preferential_type, 'discountAmount', k.discount_amount, 'rate', k.rate, 'ratio', k.ratio,
  'minAmount', k.min_amount)`)

/** Granted some days before the payment that used them. */
async function seedUsed(trx: Trx): Promise<void> {
  await sql`
    insert into coupon_grant (id, coupon_id, customer_id, preferential_type, terms, worth, state, source,
      granted_on, valid_until, granted_at, granted_by_name, order_id, record_id, used_at, amount, version)
    select e.ref_id, k.id, o.customer_id, k.preferential_type, ${TERMS}, k.discount_amount, 'used',
      'manual', g.day, g.day + k.valid_days, g.at, k.creator_name, o.id, r.id, r.confirmed_at, e.debit, 2
    from ledger_entry e join loan_order o on o.id = e.order_id
    join repay_record r on r.id = 'RR' || substr(e.ref_id, 3)
    join coupon k on k.id = 'CP1001'
    cross join lateral (select r.paid_at - make_interval(days => 1 + ${pick('r.id', 9)}) as at) x
    cross join lateral (select x.at, (x.at at time zone 'Asia/Kolkata')::date as day) g
    where e.kind = 'coupon' and e.account = 'couponExpense'`.execute(trx)
  // some were promised with a follow-up
  await sql`
    update coupon_grant g set source = 'followUp', source_id = t.id, granted_by = t.assignee_id,
      granted_by_name = t.assignee_name
    from (select distinct on (x.customer_id) x.customer_id, x.id, x.assignee_id, x.assignee_name
      from tele_task x where x.assignee_id is not null order by x.customer_id, x.id) t
    where g.customer_id = t.customer_id and g.state = 'used'`.execute(trx)
}

/** One to each customer a node contacted who held none of the kind. */
async function seedOfNodes(trx: Trx, now: ReturnType<typeof sql>): Promise<void> {
  await sql`
    with given as (
      insert into coupon_grant (id, coupon_id, customer_id, preferential_type, terms, worth, state, source,
        source_id, granted_on, valid_until, granted_at, granted_by_name, ended_at, version)
      select 'CG' || 80000000 + m.id, k.id, m.customer_id, k.preferential_type, ${TERMS}, k.discount_amount,
        x.state, 'node', m.node_id, ist_day(m.at), ist_day(m.at) + k.valid_days, m.at, 'nodeRun',
        case x.state when 'expired'
          then (ist_day(m.at) + k.valid_days + 1)::timestamp at time zone 'Asia/Kolkata' end,
        case x.state when 'unused' then 1 else 2 end
      from marketing_contact m join marketing_node n on n.id = m.node_id
      join coupon k on k.id = n.coupon_id
      cross join lateral (select case when ist_day(m.at) + k.valid_days < ist_day(${now})
        then 'expired' else 'unused' end as state) x
      where not m.held_out and m.at >= k.created_at and not exists (select from coupon_grant g
        where g.customer_id = m.customer_id and g.preferential_type = k.preferential_type
          and g.state = 'unused')
      returning customer_id, source_id
    )
    update marketing_contact m set coupon = case when exists (select from given g
        where g.customer_id = m.customer_id and g.source_id = m.node_id) then 'given' else 'hasUnused' end
    from marketing_node n join coupon k on k.id = n.coupon_id
    where n.id = m.node_id and not m.held_out and m.at >= k.created_at`.execute(trx)
  await sql`
    update marketing_run r set coupons = (select count(*) from marketing_contact m
      where m.run_id = r.id and m.coupon = 'given')`.execute(trx)
}

/**
 * One customer in four was given one: by a list, by hand or with a follow-up. Of those whose validity
 * is over none is left unused; a few were taken back.
 */
async function seedUnused(trx: Trx, now: ReturnType<typeof sql>): Promise<void> {
  await sql`
    insert into coupon_grant (id, coupon_id, customer_id, preferential_type, terms, worth, state, source,
      granted_on, valid_until, granted_at, granted_by_name, ended_at, revoke_reason, version)
    select 'CG' || 90000000 + row_number() over (order by x.at, x.id), k.id, x.id, k.preferential_type,
      ${TERMS}, k.discount_amount, x.state, x.source, x.day, x.day + k.valid_days, x.at, k.creator_name,
      case x.state when 'expired' then (x.day + k.valid_days + 1)::timestamp at time zone 'Asia/Kolkata'
        when 'revoked' then x.at + interval '3 hours' end,
      case x.state when 'revoked' then 'Granted by mistake' end, case x.state when 'unused' then 1 else 2 end
    from (
      select c.id, g.coupon_id, g.at, (g.at at time zone 'Asia/Kolkata')::date as day,
        (array['import', 'import', 'manual', 'followUp'])[1 + ${pick("c.id || 's'", 4)}] as source,
        case when ${pick("c.id || 'r'", 19)} = 0 then 'revoked'
          when (g.at at time zone 'Asia/Kolkata')::date + q.valid_days
            < (${now} at time zone 'Asia/Kolkata')::date then 'expired' else 'unused' end as state
      from customer c
      cross join lateral (select (array['CP1001', 'CP1002', 'CP1003', 'CP1004', 'CP1005',
        'CP1006'])[1 + ${pick("c.id || 'k'", 6)}] as coupon_id) w
      join coupon q on q.id = w.coupon_id
      cross join lateral (select w.coupon_id, greatest(c.registered_at + interval '1 hour', q.created_at
        + make_interval(secs => ${pick("c.id || 't'", 1_000)} / 1000.0
        * extract(epoch from ${now} - q.created_at))) as at) g
      where not c.blacklisted and ${pick("c.id || 'c'", 4)} = 0 and g.at < ${now}
    ) x join coupon k on k.id = x.coupon_id
    where k.id <> 'CP1006' or ${pick("x.id || 'b'", 5)} = 0`.execute(trx)
}
