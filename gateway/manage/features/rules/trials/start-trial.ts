/**
 * A version judges beside the one in force, or in its place for a share of the applications. A shadow
 * decides nothing, so one person starts it; a share needs the second person as enabling does. Ending
 * either needs none.
 */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/rules/trial-api.ts'
import type { TrialKind } from '#shared/rules/trial-sets.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { RULE } from '../book/rule-kind.ts'
import { requestVersion, requireEnabling } from '../versions/enable-version.ts'
import { lockUnchanged } from '../versions/save-version.ts'
import { beginTrial, emitTried, requireNoTrial } from './trial-store.ts'

/**
 * @throws Problem G404, G409, G-FIELD for a share without its size, X-TRIAL while another runs, X-CASE
 * @throws IllegalTransition for the version in force
 */
export async function startTrial(
  tx: CommandTx,
  { ruleId, version, versionNo, kind, percent, reason }: InputOf<typeof api.startTrial>,
): Promise<DataOf<typeof api.startTrial>> {
  const rule = await lockUnchanged(tx, RULE, { id: ruleId, version })
  await requireNoTrial(tx.db, ruleId)
  if (kind === 'shadow') {
    await requireEnabling(tx, RULE, rule, versionNo)
    const trialId = await beginTrial(tx, ruleId, { versionNo, kind, percent: null, reason })
    return { trialId, approvalId: null }
  }
  if (percent === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { percent: 'required' } })
  const approvalId = await requestVersion(tx, RULE, rule, { versionNo, percent, reason })
  return { trialId: null, approvalId }
}

interface Stopped {
  ruleId: string
  versionNo: number
  kind: TrialKind
  percent: number | null
  name: string
}

/** @throws Problem G404 also for one that has ended */
export async function stopTrial(
  tx: CommandTx,
  { trialId, reason }: InputOf<typeof api.stopTrial>,
): Promise<DataOf<typeof api.stopTrial>> {
  const { rows } = await sql<Stopped>`
    update rule_trial t set ended_at = clock_timestamp(), ended_by_name = ${tx.actor.userName}
    from rule_version v
    where t.id = ${trialId} and t.ended_at is null and v.rule_id = t.rule_id
      and v.version_no = t.version_no
    returning t.rule_id as "ruleId", t.version_no as "versionNo", t.kind, t.percent, v.name`.execute(
    tx.db,
  )
  const [stopped] = rows
  if (!stopped) throw new Problem(NOT_FOUND)
  const { ruleId, name, kind, versionNo, percent } = stopped
  emitTried(tx, ruleId)
  tx.log({
    action: 'stopTrial',
    targetKind: 'rule',
    targetId: ruleId,
    before: { trialId, name, kind, versionNo, percent },
    after: { trialId, name, reason },
  })
  return { trialId }
}
