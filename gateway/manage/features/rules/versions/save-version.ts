/** Something is added, gets a new draft version, or is deleted. */
import { sql } from 'kysely'
import { Problem } from '#shared/kernel/problem.ts'
import { ruleLifecycle } from '#shared/rules/rule-lifecycle.ts'
import { RULE_NAME_TAKEN, RULE_PART_USED } from '#shared/rules/rule-problems.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AnyKind, Head, HeadVersion, VersionKind } from './version-kind.ts'
import { emitRow, lockRow, readRow } from './version-store.ts'

interface Saved {
  id: string
  versionNo: number
}
interface Known {
  id: string
  version: number
}

/** @throws Problem K-DUP, and what the kind refuses */
export async function addVersioned<Fields extends { name: string }>(
  tx: CommandTx,
  kind: VersionKind<Head, HeadVersion, Fields>,
  fields: Fields,
): Promise<Saved> {
  await kind.requireValid(tx, fields)
  await requireName(tx, kind, fields.name, null)
  const { rows } = await sql<{ id: string }>`
    insert into ${sql.ref(kind.table)} (updated_by_name) values (${tx.actor.userName})
    returning id`.execute(tx.db)
  const { id } = rows[0] as { id: string }
  await kind.insertVersion(tx, id, 1, fields)
  const after = await readRow(tx.db, kind, id)
  emitRow(tx, kind, id, after)
  tx.log({ action: kind.actions.add, targetKind: kind.targetKind, targetId: id, after })
  return { id, versionNo: 1 }
}

/** @throws Problem G404, G409, K-DUP, and what the kind refuses */
export async function editVersioned<Fields extends { name: string }>(
  tx: CommandTx,
  kind: VersionKind<Head, HeadVersion, Fields>,
  { id, version }: Known,
  fields: Fields,
): Promise<Saved> {
  const before = await lockUnchanged(tx, kind, { id, version })
  await kind.requireValid(tx, fields)
  await requireName(tx, kind, fields.name, id)
  const versionNo = before.latestNo + 1
  await kind.insertVersion(tx, id, versionNo, fields)
  await sql`
    update ${sql.ref(kind.table)} set latest_no = ${versionNo}, updated_by_name = ${tx.actor.userName},
      updated_at = clock_timestamp(), version = version + 1 where id = ${id}`.execute(tx.db)
  emitRow(tx, kind, id, await readRow(tx.db, kind, id))
  tx.log({
    action: kind.actions.edit,
    targetKind: kind.targetKind,
    targetId: id,
    before,
    after: { ...fields, versionNo },
  })
  return { id, versionNo }
}

/** @throws Problem G404, G409, K-USED when it was ever in force @throws IllegalTransition */
export async function deleteVersioned(
  tx: CommandTx,
  kind: AnyKind,
  { id, version }: Known,
): Promise<null> {
  const before = await lockUnchanged(tx, kind, { id, version })
  // what once judged stays: applications name it
  const hasJudged = before.status !== 'draft' || (await kind.hasJudged?.(tx, id)) === true
  if (hasJudged || before.approval !== null) throw new Problem(RULE_PART_USED)
  const status = ruleLifecycle.next(before.status, { type: 'DELETE' })
  await sql`delete from ${sql.ref(kind.table)} where id = ${id}`.execute(tx.db)
  emitRow(tx, kind, id, { version: version + 1, versionNo: before.versionNo, status })
  tx.log({ action: kind.actions.delete, targetKind: kind.targetKind, targetId: id, before })
  return null
}

/** @throws Problem G404, G409 */
export async function lockUnchanged(
  tx: CommandTx,
  kind: AnyKind,
  { id, version }: Known,
): Promise<Head> {
  const row = await lockRow(tx.db, kind, id)
  if (row.version !== version) throw await changedByOther(tx.db, kind.targetKind, id, row)
  return row
}

async function requireName(
  tx: CommandTx,
  kind: Pick<AnyKind, 'nameLock' | 'table' | 'versions' | 'key'>,
  name: string,
  id: string | null,
): Promise<void> {
  // the lock keeps two of them from taking one name at once
  await sql`select pg_advisory_xact_lock(7105, ${kind.nameLock})`.execute(tx.db)
  const { rows } = await sql`
    select 1 from ${sql.ref(kind.table)} d
    join ${sql.ref(kind.versions)} v on v.${sql.ref(kind.key)} = d.id
      and v.version_no in (d.latest_no, d.enabled_no)
    where lower(v.name) = lower(${name}) and d.id is distinct from ${id}`.execute(tx.db)
  if (rows.length > 0) throw new Problem(RULE_NAME_TAKEN, {}, { fields: { name: 'unique' } })
}
