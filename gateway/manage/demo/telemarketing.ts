/**
 * Telemarketing of the demo: two months of tasks that ended, and open ones in every lane. Other
 * customers of a segment get a task when the console starts, as after any other change.
 */
import { sql } from 'kysely'
import { SEGMENT_JOINS } from '#gateway/manage/features/telemarketing/public.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'

/** Of the customers of a segment: one in so many has been followed up by its telemarketer. */
const ONE_IN = 3
/** At most, per segment. */
const MOST = 60

/** The telemarketer of each segment. */
const DESKS = sql`
  (values ('no_certified', 'tele_uncertified'), ('unrequished', 'tele_unborrowed'),
    ('no_relented', 'tele_unreborrowed'), ('loan_failed', 'tele_loanfailed')) as d (segment, account)`

/** The telemarketer of the segment; some are with the salesman, who works in all. */
const WHO = sql`case when abs(hashtext(x.id || 's')) % 5 = 0 then 'salesman' else d.account end`

/** A steady number of a row, below `most`. */
const pick = (of: string, most: number) => sql`(abs(hashtext(${sql.raw(of)})) % ${sql.lit(most)})`

/** The same day within the hours of promotion, in the same order. */
const inHours = (at: Instant) => sql`((ist_day(${at}) + time '10:00'
  + (((${at}) at time zone 'Asia/Kolkata') - ist_day(${at})::timestamp) * 10 / 24)
  at time zone 'Asia/Kolkata')`

/** The first instant within the hours of promotion at which a lost customer can be called. */
const callable = (lossAt: Instant) => sql`(case
  when ((${lossAt}) at time zone 'Asia/Kolkata')::time < '19:00' then greatest(
    ${lossAt} + interval '40 minutes', (ist_day(${lossAt}) + time '10:00') at time zone 'Asia/Kolkata')
  else (ist_day(${lossAt}) + 1 + time '10:20') at time zone 'Asia/Kolkata' end)`

/** Follow-up `n` of `count`: one a day, the last at `last`. */
const followAt = (lossAt: Instant, last: Instant, count: Instant, n: Instant) => sql`(case
  when ${n} = ${count} then ${last} else greatest(${callable(lossAt)},
    ${inHours(sql`${last} - make_interval(days => ${count} - ${n})`)}) end)`

/** As many as days allow. */
const countOf = (lossAt: Instant, last: Instant) =>
  sql`least(1 + ${pick("x.id || 'n'", 3)}, ist_day(${last}) - ist_day(${callable(lossAt)}) + 1)`

/** @param asOf ms; the follow-ups end there */
export async function seedTelemarketing(trx: Trx, asOf: number): Promise<void> {
  const now = sql`${new Date(asOf).toISOString()}::timestamptz`
  await seedOpen(trx, now)
  await seedEnded(trx, now)
  await sql`
    insert into tele_record (task_id, customer_id, segment, operator_id, operator_name, result, count,
      loss_days, contact_way, contact_last4, remark, next_follow_at, created_at)
    select t.id, t.customer_id, t.segment, t.assignee_id, t.assignee_name,
      case when n = t.follow_count then t.last_result else (array[11, 11, 20, 25])[1 + ${pick('t.id || n', 4)}] end,
      n, greatest(0, ist_day(w.at) - ist_day(t.loss_at)),
      case when ${pick("t.id || n || 'w'", 6)} = 0 then 'whatsapp' else 'phone' end, c.phone_last4,
      case when t.last_result = 25 and n = t.follow_count then 'Asked for a higher limit' end,
      case when n = t.follow_count then t.next_follow_at end, w.at
    from tele_task t join customer c on c.id = t.customer_id
    cross join generate_series(1, t.follow_count) n
    cross join lateral (select ${followAt(
      sql`t.loss_at`,
      sql`t.last_follow_at`,
      sql`t.follow_count`,
      sql`n`,
    )} as at) w
    order by t.last_follow_at, t.id, n`.execute(trx)
  await sql`
    update customer c set entry_count = ${pick('c.id', 4)} where not c.certified`.execute(trx)
  await seedPeople(trx)
  await seedNodes(trx, now)
}

