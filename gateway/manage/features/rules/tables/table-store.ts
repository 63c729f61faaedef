/** Rows of `decision_table` and its versions. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { RULE_CHANGED } from '#shared/rules/rules-live.ts'
import type { DecisionTable } from '#shared/rules/tables/decision-table.ts'
import type * as api from '#shared/rules/tables/table-api.ts'
import { pendingApproval } from '#gateway/manage/features/approvals/public.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  allOf,
  countedTo,
  filterClauses,
  isoTime,
  notNull,
  sortOf,
} from '#gateway/manage/kernel/list-parts.ts'
import type { StoredGraph } from '../engine/rule-graph.ts'
import { tableOf } from './tables-in-force.ts'

export type TableRow = Static<typeof api.TableRow>
export type TableVersionRow = Static<typeof api.TableVersion>
type Stored<Row> = Omit<Row, 'table'> & { content: StoredGraph }

/** The version shown: that in force, else the latest. */
const FROM = sql`decision_table d join decision_table_version v on v.table_id = d.id
  and v.version_no = coalesce(d.enabled_no, d.latest_no)`

const SAID = sql`v.version_no as "versionNo", v.name, v.sort as "order", v.description, v.content`

const ROW = sql`d.id as "tableId", ${SAID}, jsonb_array_length(jsonb_path_query_first(v.content,
    '$.nodes[*] ? (@.type == "decisionTableNode").content.rules')) as "rowCount",
  d.status, d.latest_no as "latestNo",
  d.enabled_no is not null and d.latest_no <> d.enabled_no as "hasDraft",
  ${sql.raw(pendingApproval(['tableEnable'], 'd.id'))} as approval,
  d.updated_by_name as "updateBy", ${isoTime('d.updated_at')} as "updateTime", d.version`

const SORTS = {
  order: notNull('v.sort'),
  tableId: notNull('d.id'),
  name: notNull('lower(v.name)'),
  status: notNull('d.status'),
  updateTime: notNull('d.updated_at'),
}

export async function findTables(
  db: Db,
  input: InputOf<typeof api.listTables>,
): Promise<Page<TableRow>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const { all, add } = filterClauses()
  add(input.name, (name) => sql`strpos(lower(v.name), lower(${name}::text)) > 0`)
  add(input.status, (status) => sql`d.status = ${status}`)
  const { rows } = await sql<Stored<TableRow> & { total: number; now: string }>`
    select ${ROW}, least(count(*) over (), ${countedTo(input)}::int)::int as total,
      ${isoTime('clock_timestamp()')} as now
    from ${FROM} where ${allOf(all)}
    order by ${sortOf(input.sort, SORTS, 'order:asc', 'd.id')}
    limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const [first] = rows
  return {
    rows: rows.map(({ total: _total, now: _now, ...row }) => withTable(row.tableId, row)),
    total: first?.total ?? 0,
    asOf: first?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 */
export async function readTable(db: Db, tableId: string): Promise<TableRow> {
  const { rows } = await sql<Stored<TableRow>>`
    select ${ROW} from ${FROM} where d.id = ${tableId}`.execute(db)
  const [row] = rows
  if (!row) throw new Problem(NOT_FOUND)
  return withTable(tableId, row)
}

/** @throws Problem G404 */
export async function lockTable(trx: Trx, tableId: string): Promise<TableRow> {
  await sql`select 1 from decision_table d where d.id = ${tableId} for update`.execute(trx)
  return readTable(trx, tableId)
}

/** The newest first. */
export async function readTableVersions(db: Db, tableId: string): Promise<TableVersionRow[]> {
  const { rows } = await sql<Stored<TableVersionRow>>`
    select ${SAID}, v.state, v.created_by_name as "createBy",
      ${isoTime('v.created_at')} as "createTime", v.enabled_by_name as "enableBy",
      ${isoTime('v.enabled_at')} as "enableTime"
    from decision_table_version v where v.table_id = ${tableId} order by v.version_no desc`.execute(
    db,
  )
  return rows.map((row) => withTable(tableId, row))
}

/** @throws Problem G404 */
export async function readTableVersion(
  db: Db,
  tableId: string,
  versionNo: number,
): Promise<TableVersionRow> {
  const versions = await readTableVersions(db, tableId)
  const found = versions.find((version) => version.versionNo === versionNo)
  if (!found) throw new Problem(NOT_FOUND)
  return found
}

function withTable<Row extends { content: StoredGraph }>(
  tableId: string,
  { content, ...row }: Row,
): Omit<Row, 'content'> & { table: DecisionTable } {
  return { ...row, table: tableOf(tableId, content) }
}

export function emitTable(
  tx: CommandTx,
  { tableId, version }: Pick<TableRow, 'tableId' | 'version'>,
): void {
  tx.emit(RULE_CHANGED, {
    subject: `decisionTable:${tableId}`,
    version,
    rooms: ['menu:rule_engine'],
    data: { ruleId: null, versionNo: null, status: null },
  })
}
