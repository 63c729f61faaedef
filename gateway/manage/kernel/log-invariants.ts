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
}
