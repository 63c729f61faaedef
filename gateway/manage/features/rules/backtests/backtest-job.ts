/**
 * Judges past applications again, a part of them in a transaction: the outcomes of a part and that
 * it is done are written together, so a run that was cut off continues with the parts that are left.
 * Parts are small and the engine answers between two applications, so that nobody waits for one.
 */
import { sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { inTransaction, type Trx } from '#gateway/manage/db/transaction.ts'
import { addRows } from '#gateway/manage/jobs/job-store.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { RuleFacts } from '../book/test-rule.ts'
import { emitTried } from '../trials/trial-store.ts'
import { countBacktest } from './count-backtest.ts'
import { judgePast, pastJudge } from './judge-past.ts'

export const BACKTEST_JOB = 'rule.backtest'
/** About 0.1 s of work. */
const PART = 250
/** How often watchers receive progress. */
const STEPS = 50

export function backtestJob([source]: readonly RuleFacts[]): JobType {
  return {
    type: BACKTEST_JOB,
    doneTitle: 'jobs:notification.backtested',
    async prepare({ database }, { id: jobId, params }) {
      const backtestId = idIn(params)
      await inTransaction(database, async (trx) => {
        const parts = await divide(trx, backtestId)
        await addRows(
          trx,
          jobId,
          parts.map((n) => `${backtestId}:${n}`),
        )
      })
    },
    async row(tx, target, params) {
      const backtestId = idIn(params)
      const n = Number(target.split(':')[1])
      if (source === undefined) throw new Problem(NOT_FOUND)
      const judge = await pastJudge(tx, backtestId)
      const rows = await judgePast(tx.db, judge, source, { backtestId, n })
      await sql`
        insert into rule_backtest_row (backtest_id, order_id, happened, live, would, cause)
        select ${backtestId}, d."orderId", d.happened, d.live, d.would, d.cause
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as d ("orderId" text, happened text, live text, would text, cause text)`.execute(tx.db)
      const { rows: counted } = await sql<{ parts: number; ruleId: string }>`
        select (select count(*)::int from rule_backtest_part p where p.backtest_id = b.id) as parts,
          b.rule_id as "ruleId"
        from rule_backtest b where b.id = ${backtestId}`.execute(tx.db)
      const [all] = counted
      if (all && n % Math.ceil(all.parts / STEPS) === 0) emitTried(tx, all.ruleId)
    },
    async ended(tx, { id: jobId, params }, state) {
      const backtestId = idIn(params)
      if (state === 'done') await keepFailed(tx.db, backtestId, jobId)
      await countBacktest(tx.db, backtestId)
      await sql`delete from rule_backtest_part where backtest_id = ${backtestId}`.execute(tx.db)
      const { rows } = await sql<{ ruleId: string }>`
        update rule_backtest set state = ${state}, finished_at = clock_timestamp()
        where id = ${backtestId} returning rule_id as "ruleId"`.execute(tx.db)
      // a draft that was deleted meanwhile took its back-tests with it
      if (rows[0]) emitTried(tx, rows[0].ruleId)
    },
  }
}

function idIn({ backtestId }: Record<string, unknown>): string {
  return String(backtestId)
}

/** @returns the numbers of the parts */
async function divide(trx: Trx, backtestId: string): Promise<number[]> {
  const { rows } = await sql<{ n: number; size: number }>`
    with numbered as (
      select o.created_at, o.id, (row_number() over (order by o.created_at, o.id) - 1) / ${PART}::int as n
      from rule_backtest b
      join loan_order o on o.created_at >= b.from_at and o.created_at < b.to_at and o.from_order_id is null
      where b.id = ${backtestId}
    ), parts as (
      select x.n, count(*)::int as size, min(x.created_at) as from_at,
        (array_agg(x.id order by x.created_at, x.id))[1] as from_id, max(x.created_at) as to_at,
        (array_agg(x.id order by x.created_at desc, x.id desc))[1] as to_id
      from numbered x
      group by x.n
    ), added as (
      insert into rule_backtest_part (backtest_id, n, from_at, from_id, to_at, to_id)
      select ${backtestId}, p.n, p.from_at, p.from_id, p.to_at, p.to_id from parts p
    )
    select p.n::int as n, p.size from parts p order by p.n`.execute(trx)
  const applications = rows.reduce((sum, { size }) => sum + size, 0)
  await sql`
    update rule_backtest set applications = ${applications} where id = ${backtestId}`.execute(trx)
  return rows.map(({ n }) => n)
}

/** A part that failed is not left out silently. */
async function keepFailed(trx: Trx, backtestId: string, jobId: string): Promise<void> {
  await sql`
    insert into rule_backtest_row (backtest_id, order_id, cause)
    select p.backtest_id, o.id, 'faulty'
    from rule_backtest_part p
    join job_row j on j.job_id = ${jobId} and j.target_id = p.backtest_id || ':' || p.n
      and j.state = 'failed'
    join loan_order o on (o.created_at, o.id) >= (p.from_at, p.from_id)
      and (o.created_at, o.id) <= (p.to_at, p.to_id) and o.from_order_id is null
    where p.backtest_id = ${backtestId}
    on conflict (backtest_id, order_id) do nothing`.execute(trx)
}
