/** Groups and actions of rules. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/rules/rule-api.ts'
import { RULE_CHANGED } from '#shared/rules/rules-live.ts'
import { RULE_NAME_TAKEN, RULE_PART_USED } from '#shared/rules/rule-problems.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  notNull,
  onePage,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'

type Group = Static<typeof api.RuleGroup>
type Action = Static<typeof api.RuleAction>

const GROUP = sql<Group>`
  json_build_object('groupId', g.id, 'name', g.name, 'mode', g.mode, 'order', g.sort,
    'ruleCount', (select count(*)::int from rule r join rule_version v on v.rule_id = r.id
      and v.version_no = coalesce(r.enabled_no, r.latest_no) where v.group_id = g.id),
    'enabledCount', (select count(*)::int from rule_version v
      where v.group_id = g.id and v.state = 'enabled'),
    'updateTime', ${isoTime('g.updated_at')}, 'version', g.version)`

/** A version of any state keeps its action: what once judged can still be read. */
const IN_USE = sql<boolean>`exists (select 1 from rule_version v where v.action_id = x.id)`

const ACTION = sql<Action>`
  json_build_object('actionId', x.id, 'name', x.name, 'description', x.description, 'kind', x.kind,
    'inUse', ${IN_USE}, 'updateTime', ${isoTime('x.updated_at')}, 'version', x.version)`

const GROUP_SORTS = { order: notNull('g.sort'), name: notNull('lower(g.name)') }
const ACTION_SORTS = {
  actionId: notNull('x.id'),
  name: notNull('lower(x.name)'),
  kind: notNull('x.kind'),
}

export function findGroups(db: Db, input: InputOf<typeof api.listRuleGroups>): Promise<JsonText> {
  return onePage(db, {
    from: 'rule_group g',
    where: sql`true`,
    order: sortOf(input.sort, GROUP_SORTS, 'order:asc', 'g.id'),
    row: GROUP,
    input,
  })
}

export function findActions(db: Db, input: InputOf<typeof api.listRuleActions>): Promise<JsonText> {
  const { all, add } = filterClauses()
  add(input.name, (name) => sql`strpos(lower(x.name), lower(${name}::text)) > 0`)
  add(input.inUse, (inUse) => sql`${IN_USE} = ${inUse}`)
  return onePage(db, {
    from: 'rule_action x',
    where: allOf(all),
    order: sortOf(input.sort, ACTION_SORTS, 'name:asc', 'x.id'),
    row: ACTION,
    input,
  })
}

/**
 * The order of a group decides which refusal is given when several apply; its mode decides which rules
 * are judged, so it stays while one of them is in force.
 * @throws Problem G404, G409, K-DUP, K-USED
 */
export async function saveRuleGroup(
  tx: CommandTx,
  { groupId, version, name, mode, order }: InputOf<typeof api.saveRuleGroup>,
): Promise<Group> {
  await requireFreeName(tx, 'rule_group', name, groupId)
  if (groupId === undefined) {
    const { rows } = await sql<{ id: string }>`
      insert into rule_group (name, mode, sort, updated_by_name)
      values (${name}, ${mode}, ${order}, ${tx.actor.userName}) returning id`.execute(tx.db)
    return savedGroup(tx, (rows[0] as { id: string }).id, null)
  }
  await sql`select 1 from rule_group g where g.id = ${groupId} for update`.execute(tx.db)
  const before = await readGroup(tx.db, groupId)
  if (before.version !== version) throw await changedByOther(tx.db, 'ruleGroup', groupId, before)
  if (before.mode !== mode && before.enabledCount > 0) throw new Problem(RULE_PART_USED)
  await sql`
    update rule_group set name = ${name}, mode = ${mode}, sort = ${order}, version = version + 1,
      updated_by_name = ${tx.actor.userName}, updated_at = clock_timestamp()
    where id = ${groupId}`.execute(tx.db)
  return savedGroup(tx, groupId, before)
}

/** @throws Problem K-DUP */
export async function addRuleAction(
  tx: CommandTx,
  { name, description, kind }: InputOf<typeof api.addRuleAction>,
): Promise<Action> {
  await requireFreeName(tx, 'rule_action', name, undefined)
  const { rows } = await sql<{ id: string }>`
    insert into rule_action (name, description, kind, updated_by_name)
    values (${name}, ${description}, ${kind}, ${tx.actor.userName}) returning id`.execute(tx.db)
  return savedAction(tx, 'addRuleAction', (rows[0] as { id: string }).id, null)
}

