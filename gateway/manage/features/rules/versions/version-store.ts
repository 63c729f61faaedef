/** Rows of what is kept in versions: `d` is the row, `v` the version that is shown. */
import { type RawBuilder, sql } from 'kysely'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { RULE_CHANGED } from '#shared/rules/rules-live.ts'
import { pendingApproval } from '#gateway/manage/features/approvals/public.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import {
  allOf,
  countedTo,
  isoTime,
  notNull,
  sortOf,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import type { StoredGraph } from '../engine/rule-graph.ts'
import type { EventRow, Head, HeadVersion, StoredKind } from './version-kind.ts'

interface Stored {
  content: StoredGraph
  name: string
}

/** The version shown is the one in force, else the latest. */
function partsOf(kind: StoredKind<Head, HeadVersion>) {
  const { table, versions, key } = kind
  const approval = sql.raw(pendingApproval([kind.approvalKind], 'd.id'))
  return {
    columns: sql`${kind.columns}, v.name, v.content, d.status, d.latest_no as "latestNo",
      d.enabled_no is not null and d.latest_no <> d.enabled_no as "hasDraft", ${kind.shown},
      (select count(*)::int from rule_case k where k.${sql.ref(key)} = d.id) as "caseCount",
      ${approval} as approval, d.updated_by_name as "updateBy",
      ${isoTime('d.updated_at')} as "updateTime", d.version`,
    from: sql`${sql.ref(table)} d join ${sql.ref(versions)} v on v.${sql.ref(key)} = d.id
      and v.version_no = coalesce(d.enabled_no, d.latest_no) ${kind.joins}`,
  }
}

const SORTS = {
  name: notNull('lower(v.name)'),
  status: notNull('d.status'),
  updateTime: notNull('d.updated_at'),
}

interface VersionRequest {
  sort?: string
  pageSize?: number
  pageNum?: number
}

export async function findRows<Row extends Head>(
  db: Db,
  kind: StoredKind<Row, HeadVersion>,
  input: VersionRequest,
  { where, sorts }: { where: readonly RawBuilder<boolean>[]; sorts: Sorts },
): Promise<Page<Row>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const { columns, from } = partsOf(kind)
  const found = await sql<Stored & { total: number; now: string }>`
    select ${columns}, least(count(*) over (), ${countedTo(input)}::int)::int as total,
      ${isoTime('clock_timestamp()')} as now
    from ${from} where ${allOf(where)}
    order by ${sortOf(input.sort, { ...SORTS, ...sorts }, 'order:asc', 'd.id')}
    limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const [first] = found.rows
  return {
    rows: found.rows.map(({ total: _total, now: _now, ...row }) => read<Row>(kind, row)),
    total: first?.total ?? 0,
    asOf: first?.now ?? new Date().toISOString(),
  }
}

/** @throws Problem G404 */
export async function readRow<Row extends Head>(
  db: Db,
  kind: StoredKind<Row, HeadVersion>,
  id: string,
): Promise<Row> {
  const { columns, from } = partsOf(kind)
  const found = await sql<Stored>`select ${columns} from ${from} where d.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) throw new Problem(NOT_FOUND)
  return read(kind, row)
}

/** @throws Problem G404 */
export async function lockRow<Row extends Head>(
  trx: Trx,
  kind: StoredKind<Row, HeadVersion>,
  id: string,
): Promise<Row> {
  await sql`select 1 from ${sql.ref(kind.table)} d where d.id = ${id} for update`.execute(trx)
  return readRow(trx, kind, id)
}

/** The newest first. */
export async function readVersions<Version extends HeadVersion>(
  db: Db,
  kind: StoredKind<Head, Version>,
  id: string,
): Promise<Version[]> {
  return versionsWhere(db, kind, sql`v.${sql.ref(kind.key)} = ${id}`)
}

/** @throws Problem G404 */
export async function readVersion<Version extends HeadVersion>(
  db: Db,
  kind: StoredKind<Head, Version>,
  id: string,
  versionNo: number,
): Promise<Version> {
  const isThis = sql`v.${sql.ref(kind.key)} = ${id} and v.version_no = ${versionNo}`
  const [version] = await versionsWhere(db, kind, isThis)
  if (!version) throw new Problem(NOT_FOUND)
  return version
}

async function versionsWhere<Version extends HeadVersion>(
  db: Db,
  kind: StoredKind<Head, Version>,
  which: RawBuilder<unknown>,
): Promise<Version[]> {
  const found = await sql<Stored>`
    select ${kind.columns}, v.name, v.content, v.state, v.created_by_name as "createBy",
      ${isoTime('v.created_at')} as "createTime", v.enabled_by_name as "enableBy",
      ${isoTime('v.enabled_at')} as "enableTime"
    from ${sql.ref(kind.versions)} v ${kind.joins} where ${which} order by v.version_no desc`.execute(
    db,
  )
  return found.rows.map((version) => read<Version>(kind, version))
}

/** The statement selected all other columns of the result. */
function read<Result>(
  kind: Pick<StoredKind<Head, HeadVersion>, 'contentOf'>,
  stored: Stored,
): Result {
  const { content: _content, ...row } = stored
  return { ...row, ...kind.contentOf(stored) } as Result
}

/** What changed is read again by those who look at the page. */
export function emitRow(
  tx: CommandTx,
  kind: StoredKind<Head, HeadVersion>,
  id: string,
  row: EventRow,
): void {
  tx.emit(RULE_CHANGED, {
    subject: `${kind.targetKind}:${id}`,
    version: row.version,
    rooms: ['menu:rule_engine'],
    data: kind.eventOf(row, id),
  })
}
