/**
 * A version comes into force when a second person approves it; then it judges the next application.
 * A rule is disabled at once, because one that does harm cannot wait.
 */
import { sql } from 'kysely'
import type { FactRow } from '#shared/approvals/effect.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { setRuleStatus as statusCall } from '#shared/rules/rule-api.ts'
import { ruleLifecycle } from '#shared/rules/rule-lifecycle.ts'
import { RULE_CASES_FAIL } from '#shared/rules/rule-problems.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { beginTrial, endTrialsOf, openShare } from '../trials/trial-store.ts'
import { failingCases } from './rule-cases.ts'
import { emitRule } from './rule-events.ts'
import { lockRule, readRule, readVersion, readVersions, type RuleRow } from './rule-store.ts'

const RULE_ENABLE = {
  kind: 'ruleEnable',
  menu: 'rule_engine',
  route: '/home_page?tab=decide',
  approveCode: 'rule_engine:approve',
} as const

/**
 * @throws Problem G404, G409, X-CASE while a test case fails, A-OPEN
 * @throws IllegalTransition
 */
export async function setRuleStatus(
  tx: CommandTx,
  { ruleId, version, status, versionNo, reason }: InputOf<typeof statusCall>,
): Promise<DataOf<typeof statusCall>> {
  const rule = await lockRule(tx.db, ruleId)
  if (rule.version !== version) throw await changedByOther(tx.db, 'rule', ruleId, rule)
  if (status === 'disabled') {
    await disable(tx, rule, reason)
    return { ruleId, approvalId: null }
  }
  const asked = versionNo ?? rule.latestNo
  const approvalId = await askForVersion(tx, rule, { versionNo: asked, percent: null, reason })
  return { ruleId, approvalId }
}

/**
 * @param percent of the applications; null: the version comes into force
 * @returns the request @throws Problem X-CASE, A-OPEN @throws IllegalTransition
 */
export async function askForVersion(
  tx: CommandTx,
  rule: RuleRow,
  { versionNo, percent, reason }: { versionNo: number; percent: number | null; reason: string },
): Promise<string> {
  await requireEnabling(tx, rule, versionNo)
  const approval = await requestApproval(tx, RULE_ENABLE, {
    targetKind: 'rule',
    targetId: rule.ruleId,
    payload: percent === null ? { versionNo } : { versionNo, percent },
    amount: 0,
    count: 1,
    reason,
  })
  emitRule(tx, rule)
  tx.log({
    action: percent === null ? 'setRuleStatus' : 'startTrial',
    targetKind: 'rule',
    targetId: rule.ruleId,
    after: { versionNo, percent, reason, approvalId: approval.id },
  })
  return approval.id
}

export const ruleApproval: ApprovalKind = {
  ...RULE_ENABLE,
  orderIds: () => [],
  async facts(db, { target_id: ruleId, payload }) {
    const { name } = await readVersion(db, ruleId ?? '', Number(payload.versionNo))
    return [{ name: 'rule', kind: 'text', value: `${ruleId} · ${name}` }]
  },
  async stand(trx, { target_id: ruleId, payload }) {
    const share = payload.percent === undefined ? null : await openShare(trx, ruleId ?? '')
    const version = share
      ? await readVersion(trx, ruleId ?? '', share.versionNo)
      : await versionInForce(trx, ruleId ?? '')
    const percent = { name: 'ruleShare', kind: 'number', value: share?.percent ?? null } as const
    return [percent, ...standOf(version)]
  },
  async carryOut(tx, { target_id: ruleId, payload, reason }) {
    const rule = await lockRule(tx.db, ruleId ?? '')
    const versionNo = Number(payload.versionNo)
    await requireEnabling(tx, rule, versionNo)
    if (payload.percent !== undefined) {
      const percent = Number(payload.percent)
      await beginTrial(tx, rule.ruleId, { versionNo, kind: 'share', percent, reason })
      return
    }
    await sql`
      update rule_version set state = 'retired'
      where rule_id = ${rule.ruleId} and state = 'enabled'`.execute(tx.db)
    await sql`
      update rule_version set state = 'enabled', enabled_at = clock_timestamp(),
        enabled_by_name = ${tx.actor.userName}
      where rule_id = ${rule.ruleId} and version_no = ${versionNo}`.execute(tx.db)
    await changed(tx, rule, 'enabled', versionNo, 'enableRule')
  },
  async dropped(tx, { target_id: ruleId }) {
    emitRule(tx, await readRule(tx.db, ruleId))
  },
}

/** @throws Problem G404, X-CASE @throws IllegalTransition for the version in force */
export async function requireEnabling(
  tx: CommandTx,
  rule: RuleRow,
  versionNo: number,
): Promise<void> {
  const version = await readVersion(tx.db, rule.ruleId, versionNo)
  const cases = await failingCases(tx.db, rule.ruleId, version.expression)
  if (cases.length > 0)
    throw new Problem(
      RULE_CASES_FAIL,
      { n: cases.length },
      { cases: cases.map(({ name }) => name) },
    )
  ruleLifecycle.next(rule.status, {
    type: 'ENABLE',
    casesPass: true,
    isInForce: version.state === 'enabled',
  })
}

async function disable(tx: CommandTx, rule: RuleRow, reason: string): Promise<void> {
  ruleLifecycle.next(rule.status, { type: 'DISABLE' })
  await sql`
    update rule_version set state = 'retired'
    where rule_id = ${rule.ruleId} and state = 'enabled'`.execute(tx.db)
  await changed(tx, rule, 'disabled', null, 'disableRule', reason)
}

async function changed(
  tx: CommandTx,
  before: RuleRow,
  status: 'enabled' | 'disabled',
  enabledNo: number | null,
  action: string,
  reason?: string,
): Promise<void> {
  await endTrialsOf(tx, before.ruleId)
  await sql`
    update rule set status = ${status}, enabled_no = ${enabledNo}::int, version = version + 1,
      updated_by_name = ${tx.actor.userName}, updated_at = clock_timestamp()
    where id = ${before.ruleId}`.execute(tx.db)
  const after = await readRule(tx.db, before.ruleId)
  emitRule(tx, after)
  tx.log({
    action,
    targetKind: 'rule',
    targetId: before.ruleId,
    before,
    after: reason === undefined ? after : { ...after, reason },
  })
}

async function versionInForce(
  db: Parameters<typeof readVersions>[0],
  ruleId: string,
): Promise<Awaited<ReturnType<typeof readVersions>>[number] | null> {
  const versions = await readVersions(db, ruleId)
  if (versions.length === 0) throw new Problem(NOT_FOUND)
  return versions.find(({ state }) => state === 'enabled') ?? null
}

function standOf(version: Awaited<ReturnType<typeof versionInForce>>): FactRow[] {
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
