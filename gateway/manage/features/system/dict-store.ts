/** Dictionaries: read by every form, changed by few people. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { isDay } from '#shared/kernel/time.ts'
import { NAME_TAKEN } from '#shared/collection/collection-problems.ts'
import type { KEPT_TABLES } from '#shared/system/code-tables.ts'
import type * as api from '#shared/system/dict-api.ts'
import { DICT_CHANGED } from '#shared/system/system-live.ts'
import { BUILT_IN } from '#shared/system/system-problems.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { tableNames } from './product-names.ts'

type Dict = DataOf<typeof api.updateDict>
type Detail = DataOf<typeof api.updateDictDetail>

const DICT = sql.raw(
  `
    d.id as "dictId", d.type_name as "typeName", d.code, d.sort, d.built_in as "builtIn",
      (select count(*)::int from sys_dict_detail x where x.dict_id = d.id) as "detailCount", d.version`,
)
const DETAIL = sql.raw(
  `e.id as "detailId", e.dict_id as "parentId", e.code, e.labels, e.sort, e.state, e.built_in as "builtIn", e.version`,
)

/** The dictionary with days on which customers must not be contacted for recovery. */
const HOLIDAY: keyof typeof KEPT_TABLES = 'holiday'

export async function listDict(db: Db, input: InputOf<typeof api.listDict>): Promise<Page<Dict>> {
  // joins the translated names of the code tables
  const from = sql`
    sys_dict d left
      join jsonb_each_text(${JSON.stringify(await tableNames(input.language ?? 'en'))}::jsonb) w on
      d.built_in and w.key = d.code`
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.typeName !== undefined)
    all.push(
      sql`(lower(d.type_name) like ${`%${likeStart(input.typeName)}`}
        or lower(w.value) like ${`%${likeStart(input.typeName)}`})`,
    )
  if (input.code !== undefined) all.push(sql`lower(d.code) like ${`%${likeStart(input.code)}`}`)
  return page<Dict>(
    db,
    DICT,
    from,
    sql.join(all, sql` and `),
    sortOf(
      input.sort,
      { sort: 'd.sort', typeName: 'lower(coalesce(w.value, d.type_name))', code: 'd.code' },
      'sort:asc,typeName:asc',
      'd.id',
    ),
    input,
  )
}

/** @throws Problem G-FIELD without a type */
export async function listDictDetail(
  db: Db,
  input: InputOf<typeof api.listDictDetail>,
): Promise<Page<Detail>> {
  if (input.parentId === undefined && input.typeCode === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { parentId: 'required' } })
  const where =
    input.parentId !== undefined
      ? sql`e.dict_id = ${input.parentId}`
      : sql`e.dict_id = (select d.id from sys_dict d where d.code = ${input.typeCode})`
  return page<Detail>(
    db,
    DETAIL,
    sql`sys_dict_detail e`,
    where,
    sortOf(
      input.sort,
      { sort: 'e.sort', code: 'e.code', state: 'e.state' },
      'sort:asc,code:asc',
      'e.id',
    ),
    input,
  )
}

async function page<Row>(
  db: Db,
  columns: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  { pageNum = 1, pageSize: size = DEFAULT_PAGE_SIZE }: { pageNum?: number; pageSize?: number },
): Promise<Page<Row>> {
  const { rows } = await sql<Row>`
      select ${columns} from ${from} where ${where} order by ${order}
        limit ${size} offset ${(pageNum - 1) * size}`.execute(db)
  const counted = await sql<{
    total: number
    now: string
  }>`select count(*)::int as total, clock_timestamp() as now from ${from} where ${where}`.execute(
    db,
  )
  const { total, now } = counted.rows[0] as { total: number; now: string }
  return { rows, total, asOf: now }
}

