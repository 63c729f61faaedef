/** A row for each table that lists are made of and in which the demo book has none. */
import { sql } from 'kysely'
import type { Database } from '#gateway/manage/db/client.ts'

export async function addFewRows({ kysely: db }: Database): Promise<void> {
  await sql`
    insert into notification (user_id, kind, title_key, read_at)
    select u.id, 'assigned', 'test', case when n > 1 then now() end
    from sys_user u cross join generate_series(1, 3) n`.execute(db)
  await sql`
    insert into operate_log (user_id, user_name, action, menu, target_kind, target_id, result)
    select u.id, u.user_name, 'test', 'order_list', 'order', 'L' || u.id, 'ok' from sys_user u`.execute(
    db,
  )
  await sql`
    insert into job (type, menu, params, state, user_id, user_name, created_at)
    select t.type, 'order_list', '{}', 'done', u.id, u.user_name, now()
    from sys_user u cross join unnest(array['export', 'batch.credit']) t (type)`.execute(db)
  await sql`
    with node as (
      insert into marketing_node (name, type, segment, effective, gives_tasks, updated_by_name)
      values ('test', 'package', 'no_relented', true, true, 'test') returning id
    ), run as (
      insert into marketing_run (node_id, state, started_by_name)
      select n.id, 'done', 'test' from node n returning id, node_id
    )
    insert into marketing_contact (run_id, node_id, customer_id, task_id, segment, chunk, held_out, once,
      outcome, at, message_state, message_way, message_at)
    select r.id, r.node_id, t.customer_id, t.id, t.segment, 1, false, true, 'messaged', now(),
      'sent', 'sms', now()
    from run r cross join lateral (select distinct on (t.customer_id) t.* from tele_task t) t`.execute(
    db,
  )
  // as the hourly pass leaves them
  await sql`
    update marketing_run set effect_so_far = '{"done": 1}', effect_at = clock_timestamp()`.execute(
    db,
  )
  // older than the days that are counted: a week's hits are as many as its applications
  await sql`
    insert into rule_hit (review_id, rule_id, version_no, outcome, at)
    select r.id, 'ADM01', 1, 'hit', now() - interval '30 days'
    from review r`.execute(db)
  await sql`
    with config as (
      insert into ai_call_config (product_id, min_days, max_days, start_time, end_time, robot_id, robot_name,
        repeat_interval_min, repeat_frequency, redial_interval_min, redial_max, status, updated_by_name)
      select p.id, 1, 3, '09:00', '18:00', 'R1', 'test', 60, 1, 30, 0, 'disabled', 'test'
      from product p order by p.id limit 1 returning id
    )
    insert into ai_call_task (config_id, order_id, case_id, customer_id, overdue_days, state, result,
      created_by_name)
    select k.id, c.order_id, c.id, c.customer_id, c.overdue_days, 'finished', 'a', 'test'
    from config k cross join collection_case c`.execute(db)
  await sql`
    insert into ai_call (task_id, no, line_id, contact_call_id, state, result, started_at)
    select t.id, 1, p.id, l.id, 'ended', 'a', now() - interval '2 days'
    from ai_call_task t
    cross join (select id from phone_line where kind = 'ai' limit 1) p
    cross join (select id from call_log order by id limit 1) l`.execute(db)
}
