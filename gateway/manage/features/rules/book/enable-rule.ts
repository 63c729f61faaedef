/** What a second person reads and decides about a version of a rule, or about its share. */
import type { FactRow } from '#shared/approvals/effect.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { ApprovalKind } from '#gateway/manage/features/approvals/public.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { beginTrial, openShare } from '../trials/trial-store.ts'
import { bringIntoForce, ENABLING, requireEnabling } from '../versions/enable-version.ts'
import { emitRow, lockRow, readRow, readVersion, readVersions } from '../versions/version-store.ts'
import { RULE, type RuleVersionRow } from './rule-kind.ts'

export const ruleApproval: ApprovalKind = {
  kind: RULE.approvalKind,
  ...ENABLING,
  orderIds: () => [],
  async facts(db, { target_id: ruleId, payload }) {
    const { name } = await readVersion(db, RULE, ruleId ?? '', Number(payload.versionNo))
    return [{ name: 'rule', kind: 'text', value: `${ruleId} · ${name}` }]
  },
  async snapshot(trx, { target_id: ruleId, payload }) {
    const share = payload.percent === undefined ? null : await openShare(trx, ruleId ?? '')
    const version = share
      ? await readVersion(trx, RULE, ruleId ?? '', share.versionNo)
      : await versionInForce(trx, ruleId ?? '')
    const percent = { name: 'ruleShare', kind: 'number', value: share?.percent ?? null } as const
    return [percent, ...standOf(version)]
  },
  async carryOut(tx, { target_id: ruleId, payload, reason }) {
    const rule = await lockRow(tx.db, RULE, ruleId ?? '')
    const versionNo = Number(payload.versionNo)
    await requireEnabling(tx, RULE, rule, versionNo)
    if (payload.percent === undefined) await bringIntoForce(tx, RULE, rule, versionNo)
    else {
      const percent = Number(payload.percent)
      await beginTrial(tx, rule.ruleId, { versionNo, kind: 'share', percent, reason })
    }
  },
  async dropped(tx, { target_id: ruleId }) {
    const id = ruleId ?? ''
    emitRow(tx, RULE, id, await readRow(tx.db, RULE, id))
  },
}

async function versionInForce(db: Db, ruleId: string): Promise<RuleVersionRow | null> {
  const versions = await readVersions(db, RULE, ruleId)
  if (versions.length === 0) throw new Problem(NOT_FOUND)
  return versions.find(({ state }) => state === 'enabled') ?? null
}

function standOf(version: RuleVersionRow | null): FactRow[] {
  const row = (name: FactRow['name'], kind: FactRow['kind'], value: FactRow['value'] | undefined) =>
    ({ name, kind, value: value ?? null }) satisfies FactRow
  return [
    row('ruleVersion', 'number', version?.versionNo),
    row('ruleExpression', 'ruleExpression', version && JSON.stringify(version.expression)),
    row('ruleAction', 'text', version?.actionName),
    row('refusalCode', 'text', version?.refusalCode),
    row('ruleOutput', 'text', version?.output),
    row('ruleGroup', 'text', version?.groupName),
    row('rulePriority', 'number', version?.priority),
    row('ruleMode', 'ruleMode', version?.mode),
  ]
}