/** @throws Problem K-DUP */
export async function addDict(
  tx: CommandTx,
  { typeName, code, sort = 0 }: InputOf<typeof api.addDict>,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into sys_dict (type_name, code, sort)
    values (${typeName}, ${code}, ${sort})
    on conflict (code) do nothing
    returning id`.execute(tx.db)
  const dictId = rows[0]?.id
  if (dictId === undefined)
    throw new Problem(NAME_TAKEN, {}, { fields: { code: 'system:fault.taken' } })
  tx.log({ action: 'add', targetKind: 'dict', targetId: dictId, after: { typeName, code, sort } })
  emitDictChange(tx, code)
  return dictId
}

/** @throws Problem G404, G409, K-LOCK for the name of a code table */
export async function updateDict(
  tx: CommandTx,
  { dictId, version, typeName, sort }: InputOf<typeof api.updateDict>,
): Promise<Dict> {
  const before = await lockDict(tx, dictId, version)
  if (before.builtIn && before.typeName !== typeName)
    throw new Problem(BUILT_IN, {}, { fields: { typeName: 'system:fault.builtIn' } })
  await sql`
    update sys_dict set type_name = ${typeName}, sort = ${sort}, updated_at = clock_timestamp(),
      version = version + 1 where id = ${dictId}`.execute(tx.db)
  tx.log({
    action: 'edit',
    targetKind: 'dict',
    targetId: dictId,
    before: { typeName: before.typeName, sort: before.sort },
    after: { typeName, sort },
  })
  emitDictChange(tx, before.code)
  return { ...before, typeName, sort, version: version + 1 }
}

/** @throws Problem G404, K-LOCK */
export async function deleteDict(tx: CommandTx, dictId: string): Promise<void> {
  const { code, builtIn } = await lockDict(tx, dictId)
  if (builtIn) throw new Problem(BUILT_IN)
  await sql`delete from sys_dict where id = ${dictId}`.execute(tx.db)
  tx.log({ action: 'delete', targetKind: 'dict', targetId: dictId, before: { code } })
  emitDictChange(tx, code)
}

/** @throws Problem G404 for the type, K-DUP, G-FIELD for a holiday that is not a day */
export async function addDetail(
  tx: CommandTx,
  { parentId, code, labels, sort = 0, state = 'enabled' }: InputOf<typeof api.addDictDetail>,
): Promise<string> {
  const dict = await lockDict(tx, parentId)
  if (dict.code === HOLIDAY && !isDay(code))
    throw new Problem(INVALID_FIELDS, {}, { fields: { code: 'system:fault.day' } })
  const { rows } = await sql<{ id: string }>`
    insert into sys_dict_detail (dict_id, code, labels, sort, state)
      values (${parentId}, ${code}, ${JSON.stringify(labels)}::jsonb, ${sort}, ${state})
      on conflict (dict_id, code) do nothing returning id`.execute(tx.db)
  const detailId = rows[0]?.id
  if (detailId === undefined)
    throw new Problem(NAME_TAKEN, {}, { fields: { code: 'system:fault.taken' } })
  tx.log({
    action: 'add',
    targetKind: 'dictDetail',
    targetId: detailId,
    after: { type: dict.code, code, labels, sort, state },
  })
  emitDictChange(tx, dict.code)
  return detailId
}

/**
 * Labels and order of built-in codes can be changed, but the codes cannot be removed.
 * @throws Problem G404, G409, K-LOCK
 */
export async function updateDetail(
  tx: CommandTx,
  { detailId, version, labels, sort, state }: InputOf<typeof api.updateDictDetail>,
): Promise<Detail> {
  const { type, ...before } = await lockDetail(tx, detailId, version)
  if (before.builtIn && before.state !== state)
    throw new Problem(BUILT_IN, {}, { fields: { state: 'system:fault.builtIn' } })
  await sql`
    update sys_dict_detail set labels = ${JSON.stringify(labels)}::jsonb, sort = ${sort}, state = ${state},
      updated_at = clock_timestamp(), version = version + 1 where id = ${detailId}`.execute(tx.db)
  tx.log({
    action: 'edit',
    targetKind: 'dictDetail',
    targetId: detailId,
    before: { labels: before.labels, sort: before.sort, state: before.state },
    after: { labels, sort, state },
  })
  emitDictChange(tx, type)
  return { ...before, labels, sort, state, version: version + 1 }
}

/** @throws Problem G404, K-LOCK */
export async function deleteDetail(tx: CommandTx, detailId: string): Promise<void> {
  const { type, builtIn, code } = await lockDetail(tx, detailId)
  if (builtIn) throw new Problem(BUILT_IN)
  await sql`delete from sys_dict_detail where id = ${detailId}`.execute(tx.db)
  tx.log({ action: 'delete', targetKind: 'dictDetail', targetId: detailId, before: { type, code } })
  emitDictChange(tx, type)
}

async function lockDict(tx: CommandTx, dictId: string, version?: number): Promise<Dict> {
  await sql`select from sys_dict d where d.id = ${dictId} for update`.execute(tx.db)
  const { rows } = await sql<Dict>`select ${DICT} from sys_dict d where d.id = ${dictId}`.execute(
    tx.db,
  )
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  if (version !== undefined && row.version !== version)
    throw await changedByOther(tx.db, 'dict', dictId, row)
  return row
}

async function lockDetail(
  tx: CommandTx,
  detailId: string,
  version?: number,
): Promise<Detail & { type: string }> {
  const { rows } = await sql<Detail & { type: string }>`
    select ${DETAIL}, d.code as type
    from sys_dict_detail e
    join sys_dict d on d.id = e.dict_id
    where e.id = ${detailId}
    for update of e`.execute(tx.db)
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  const { type: _type, ...fresh } = row
  if (version !== undefined && row.version !== version)
    throw await changedByOther(tx.db, 'dictDetail', detailId, fresh)
  return row
}

export function emitDictChange(tx: CommandTx, ...typeCodes: string[]): void {
  tx.emit(DICT_CHANGED, { subject: 'config:dict', rooms: ['all'], data: { typeCodes } })
}