type Instant = ReturnType<typeof sql>

async function seedOpen(trx: Trx, now: Instant): Promise<void> {
  await sql`
    insert into tele_task (customer_id, segment, state, loss_at, order_id, assignee_id, assignee_name,
      token, claimed_at, follow_count, last_result, last_follow_at, next_follow_at, created_at)
    select x.id, x.segment, 'assigned', x.loss_at, x.order_id, u.id, u.user_name, 1, w.at, f.count,
      f.result, f.at,
      -- busy and agreed ones come again: some were due already, some are due later
      case when f.result in (11, 21)
        then ${inHours(sql`${now} + make_interval(hours => ${pick('x.id', 96)} - 24)`)} end,
      greatest(x.loss_at, w.at - interval '2 hours')
    from (
      select c.id, s.segment, s.loss_at, s.order_id,
        row_number() over (partition by s.segment order by s.loss_at desc, c.id) as place
      from customer c ${SEGMENT_JOINS}
      where s.segment is not null and ${pick('c.id', ONE_IN)} = 0
    ) x
    join ${DESKS} on d.segment = x.segment
    join sys_user u on u.account = ${WHO}
    cross join lateral (select greatest(${callable(sql`x.loss_at`)},
      ${inHours(sql`${now} - make_interval(hours => 12 + ${pick("x.id || 'h'", 90)})`)}) as at) l
    cross join lateral (select l.at, ${countOf(sql`x.loss_at`, sql`l.at`)} as count,
      (array[11, 20, 21, 21, 23, 25, 28])[1 + ${pick("x.id || 'r'", 7)}] as result) f
    cross join lateral (select ${followAt(sql`x.loss_at`, sql`f.at`, sql`f.count`, sql`1`)} as at) w
    where x.place <= ${sql.lit(MOST)} and l.at < ${now}`.execute(trx)
}

