/** What a second person reads and decides about a version of a decision table. */
import type { FactRow } from '#shared/approvals/effect.ts'
import type { ApprovalKind } from '#gateway/manage/features/approvals/public.ts'
import { bringIntoForce, ENABLING, requireEnabling } from '../versions/enable-version.ts'
import { emitRow, lockRow, readRow, readVersion, readVersions } from '../versions/version-store.ts'
import { TABLE, type TableVersionRow } from './table-kind.ts'

export const tableApproval: ApprovalKind = {
  kind: TABLE.approvalKind,
  ...ENABLING,
  orderIds: () => [],
  async facts(db, { target_id: tableId, payload }) {
    const { name } = await readVersion(db, TABLE, tableId ?? '', Number(payload.versionNo))
    return [{ name: 'decisionTable', kind: 'text', value: `${tableId} · ${name}` }]
  },
  async snapshot(trx, { target_id: tableId }) {
    const versions = await readVersions(trx, TABLE, tableId ?? '')
    return standOf(versions.find(({ state }) => state === 'enabled'))
  },
  async carryOut(tx, { target_id: tableId, payload }) {
    const table = await lockRow(tx.db, TABLE, tableId ?? '')
    const versionNo = Number(payload.versionNo)
    await requireEnabling(tx, TABLE, table, versionNo)
    await bringIntoForce(tx, TABLE, table, versionNo)
  },
  async dropped(tx, { target_id: tableId }) {
    const id = tableId ?? ''
    emitRow(tx, TABLE, id, await readRow(tx.db, TABLE, id))
  },
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
