/** A rule is added, gets a new draft version, or is deleted. */
import { sql } from 'kysely'
import { conditionFaults } from '#shared/conditions/condition-faults.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/rules/rule-api.ts'
import { RULE_CATALOGUE } from '#shared/rules/rule-fields.ts'
import { ruleLifecycle } from '#shared/rules/rule-lifecycle.ts'
import { RULE_NAME_TAKEN, RULE_PART_USED, RULE_WRONG } from '#shared/rules/rule-problems.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { toGraph } from '../engine/rule-graph.ts'
import { hadShare } from '../trials/trial-store.ts'
import { emitRule } from './rule-events.ts'
import { lockRule, readRule } from './rule-store.ts'

type Said = InputOf<typeof api.addRule>
type Saved = DataOf<typeof api.addRule>

/** @throws Problem X-RULE naming the nodes, K-DUP, G-FIELD */
export async function addRule(tx: CommandTx, said: Said): Promise<Saved> {
  await requireSaid(tx, said, null)
  const { rows } = await sql<{ id: string }>`
    insert into rule (updated_by_name) values (${tx.actor.userName}) returning id`.execute(tx.db)
  const { id } = rows[0] as { id: string }
  await insertVersion(tx, id, 1, said)
  const rule = await readRule(tx.db, id)
  emitRule(tx, rule)
  tx.log({ action: 'addRule', targetKind: 'rule', targetId: id, after: rule })
  return { ruleId: id, versionNo: 1 }
}

/** @throws Problem G404, G409, X-RULE naming the nodes, K-DUP, G-FIELD */
export async function editRule(
  tx: CommandTx,
  { ruleId, version, ...said }: InputOf<typeof api.editRule>,
): Promise<Saved> {
  const before = await lockRule(tx.db, ruleId)
  if (before.version !== version) throw await changedByOther(tx.db, 'rule', ruleId, before)
  await requireSaid(tx, said, ruleId)
  const versionNo = before.latestNo + 1
  await insertVersion(tx, ruleId, versionNo, said)
  await sql`
    update rule set latest_no = ${versionNo}, updated_by_name = ${tx.actor.userName},
      updated_at = clock_timestamp(), version = version + 1 where id = ${ruleId}`.execute(tx.db)
  const after = await readRule(tx.db, ruleId)
  emitRule(tx, after)
  tx.log({
    action: 'editRule',
    targetKind: 'rule',
    targetId: ruleId,
    before,
    after: { ...said, versionNo },
  })
  return { ruleId, versionNo }
}

/** @throws Problem G404, G409, K-USED when it was ever in force @throws IllegalTransition */
export async function deleteRule(
  tx: CommandTx,
  { ruleId, version }: InputOf<typeof api.deleteRule>,
): Promise<null> {
  const before = await lockRule(tx.db, ruleId)
  if (before.version !== version) throw await changedByOther(tx.db, 'rule', ruleId, before)
  // a rule that once judged stays: applications name it
  const hasJudged = before.status !== 'draft' || (await hadShare(tx.db, ruleId))
  if (hasJudged || before.approval !== null) throw new Problem(RULE_PART_USED)
  const status = ruleLifecycle.next(before.status, { type: 'DELETE' })
  await sql`delete from rule where id = ${ruleId}`.execute(tx.db)
  emitRule(tx, { ruleId, version: version + 1, versionNo: before.versionNo, status })
  tx.log({ action: 'deleteRule', targetKind: 'rule', targetId: ruleId, before })
  return null
}

async function requireSaid(tx: CommandTx, said: Said, ruleId: string | null): Promise<void> {
  const faults = conditionFaults(said.expression, RULE_CATALOGUE)
  if (faults[0])
    throw new Problem(
      RULE_WRONG,
      { position: faults[0].path || '0' },
      { faults, fields: { expression: 'conditions:fault.tree' } },
    )
  const { rows: parts } = await sql<{ kind: string | null; hasGroup: boolean }>`
    select (select x.kind from rule_action x where x.id = ${said.actionId}) as kind,
      exists (select 1 from rule_group g where g.id = ${said.groupId}) as "hasGroup"`.execute(tx.db)
  const { kind, hasGroup } = parts[0] as { kind: string | null; hasGroup: boolean }
  const fields: Record<string, string> = {}
  if (kind === null) fields.actionId = 'required'
  if (!hasGroup) fields.groupId = 'required'
  if (kind === 'reject' && !said.refusalCode) fields.refusalCode = 'required'
  if (kind === 'setOutput' && !said.output) fields.output = 'required'
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
  // the lock keeps two rules from taking one name at once
  await sql`select pg_advisory_xact_lock(7105, 0)`.execute(tx.db)
  const { rows } = await sql`
    select 1 from rule r join rule_version v on v.rule_id = r.id
      and v.version_no in (r.latest_no, r.enabled_no)
    where lower(v.name) = lower(${said.name}) and r.id is distinct from ${ruleId}`.execute(tx.db)
  if (rows.length > 0) throw new Problem(RULE_NAME_TAKEN, {}, { fields: { name: 'unique' } })
}

function insertVersion(
  tx: CommandTx,
  ruleId: string,
  versionNo: number,
  said: Said,
): Promise<unknown> {
  return sql`
    insert into rule_version (rule_id, version_no, name, type, group_id, priority, mode, description,
      content, action_id, output, refusal_code, created_by_name)
    values (${ruleId}, ${versionNo}, ${said.name}, ${said.type}, ${said.groupId}, ${said.priority},
      ${said.mode}, ${said.description ?? ''},
      ${JSON.stringify(toGraph(said.expression, RULE_CATALOGUE))}::jsonb, ${said.actionId},
      ${said.output ?? null}::text, ${said.refusalCode ?? null}::text, ${tx.actor.userName})`.execute(
    tx.db,
  )
}
