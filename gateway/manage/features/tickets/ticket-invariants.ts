/** Tickets: who works on one, its steps, and the collection it stops. */
import type { Invariants } from '#gateway/manage/db/invariant.ts'

export const TICKET_INVARIANTS: Invariants = {
  T01: [
    'a ticket has a processor exactly while it is not waiting, and a lease until its first reply',
    `
    select t.id from feedback t
    where (t.progress = 'unprocessed') <> (t.processor_id is null)
      or (t.idle_until is not null) <> (t.progress = 'followingUp' and t.first_reply_at is null)
      or (t.processor_id is not null and t.token = 0)`,
  ],
  T02: [
    'a ticket is followed to its end exactly when it has ended',
    `
    select t.id from feedback t where (t.progress = 'finished') <> (t.finished_at is not null)
      or (t.follow_state = 'caseClosed') <> (t.progress = 'finished')
      or (t.progress = 'finished' and t.first_reply_at is null)`,
  ],
  T03: [
    'the token of a ticket only grows, and with every new processor',
    `
    select distinct s.feedback_id as id from (
      select x.feedback_id, x.token, x.processor_id, lag(x.token, 1, 0) over w as token_before,
        lag(x.processor_id) over w as processor_before
        from feedback_step x window w as (partition by x.feedback_id order by x.id)
    ) s where s.token < s.token_before
      or (s.processor_id is not null and s.processor_before is not null
      and s.processor_id <> s.processor_before and s.token <= s.token_before)
    union
    select t.id from feedback t where t.token <> coalesce((select max(x.token) from feedback_step x
      where x.feedback_id = t.id), 0)`,
  ],
  T04: [
    'a ticket goes from one person to another only by hand-over',
    `
    select distinct s.feedback_id as id from (
      select x.feedback_id, x.kind, x.processor_id, lag(x.processor_id) over (partition by x.feedback_id
        order by x.id) as processor_before from feedback_step x
    ) s where s.processor_id <> s.processor_before and s.kind <> 'handoverApproved'`,
  ],
  T05: [
    'the steps of a ticket are one chain that ends at its progress',
    `
    select distinct s.feedback_id as id from (
      select x.feedback_id, x.from_state, x.to_state, lag(x.to_state) over w as before,
        lead(x.to_state) over w as after, t.progress
      from feedback_step x join feedback t on t.id = x.feedback_id window w as (partition by x.feedback_id
        order by x.id)
    ) s where s.from_state is distinct from s.before or (s.after is null and s.to_state <> s.progress)
    union
    select t.id from feedback t where not exists (select 1 from feedback_step x where x.feedback_id = t.id)`,
  ],
  T06: [
    'a ticket has at most one undecided hand-over, and only while somebody works on it',
    `
    select t.id from feedback t
    left join (select h.feedback_id, count(*) as pending from feedback_handover h where h.state = 'pending'
      group by h.feedback_id) h on h.feedback_id = t.id
    where coalesce(h.pending, 0) <> case when t.handover_state = 'pending' then 1 else 0 end
      or (t.handover_state = 'pending' and t.progress <> 'followingUp')`,
  ],
  T07: [
    'nobody works on a complaint about themselves',
    `select t.id from feedback t where t.processor_id = t.about_id`,
  ],
  T08: [
    'an ended ticket stops no collection',
    `
    select t.id from feedback t join stop_collection s on s.ticket_id = t.id and s.state = 'active'
      where t.progress = 'finished' or t.type not in (4, 5)`,
  ],
  T09: [
    'a grievance that is open has stopped collection, unless a leader ended the stop',
    `
    select t.id from feedback t where t.type in (4, 5) and t.progress <> 'finished'
      and not exists (select 1 from stop_collection s where s.ticket_id = t.id)`,
  ],
}
