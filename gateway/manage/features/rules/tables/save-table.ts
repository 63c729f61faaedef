/** A decision table is added, gets a new draft version, or is deleted. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { ruleLifecycle } from '#shared/rules/rule-lifecycle.ts'
import { RULE_NAME_TAKEN, RULE_PART_USED, TABLE_WRONG } from '#shared/rules/rule-problems.ts'
import type * as api from '#shared/rules/tables/table-api.ts'
import { tableFaults } from '#shared/rules/tables/table-faults.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { toTableGraph } from './table-graph.ts'
import { emitTable, lockTable, readTable } from './table-store.ts'

type Said = InputOf<typeof api.addTable>
type Saved = DataOf<typeof api.addTable>

/** @throws Problem X-TABLE naming the cells, K-DUP */
export async function addTable(tx: CommandTx, said: Said): Promise<Saved> {
  await requireSaid(tx, said, null)
  const { rows } = await sql<{ id: string }>`
    insert into decision_table (updated_by_name) values (${tx.actor.userName}) returning id`.execute(
    tx.db,
  )
  const { id } = rows[0] as { id: string }
  await insertVersion(tx, id, 1, said)
  const table = await readTable(tx.db, id)
  emitTable(tx, table)
  tx.log({ action: 'addTable', targetKind: 'decisionTable', targetId: id, after: table })
  return { tableId: id, versionNo: 1 }
}

/** @throws Problem G404, G409, X-TABLE naming the cells, K-DUP */
export async function editTable(
  tx: CommandTx,
  { tableId, version, ...said }: InputOf<typeof api.editTable>,
): Promise<Saved> {
  const before = await lockTable(tx.db, tableId)
  if (before.version !== version)
    throw await changedByOther(tx.db, 'decisionTable', tableId, before)
  await requireSaid(tx, said, tableId)
  const versionNo = before.latestNo + 1
  await insertVersion(tx, tableId, versionNo, said)
  await sql`
    update decision_table set latest_no = ${versionNo}, updated_by_name = ${tx.actor.userName},
      updated_at = clock_timestamp(), version = version + 1 where id = ${tableId}`.execute(tx.db)
  emitTable(tx, await readTable(tx.db, tableId))
  tx.log({
    action: 'editTable',
    targetKind: 'decisionTable',
    targetId: tableId,
    before,
    after: { ...said, versionNo },
  })
  return { tableId, versionNo }
}

/** @throws Problem G404, G409, K-USED when it was ever in force @throws IllegalTransition */
export async function deleteTable(
  tx: CommandTx,
  { tableId, version }: InputOf<typeof api.deleteTable>,
): Promise<null> {
  const before = await lockTable(tx.db, tableId)
  if (before.version !== version)
    throw await changedByOther(tx.db, 'decisionTable', tableId, before)
  // a table that once judged stays: applications name it
  if (before.status !== 'draft' || before.approval !== null) throw new Problem(RULE_PART_USED)
  ruleLifecycle.next(before.status, { type: 'DELETE' })
  await sql`delete from decision_table where id = ${tableId}`.execute(tx.db)
  emitTable(tx, { tableId, version: version + 1 })
  tx.log({ action: 'deleteTable', targetKind: 'decisionTable', targetId: tableId, before })
  return null
}

async function requireSaid(tx: CommandTx, said: Said, tableId: string | null): Promise<void> {
  const faults = tableFaults(said.table)
  const [first] = faults
  if (first)
    throw new Problem(
      TABLE_WRONG,
      { position: first.row === null ? '0' : String(first.row + 1) },
      { faults, fields: { table: 'rules:table.fault.table' } },
    )
  // the lock keeps two tables from taking one name at once
  await sql`select pg_advisory_xact_lock(7105, 1)`.execute(tx.db)
  const { rows } = await sql`
    select 1 from decision_table d join decision_table_version v on v.table_id = d.id
      and v.version_no in (d.latest_no, d.enabled_no)
    where lower(v.name) = lower(${said.name}) and d.id is distinct from ${tableId}`.execute(tx.db)
  if (rows.length > 0) throw new Problem(RULE_NAME_TAKEN, {}, { fields: { name: 'unique' } })
}

function insertVersion(
  tx: CommandTx,
  tableId: string,
  versionNo: number,
  said: Said,
): Promise<unknown> {
  return sql`
    insert into decision_table_version (table_id, version_no, name, sort, description, content,
      created_by_name)
    values (${tableId}, ${versionNo}, ${said.name}, ${said.order}, ${said.description ?? ''},
      ${JSON.stringify(toTableGraph(said.table, said.name))}::jsonb, ${tx.actor.userName})`.execute(
    tx.db,
  )
}
