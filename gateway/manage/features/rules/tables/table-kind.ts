/** A decision table, as something that is kept in versions. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { TABLE_LAST, TABLE_WRONG } from '#shared/rules/rule-problems.ts'
import { GIVES_LIMIT, TABLE_CATALOGUE } from '#shared/rules/tables/decision-table.ts'
import { evaluateTable } from '#shared/rules/tables/evaluate-table.ts'
import { outputsOf } from '#shared/rules/tables/offer.ts'
import type * as api from '#shared/rules/tables/table-api.ts'
import { tableFaults } from '#shared/rules/tables/table-faults.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { VersionKind } from '../versions/version-kind.ts'
import { toTableGraph } from './table-graph.ts'
import { readTablesInForce, tableOf } from './tables-in-force.ts'

export type TableRow = Static<typeof api.TableRow>
export type TableVersionRow = Static<typeof api.TableVersion>
type TableFields = InputOf<typeof api.addTable>

export const TABLE: VersionKind<TableRow, TableVersionRow, TableFields> = {
  targetKind: 'decisionTable',
  approvalKind: 'tableEnable',
  table: 'decision_table',
  versions: 'decision_table_version',
  key: 'table_id',
  nameLock: 1,
  actions: {
    add: 'addTable',
    edit: 'editTable',
    delete: 'deleteTable',
    ask: 'setTableStatus',
    enable: 'enableTable',
    disable: 'disableTable',
  },
  columns: sql`v.version_no as "versionNo", v.sort as "order", v.description`,
  shown: sql`d.id as "tableId", jsonb_array_length(jsonb_path_query_first(v.content,
    '$.nodes[*] ? (@.type == "decisionTableNode").content.rules')) as "rowCount"`,
  joins: sql``,
  contentOf: ({ content, name }) => ({ table: tableOf(name, content) }),
  idOf: ({ tableId }) => tableId,
  eventOf: () => ({ ruleId: null, versionNo: null, status: null }),
  requireValid,
  insertVersion,
  catalogue: TABLE_CATALOGUE,
  outcomeOf({ table }, facts) {
    const { hit, open } = evaluateTable(table, facts)
    if (open !== null) return { outcome: 'notEvaluated', got: null }
    return hit === null
      ? { outcome: 'noHit', got: null }
      : { outcome: 'hit', got: outputsOf(table, hit) }
  },
  requireOthers: requireLimit,
}

/** @throws Problem X-TABLE naming the cells */
function requireValid(_tx: CommandTx, fields: TableFields): Promise<void> {
  const faults = tableFaults(fields.table)
  const [first] = faults
  if (first === undefined) return Promise.resolve()
  throw new Problem(
    TABLE_WRONG,
    { position: first.row === null ? '0' : String(first.row + 1) },
    { faults, fields: { table: 'rules:table.fault.table' } },
  )
}

function insertVersion(
  tx: CommandTx,
  tableId: string,
  versionNo: number,
  fields: TableFields,
): Promise<unknown> {
  return sql`
    insert into decision_table_version (table_id, version_no, name, sort, description, content,
      created_by_name)
    values (${tableId}, ${versionNo}, ${fields.name}, ${fields.order}, ${fields.description ?? ''},
      ${JSON.stringify(toTableGraph(fields.table, fields.name))}::jsonb, ${tx.actor.userName})`.execute(
    tx.db,
  )
}

/**
 * Some table must give a limit: this version, or another one that is in force.
 * @throws Problem X-LIMIT
 */
async function requireLimit(
  tx: CommandTx,
  tableId: string,
  version: Pick<TableVersionRow, 'table'> | null,
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