/** Customers who did what was wanted of them in the last 60 days, some after a follow-up. */
async function seedEnded(trx: Trx, now: Instant): Promise<void> {
  // some were granted credit long before they borrowed
  const lateFirst = sql`o.created_at > c.registered_at + interval '81 hours' and ${pick("c.id || 'u'", 3)} = 0`
  await sql`
    insert into tele_task (customer_id, segment, state, loss_at, order_id, assignee_id, assignee_name,
      token, claimed_at, follow_count, last_result, last_follow_at, created_at, closed_at,
      close_cause, credited_to)
    select x.id, x.segment, case when x.is_credited then 'converted' else 'expired' end, x.loss_at,
      x.order_id, u.id, u.user_name, 1, w.at, f.count, x.result, x.follow_at,
      greatest(x.loss_at, w.at - interval '2 hours'), x.end_at,
      case when x.is_credited then 'reached' else 'returned' end,
      case when x.is_credited then u.id end
    from (
      select b.id, b.segment, b.loss_at, b.order_id, b.end_at, l.at as follow_at,
        -- within seven days of the last follow-up
        l.at > b.end_at - interval '7 days' as is_credited,
        -- customers who agreed came back more often
        case when b.is_credited then (array[21, 21, 21, 23, 25])[1 + ${pick("b.id || 'r'", 5)}]
          else (array[11, 20, 20, 25, 28])[1 + ${pick("b.id || 'r'", 5)}] end as result
      from (
        select c.id, 'no_certified' as segment, c.registered_at as loss_at, null::text as order_id,
          o.created_at as end_at, ${pick('c.id', 4)} <> 0 as is_credited
        from customer c
        join lateral (select l.created_at from loan_order l where l.customer_id = c.id
          order by l.created_at limit 1) o on true
        where o.created_at > c.registered_at + interval '12 hours'
          and not (${lateFirst})
        union all
        select c.id, 'unrequished', o.created_at - interval '80 hours', null, o.created_at,
          ${pick("c.id || 'q'", 3)} <> 0
        from customer c
        join lateral (select l.created_at from loan_order l where l.customer_id = c.id
          order by l.created_at limit 1) o on true
        where ${lateFirst}
        union all
        select c.customer_id, 'no_relented', p.closed_at, p.id, c.created_at,
          ${pick('c.id', 4)} <> 0
        from loan_order c
        join lateral (select l.id, l.closed_at from loan_order l
          where l.customer_id = c.customer_id and l.created_at < c.created_at and l.status in (40, 41)
          order by l.created_at desc limit 1) p on true
        where c.from_order_id is null and c.created_at > p.closed_at + interval '12 hours'
        union all
        select o.customer_id, 'loan_failed', g.at, o.id, o.disbursed_at, ${pick('o.id', 5)} <> 0
        from loan_order o
        join lateral (select l.at from order_status_log l where l.order_id = o.id and l.to_status = 31
          order by l.at desc limit 1) g on true
        where o.disbursed_at > g.at + interval '1 hour'
      ) b
      cross join lateral (select greatest(${callable(sql`b.loss_at`)}, ${inHours(sql`
        b.end_at - make_interval(days => case when b.is_credited then 1 + ${pick('b.id', 5)} else 9 end)`)}
      ) as at) l
      where l.at < b.end_at and b.end_at > ${now} - interval '60 days' and ${pick("b.id || 'e'", ONE_IN)} = 0
    ) x
    join ${DESKS} on d.segment = x.segment
    join sys_user u on u.account = ${WHO}
    cross join lateral (select ${countOf(sql`x.loss_at`, sql`x.follow_at`)} as count) f
    cross join lateral (select ${followAt(
      sql`x.loss_at`,
      sql`x.follow_at`,
      sql`f.count`,
      sql`1`,
    )} as at) w`.execute(trx)
}

/** Who works in which segments, and who was given which task. */
async function seedPeople(trx: Trx): Promise<void> {
  await sql`
    insert into tele_person (user_id, segments, capacity)
    select u.id, x.segments, x.capacity
    from (values ('tele_uncertified', array['no_certified'], 150),
      ('tele_unborrowed', array['unrequished'], 150), ('tele_unreborrowed', array['no_relented'], 150),
      ('tele_loanfailed', array['loan_failed'], 80),
      ('salesman', array['no_certified', 'unrequished', 'no_relented', 'loan_failed'], 100),
      ('group_leader', array['no_certified', 'no_relented'], 30)) as x (account, segments, capacity)
    join sys_user u on u.account = x.account
    on conflict (user_id) do nothing`.execute(trx)
  await sql`
    insert into tele_given (task_id, segment, user_id, at)
    select t.id, t.segment, t.assignee_id, greatest(t.loss_at, t.claimed_at) from tele_task t
    where t.assignee_id is not null`.execute(trx)
}

const condition = (...of: unknown[]) => JSON.stringify({ kind: 'all', of })
/** The campaigns of a lender: each contacts its customers once, and measures itself. */
const NODES = [
  {
    name: 'Second day without documents',
    segment: 'no_certified',
    condition: condition({ field: 'entryCount', operator: 'atLeast', value: 1 }),
    days: 2,
    holdout: 20,
    way: null,
  },
  {
    name: 'Good payers, a week after the last loan',
    segment: 'no_relented',
    condition: condition(
      { field: 'maxOverdueDays', operator: 'atMost', value: 3 },
      {
        kind: 'any',
        of: [
          { field: 'settlementCount', operator: 'atLeast', value: 2 },
          { field: 'lastAmount', operator: 'atLeast', value: 1_000_000 },
        ],
      },
    ),
    days: 7,
    holdout: 10,
    way: 'whatsapp',
  },
  {
    name: 'Limit above ₹10,000, not used',
    segment: 'unrequished',
    condition: condition({ field: 'finalLimit', operator: 'moreThan', value: 1_000_000 }),
    days: 1,
    holdout: 10,
    way: 'sms',
  },
] as const

