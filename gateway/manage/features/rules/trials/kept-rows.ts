import { sql } from 'kysely'
import type { Retained } from '#gateway/manage/kernel/retained.ts'

/**
 * Applications of back-tests and shadows that have ended: figures of back-tests stay with their
 * versions. Rows of shares stay, because the report of risks is counted from them again.
 */
export const KEPT_ROWS: Retained[] = [
  {
    name: 'backtestRows',
    table: 'rule_backtest_row',
    term: 'retention.trialRowDays',
    isOver: (before) => sql`
      r.backtest_id in (select b.id from rule_backtest b where b.finished_at < ${before})`,
  },
  {
    name: 'shadowRows',
    table: 'rule_trial_row',
    term: 'retention.trialRowDays',
    isOver: (before) => sql`
      r.trial_id in (select t.id from rule_trial t where t.kind = 'shadow' and t.ended_at < ${before})`,
  },
]
