/**
 * A version of a table comes into force when a second person approves it; then it gives limits and
 * prices to the next application. A table is disabled at once, unless it alone gives a limit.
 */
import { sql } from 'kysely'
import type { FactRow } from '#shared/approvals/effect.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { ruleLifecycle } from '#shared/rules/rule-lifecycle.ts'
import { TABLE_LAST } from '#shared/rules/rule-problems.ts'
import { GIVES_LIMIT } from '#shared/rules/tables/decision-table.ts'
import type { setTableStatus as statusCall } from '#shared/rules/tables/table-api.ts'
import { type ApprovalKind, requestApproval } from '#gateway/manage/features/approvals/public.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type JudgingTable, readTablesInForce } from './tables-in-force.ts'
import {
  emitTable,
  lockTable,
  readTable,
  readTableVersion,
  readTableVersions,
  type TableRow,
  type TableVersionRow,
} from './table-store.ts'

const TABLE_ENABLE = {
  kind: 'tableEnable',
  menu: 'rule_engine',
  route: '/home_page?tab=decide',
  approveCode: 'rule_engine:approve',
} as const

/** @throws Problem G404, G409, X-LIMIT, A-OPEN @throws IllegalTransition */
export async function setTableStatus(
  tx: CommandTx,
  { tableId, version, status, versionNo, reason }: InputOf<typeof statusCall>,
): Promise<DataOf<typeof statusCall>> {
  const table = await lockTable(tx.db, tableId)
  if (table.version !== version) throw await changedByOther(tx.db, 'decisionTable', tableId, table)
  if (status === 'disabled') {
    await disable(tx, table, reason)
    return { tableId, approvalId: null }
  }
  const asked = versionNo ?? table.latestNo
  await requireEnabling(tx, table, asked)
  const approval = await requestApproval(tx, TABLE_ENABLE, {
    targetKind: 'decisionTable',
    targetId: tableId,
    payload: { versionNo: asked },
    amount: 0,
    count: 1,
    reason,
  })
  emitTable(tx, table)
  tx.log({
    action: 'setTableStatus',
    targetKind: 'decisionTable',
    targetId: tableId,
    after: { versionNo: asked, reason, approvalId: approval.id },
  })
  return { tableId, approvalId: approval.id }
}

export const tableApproval: ApprovalKind = {
  ...TABLE_ENABLE,
  orderIds: () => [],
  async facts(db, { target_id: tableId, payload }) {
    const { name } = await readTableVersion(db, tableId ?? '', Number(payload.versionNo))
    return [{ name: 'decisionTable', kind: 'text', value: `${tableId} · ${name}` }]
  },
  async stand(trx, { target_id: tableId }) {
    const versions = await readTableVersions(trx, tableId ?? '')
    return standOf(versions.find(({ state }) => state === 'enabled'))
  },
  async carryOut(tx, { target_id: tableId, payload }) {
    const table = await lockTable(tx.db, tableId ?? '')
    const versionNo = Number(payload.versionNo)
    const version = await requireEnabling(tx, table, versionNo)
    await retire(tx, table)
    await sql`
      update decision_table_version set state = 'enabled', enabled_at = clock_timestamp(),
        enabled_by_name = ${tx.actor.userName}
      where table_id = ${table.tableId} and version_no = ${versionNo}`.execute(tx.db)
    await changed(tx, table, 'enabled', version, 'enableTable')
  },
  async dropped(tx, { target_id: tableId }) {
    emitTable(tx, await readTable(tx.db, tableId ?? ''))
  },
}

async function requireEnabling(
  tx: CommandTx,
  table: TableRow,
  versionNo: number,
): Promise<TableVersionRow> {
  const version = await readTableVersion(tx.db, table.tableId, versionNo)
  ruleLifecycle.next(table.status, {
    type: 'ENABLE',
    casesPass: true,
    isInForce: version.state === 'enabled',
  })
  await requireLimit(tx, table.tableId, version)
  return version
}

/** Some table must give a limit: this version, or another one that is in force. */
async function requireLimit(
  tx: CommandTx,
  tableId: string,
  version: Pick<JudgingTable, 'table'> | null,
): Promise<void> {
  // two tables must not both rely on the other one
  await sql`select pg_advisory_xact_lock(7105, 2)`.execute(tx.db)
  const others = (await readTablesInForce(tx.db)).filter((one) => one.tableId !== tableId)
  const judging = version === null ? others : [version, ...others]
  const givesLimit = judging.some(({ table }) =>
    table.outputs.some((name) => GIVES_LIMIT.includes(name)),
  )
  if (!givesLimit) throw new Problem(TABLE_LAST)
}

async function disable(tx: CommandTx, table: TableRow, reason: string): Promise<void> {
  ruleLifecycle.next(table.status, { type: 'DISABLE' })
  await requireLimit(tx, table.tableId, null)
  await retire(tx, table)
  await changed(tx, table, 'disabled', null, 'disableTable', reason)
}

function retire(tx: CommandTx, { tableId }: TableRow): Promise<unknown> {
  return sql`
    update decision_table_version set state = 'retired'
    where table_id = ${tableId} and state = 'enabled'`.execute(tx.db)
}

async function changed(
  tx: CommandTx,
  before: TableRow,
  status: 'enabled' | 'disabled',
  version: TableVersionRow | null,
  action: string,
  reason?: string,
): Promise<void> {
  await sql`
    update decision_table set status = ${status}, enabled_no = ${version?.versionNo ?? null}::int,
      version = version + 1, updated_by_name = ${tx.actor.userName}, updated_at = clock_timestamp()
    where id = ${before.tableId}`.execute(tx.db)
  const after = await readTable(tx.db, before.tableId)
  emitTable(tx, after)
  tx.log({
    action,
    targetKind: 'decisionTable',
    targetId: before.tableId,
    before,
    after: reason === undefined ? after : { ...after, reason },
  })
}

function standOf(version: TableVersionRow | undefined): FactRow[] {
  const row = (name: FactRow['name'], kind: FactRow['kind'], value: FactRow['value'] | undefined) =>
    ({ name, kind, value: value ?? null }) satisfies FactRow
  return [
    row('ruleVersion', 'number', version?.versionNo),
    row('tableRows', 'decisionTable', version && JSON.stringify(version.table)),
    row('tableOrder', 'number', version?.order),
  ]
}