/** Weeks of the past in which the nodes ran. */
const WEEKS = [8, 7, 6, 5, 4, 3, 2, 1]

/** Nodes with a run in each of the last weeks, over the tasks of that week. */
async function seedNodes(trx: Trx, now: Instant): Promise<void> {
  for (const { name, segment, condition: tree, days, holdout, way } of NODES) {
    const { rows } = await sql<{ id: string }>`
      insert into marketing_node (name, type, segment, condition, date_days, effective, gives_tasks,
        message_way, holdout, updated_by, updated_by_name, created_at, updated_at)
      select ${name}, 'batchRun', ${segment}, ${tree}::jsonb, ${days}, false, true, ${way}, ${holdout},
        u.id, u.user_name, ${now} - interval '62 days', ${now} - interval '30 days'
      from sys_user u where u.account = 'manager' returning id`.execute(trx)
    const [node] = rows
    if (node) for (const weeks of WEEKS) await seedRun(trx, now, node.id, { segment, way, weeks })
  }
}

async function seedRun(
  trx: Trx,
  now: Instant,
  nodeId: string,
  { segment, way, weeks }: { segment: string; way: string | null; weeks: number },
): Promise<void> {
  // an hour in which promotion is allowed
  const at = sql`(((ist_day(${now}) - ${7 * weeks}::int)::timestamp + interval '11 hours 5 minutes')
    at time zone 'Asia/Kolkata')`
  const { rows } = await sql<{ id: string }>`
    insert into marketing_run (node_id, state, started_by_name, started_at, finished_at)
    values (${nodeId}, 'done', 'nodeRun', ${at}, ${at} + interval '4 seconds') returning id`.execute(
    trx,
  )
  const runId = (rows[0] as { id: string }).id
  await sql`
    insert into marketing_contact (run_id, node_id, customer_id, task_id, segment, chunk, held_out, once,
      outcome, at, assignee_id, message_state, message_way, message_tries, message_at)
    select ${runId}, ${nodeId}, t.customer_id, t.id, t.segment, 0, x.held_out, true,
      case when x.held_out then 'heldOut' else 'assigned' end, ${at},
      case when not x.held_out then t.assignee_id end,
      case when not x.held_out and ${way}::text is not null then 'sent' end,
      case when not x.held_out then ${way}::text end,
      case when not x.held_out and ${way}::text is not null then 1 else 0 end,
      case when not x.held_out and ${way}::text is not null then ${at} + interval '40 seconds' end
    from tele_task t
    -- customers who were not contacted come back less often
    cross join lateral (select case t.close_cause when 'reached' then ${pick("t.id || 'o'", 9)}
      else ${pick("t.id || 'o'", 4)} end = 0 as held_out) x
    where t.segment = ${segment} and t.loss_at < ${at}
      and t.claimed_at >= ${at} and t.claimed_at < ${at} + interval '7 days'
    on conflict do nothing`.execute(trx)
  await sql`
    update marketing_run r set matched = k.n + k.n / 9, taken = k.n, held_out = k.held,
      excluded = case when k.n / 9 = 0 then '{}' else jsonb_build_object('busy', k.n / 9) end,
      assigned = k.n - k.held, messages = case when ${way}::text is null then 0 else k.n - k.held end
    from (select count(*)::int as n, count(*) filter (where m.held_out)::int as held
      from marketing_contact m where m.run_id = ${runId}) k
    where r.id = ${runId}`.execute(trx)
  await sql`
    update marketing_node n set matched_last = r.matched, last_run_at = r.started_at
    from marketing_run r where r.id = ${runId} and n.id = r.node_id`.execute(trx)
  await sql`
    update tele_task t set node_id = m.node_id from marketing_contact m
    where m.run_id = ${runId} and m.task_id = t.id and not m.held_out`.execute(trx)
}
