import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/rules/backtest-api.ts'
import { cancelJob } from '#gateway/manage/jobs/cancel-job.ts'
import { startJob } from '#gateway/manage/jobs/start-job.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { RULE } from '../book/rule-kind.ts'
import { readRulesWith } from '../engine/rules-in-force.ts'
import { emitTried } from '../trials/trial-store.ts'
import { readVersion } from '../versions/version-store.ts'
import { BACKTEST_JOB } from './backtest-job.ts'
import { readBacktest } from './backtest-queries.ts'

/** A back-test reads much, so there is one at a time. */
const SINGLE = 'one'

/** @throws Problem G404, G-RUN while another runs */
export async function startBacktest(
  tx: CommandTx,
  { ruleId, versionNo, days }: InputOf<typeof api.startBacktest>,
): Promise<DataOf<typeof api.startBacktest>> {
  await readVersion(tx.db, RULE, ruleId, versionNo)
  const known = await readRulesWith(tx.db, ruleId, versionNo)
  const judged = known.map((rule) => ({
    ruleId: rule.ruleId,
    versionNo: rule.versionNo,
    isInForce: rule.isInForce,
  }))
  const { rows } = await sql<{ id: string }>`
    insert into rule_backtest (rule_id, version_no, days, from_at, to_at, judged, started_by, started_by_name)
    select ${ruleId}, ${versionNo}, ${days}, n.now - make_interval(days => ${days}), n.now,
      ${JSON.stringify(judged)}::jsonb, ${staff(tx.actor).userId}, ${tx.actor.userName}
    from (select clock_timestamp() as now) n
    returning id`.execute(tx.db)
  const { id } = rows[0] as { id: string }
  const jobId = await startJob(tx, {
    type: BACKTEST_JOB,
    menu: 'rule_engine',
    params: { backtestId: id },
    targetIds: [],
    singletonKey: SINGLE,
    settles: true,
  })
  await sql`update rule_backtest set job_id = ${jobId} where id = ${id}`.execute(tx.db)
  emitTried(tx, ruleId)
  tx.log({
    action: 'startBacktest',
    targetKind: 'rule',
    targetId: ruleId,
    after: { backtestId: id, versionNo, days },
  })
  return readBacktest(tx.db, id)
}

/** Users who may start back-tests may also stop those of others. @throws Problem G404 */
export async function stopBacktest(
  tx: CommandTx,
  { backtestId }: InputOf<typeof api.stopBacktest>,
): Promise<DataOf<typeof api.stopBacktest>> {
  const { rows } = await sql<{ jobId: string; ruleId: string }>`
    select b.job_id as "jobId", b.rule_id as "ruleId" from rule_backtest b
    where b.id = ${backtestId} and b.state = 'running'`.execute(tx.db)
  const [running] = rows
  if (!running) throw new Problem(NOT_FOUND)
  await cancelJob(tx, running.jobId, sql<boolean>`j.type = ${BACKTEST_JOB}`)
  emitTried(tx, running.ruleId)
  tx.log({
    action: 'stopBacktest',
    targetKind: 'rule',
    targetId: running.ruleId,
    after: { backtestId },
  })
  return readBacktest(tx.db, backtestId)
}
