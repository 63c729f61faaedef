/** Events and the operate log. */
import type { Invariants } from '#gateway/manage/db/invariant.ts'

export const LOG_INVARIANTS: Invariants = {
  S02: [
    'published events are numbered without a gap',
    `
    select 'outbox' as id from (select count(*) as events, max(e.seq) - min(e.seq) + 1 as span,
      max(e.seq) as newest from outbox_event e where e.seq is not null) e, relay_state s
    where e.events > 0 and (e.events <> e.span or e.newest <> s.last_seq)`,
  ],
  S03: [
    'the operate log is unbroken',
    `select operate_log_broken_at()::text as id where operate_log_broken_at() is not null`,
  ],
  S04: [
    'the chain of the operate log ends with its last entry',
    `
    select 'log_chain' as id
    from log_chain c
    left join operate_log l on l.chain_no = c.last_no
    where c.last_no > 0 and l.hash is distinct from c.last_hash`,
  ],
  S05: [
    'every row of a divided log lies in its month',
    `
    select 'notification' as id where exists (select from notification_unplaced)
    union all select 'message_log' where exists (select from message_log_unplaced)
    union all select 'operate_log' where exists (select from operate_log_unplaced)`,
  ],
  // a key to another table would lock it with each month that comes or goes
  S06: [
    'notifications and messages name people there are',
    `
    select n.id from notification n where not exists (select from sys_user u where u.id = n.user_id)
    union all
    select m.id::text from message_log m where not exists (select from customer c where c.id = m.customer_id)
      or (m.case_id is not null and not exists (select from collection_case k where k.id = m.case_id))`,
  ],
}