/** @throws Problem G404, G409, K-DUP, K-USED when a rule uses it and it would do something else */
export async function editRuleAction(
  tx: CommandTx,
  { actionId, version, name, description, kind }: InputOf<typeof api.editRuleAction>,
): Promise<Action> {
  const before = await lockAction(tx, actionId, version)
  await requireFreeName(tx, 'rule_action', name, actionId)
  if (before.kind !== kind && before.inUse) throw new Problem(RULE_PART_USED)
  await sql`
    update rule_action set name = ${name}, description = ${description}, kind = ${kind},
      updated_by_name = ${tx.actor.userName}, updated_at = clock_timestamp(), version = version + 1
    where id = ${actionId}`.execute(tx.db)
  return savedAction(tx, 'editRuleAction', actionId, before)
}

/** @throws Problem G404, G409, K-USED */
export async function deleteRuleAction(
  tx: CommandTx,
  { actionId, version }: InputOf<typeof api.deleteRuleAction>,
): Promise<null> {
  const before = await lockAction(tx, actionId, version)
  if (before.inUse) throw new Problem(RULE_PART_USED)
  await sql`delete from rule_action where id = ${actionId}`.execute(tx.db)
  emitRulePart(tx, 'ruleAction', actionId)
  tx.log({ action: 'deleteRuleAction', targetKind: 'ruleAction', targetId: actionId, before })
  return null
}

async function lockAction(tx: CommandTx, actionId: string, version: number): Promise<Action> {
  await sql`select 1 from rule_action x where x.id = ${actionId} for update`.execute(tx.db)
  const before = await readAction(tx.db, actionId)
  if (before.version !== version) throw await changedByOther(tx.db, 'ruleAction', actionId, before)
  return before
}

async function readGroup(db: Db, groupId: string): Promise<Group> {
  const { rows } = await sql<{ row: Group }>`
    select ${GROUP} as row from rule_group g where g.id = ${groupId}`.execute(db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  return rows[0].row
}

async function readAction(db: Db, actionId: string): Promise<Action> {
  const { rows } = await sql<{ row: Action }>`
    select ${ACTION} as row from rule_action x where x.id = ${actionId}`.execute(db)
  if (!rows[0]) throw new Problem(NOT_FOUND)
  return rows[0].row
}

async function savedGroup(tx: CommandTx, groupId: string, before: Group | null): Promise<Group> {
  const after = await readGroup(tx.db, groupId)
  emitRulePart(tx, 'ruleGroup', groupId)
  tx.log({ action: 'saveRuleGroup', targetKind: 'ruleGroup', targetId: groupId, before, after })
  return after
}

async function savedAction(
  tx: CommandTx,
  action: string,
  actionId: string,
  before: Action | null,
): Promise<Action> {
  const after = await readAction(tx.db, actionId)
  emitRulePart(tx, 'ruleAction', actionId)
  tx.log({ action, targetKind: 'ruleAction', targetId: actionId, before, after })
  return after
}

async function requireFreeName(
  tx: CommandTx,
  table: 'rule_group' | 'rule_action',
  name: string,
  ownId: string | undefined,
): Promise<void> {
  // the lock keeps two from taking one name at once; the index would refuse without words
  await sql`select pg_advisory_xact_lock(7105, 1)`.execute(tx.db)
  const { rows } = await sql`
    select 1 from ${sql.table(table)} n
    where lower(n.name) = lower(${name}) and n.id is distinct from ${ownId ?? null}`.execute(tx.db)
  if (rows.length > 0) throw new Problem(RULE_NAME_TAKEN, {}, { fields: { name: 'unique' } })
}

/** Every rule may read otherwise now. */
function emitRulePart(tx: CommandTx, kind: 'ruleGroup' | 'ruleAction', id: string): void {
  tx.emit(RULE_CHANGED, {
    subject: `${kind}:${id}`,
    rooms: ['menu:rule_engine'],
    data: { ruleId: null, versionNo: null, status: null },
  })
}
