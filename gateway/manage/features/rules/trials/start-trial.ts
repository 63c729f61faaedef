/**
 * A version judges beside the one in force, or in its place for a share of the applications. A shadow
 * decides nothing, so one person starts it; a share needs the second person as enabling does. Ending
 * either needs none.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/rules/trial-api.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { askForVersion, requireEnabling } from '../book/enable-rule.ts'
import { lockRule } from '../book/rule-store.ts'
import { beginTrial, emitTried, requireNoTrial } from './trial-store.ts'

/**
 * @throws Problem G404, G409, G-FIELD for a share without its size, X-TRIAL while another runs, X-CASE
 * @throws IllegalTransition for the version in force
 */
export async function startTrial(
  tx: CommandTx,
  { ruleId, version, versionNo, kind, percent, reason }: InputOf<typeof api.startTrial>,
): Promise<DataOf<typeof api.startTrial>> {
  const rule = await lockRule(tx.db, ruleId)
  if (rule.version !== version) throw await changedByOther(tx.db, 'rule', ruleId, rule)
  await requireNoTrial(tx.db, ruleId)
  if (kind === 'shadow') {
    await requireEnabling(tx, rule, versionNo)
    const trialId = await beginTrial(tx, ruleId, { versionNo, kind, percent: null, reason })
    return { trialId, approvalId: null }
  }
  if (percent === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { percent: 'required' } })
  const approvalId = await askForVersion(tx, rule, { versionNo, percent, reason })
  return { trialId: null, approvalId }
}

/** @throws Problem G404 also for one that has ended */
export async function stopTrial(
  tx: CommandTx,
  { trialId, reason }: InputOf<typeof api.stopTrial>,
): Promise<DataOf<typeof api.stopTrial>> {
  const { rows } = await sql<{ ruleId: string }>`
    update rule_trial set ended_at = clock_timestamp(), ended_by_name = ${tx.actor.userName}
    where id = ${trialId} and ended_at is null returning rule_id as "ruleId"`.execute(tx.db)
  const [stopped] = rows
  if (!stopped) throw new Problem(NOT_FOUND)
  emitTried(tx, stopped.ruleId)
  tx.log({
    action: 'stopTrial',
    targetKind: 'rule',
    targetId: stopped.ruleId,
    after: { trialId, reason },
  })
  return { trialId }
}
