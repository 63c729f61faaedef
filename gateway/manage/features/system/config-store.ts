/** Parameters for their screen; other code reads them through `context.parameters`. */
import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { Language } from '#shared/kernel/languages.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { FORBIDDEN, INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { NAME_TAKEN } from '#shared/collection/collection-problems.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import type * as api from '#shared/system/config-api.ts'
import { fitsParameter } from '#shared/system/parameter-value.ts'
import { BUILT_IN, UNFIT_VALUE } from '#shared/system/system-problems.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { staff, type StaffActor } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { likeStart, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { parameterNames } from './product-names.ts'

type Row = DataOf<typeof api.updateConfig>
type Added = InputOf<typeof api.addConfig>
type Edited = InputOf<typeof api.updateConfig>

const COLUMNS = sql.raw(
  `
    c.id as "configId", c.number, c.code, c.name, c.value, c.value_type as "valueType", c.state,
      c.built_in as "builtIn", c.remark, u.user_name as "updateBy", c.updated_at as "updateTime", c.version`,
)
const SORTS = {
  number: 'c.number',
  code: 'lower(c.code)',
  name: 'lower(coalesce(w.value, c.name))',
  valueType: 'c.value_type',
  state: 'c.state',
  updateTime: 'c.updated_at',
}

/** @param from parameters as `c`, with everything else the parts refer to */
async function read(
  db: Db,
  from: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  page: RawBuilder<unknown> = sql``,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
      select ${COLUMNS} from ${from} left join sys_user u on u.id = c.updated_by where ${where}
        order by ${order} ${page}`.execute(db)
  return rows
}

const STORED = sql`sys_config c`
/** Joins the translated names of built-in parameters. */
async function worded(language: Language): Promise<RawBuilder<unknown>> {
  return sql`
    sys_config c left
      join jsonb_each_text(${JSON.stringify(await parameterNames(language))}::jsonb) w on c.built_in
      and w.key = c.code`
}

export async function listConfig(
  db: Db,
  input: InputOf<typeof api.listConfig>,
): Promise<Page<Row>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const from = await worded(input.language ?? 'en')
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (input.number !== undefined) all.push(sql`lower(c.number) like ${likeStart(input.number)}`)
  if (input.code !== undefined) all.push(sql`lower(c.code) like ${`%${likeStart(input.code)}`}`)
  if (input.name !== undefined)
    all.push(
      sql`(lower(c.name) like ${`%${likeStart(input.name)}`} or lower(w.value) like ${`%${likeStart(input.name)}`})`,
    )
  if (input.state !== undefined) all.push(sql`c.state = ${input.state}`)
  const where = sql.join(all, sql` and `)
  const counted = await sql<{
    total: number
    now: string
  }>`select count(*)::int as total, clock_timestamp() as now from ${from} where ${where}`.execute(
    db,
  )
  const { total, now } = counted.rows[0] as { total: number; now: string }
  return {
    rows: await read(
      db,
      from,
      where,
      sortOf(input.sort, SORTS, 'code:asc', 'c.id'),
      sql`limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`,
    ),
    total,
    asOf: now,
  }
}

/** @throws Problem G403 for one that is not public without the list's menu, G404 */
export async function findConfig(db: Db, { rights }: StaffActor, code: string): Promise<Row> {
  const { rows } = await sql<{
    public: boolean
  }>`select c.public from sys_config c where c.code = ${code}`.execute(db)
  if (!rights.permissions.has('conf:view') && rows[0]?.public !== true) throw new Problem(FORBIDDEN)
  const [row] = await read(db, STORED, sql`c.code = ${code}`, sql`c.id`)
  if (!row) throw new Problem(NOT_FOUND)
  return row
}

async function byId(db: Db, configId: string): Promise<Row> {
  const [row] = await read(db, STORED, sql`c.id = ${configId}`, sql`c.id`)
  if (!row) throw new Problem(NOT_FOUND)
  return row
}

/** @throws Problem K-DUP, K-VAL */
export async function addConfig(tx: CommandTx, input: Added, at = ''): Promise<string> {
  refuseUnfit(input.valueType, input.value, null, at)
  const { rows: same } = await sql<{ number: boolean; code: boolean }>`
    select bool_or(c.number = ${input.number}) as number,
      bool_or(lower(c.code) = ${input.code.toLowerCase()}) as code
    from sys_config c
    where c.number = ${input.number} or lower(c.code) = ${input.code.toLowerCase()}`.execute(tx.db)
  const taken = (['number', 'code'] as const).filter((name) => same[0]?.[name])
  if (taken.length > 0)
    throw new Problem(
      NAME_TAKEN,
      {},
      { fields: Object.fromEntries(taken.map((name) => [at + name, 'system:fault.taken'])) },
    )
  const { rows } = await sql<{ id: string }>`
    insert into sys_config (id, number, code, name, value, value_type, remark, updated_by)
    values ('P' || nextval('config_id_seq'), ${input.number}, ${input.code}, ${input.name}, ${input.value},
      ${input.valueType}, ${input.remark ?? null}, ${staff(tx.actor).userId}) returning id`.execute(
    tx.db,
  )
  const configId = (rows[0] as { id: string }).id
  tx.log({
    action: 'add',
    targetKind: 'config',
    targetId: configId,
    after: { code: input.code, value: input.value, valueType: input.valueType },
  })
  emitConfigChange(tx, [configId])
  return configId
}

/**
 * The operate log keeps the old value.
 * @throws Problem G404, G409, K-VAL, K-LOCK for the name of a built-in parameter
 */
export async function updateConfig(tx: CommandTx, input: Edited, at = ''): Promise<Row> {
  const before = await lock(tx, input.configId, input.version)
  if (before.builtIn && before.name !== input.name)
    throw new Problem(BUILT_IN, {}, { fields: { [`${at}name`]: 'system:fault.builtIn' } })
  refuseUnfit(before.valueType, input.value, before.builtIn ? before.code : null, at)
  await sql`
    update sys_config set name = ${input.name}, value = ${input.value}, remark = ${input.remark ?? null},
      updated_by = ${staff(tx.actor).userId}, updated_at = clock_timestamp(), version = version + 1
      where id = ${input.configId}`.execute(tx.db)
  tx.log({
    action: 'edit',
    targetKind: 'config',
    targetId: input.configId,
    before: { code: before.code, value: before.value, name: before.name },
    after: { code: before.code, value: input.value, name: input.name },
  })
  emitConfigChange(tx, [input.configId])
  return byId(tx.db, input.configId)
}

/** @throws Problem G404, G409, K-LOCK for a built-in parameter, which the product requires */
export async function setConfigState(
  tx: CommandTx,
  { configId, version, state }: InputOf<typeof api.setConfigState>,
): Promise<Row> {
  const before = await lock(tx, configId, version)
  if (before.builtIn) throw new Problem(BUILT_IN)
  await sql`
    update sys_config set state = ${state}, updated_by = ${staff(tx.actor).userId},
      updated_at = clock_timestamp(), version = version + 1 where id = ${configId}`.execute(tx.db)
  tx.log({
    action: 'status',
    targetKind: 'config',
    targetId: configId,
    before: { code: before.code, state: before.state },
    after: { code: before.code, state },
  })
  emitConfigChange(tx, [configId])
  return byId(tx.db, configId)
}

export async function refreshConfig(tx: CommandTx): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from sys_config`.execute(
    tx.db,
  )
  tx.log({ action: 'refresh', targetKind: 'config', targetId: 'all' })
  emitConfigChange(tx, [])
  return rows[0]?.n ?? 0
}

/** All or none: the first refusal names the row and its field. */
export async function eachConfig<Item>(
  items: readonly Item[],
  change: (item: Item, at: string) => Promise<unknown>,
): Promise<{ ok: number; failed: number }> {
  for (const [n, item] of items.entries()) await change(item, `items.${n}.`)
  return { ok: items.length, failed: 0 }
}

async function lock(tx: CommandTx, configId: string, version: number): Promise<Row> {
  await sql`select from sys_config c where c.id = ${configId} for update`.execute(tx.db)
  const row = await byId(tx.db, configId)
  if (row.version !== version) throw await changedByOther(tx.db, 'config', configId, row)
  return row
}

function refuseUnfit(
  type: Row['valueType'],
  value: string,
  builtInCode: string | null,
  at: string,
): void {
  if (value === '' && builtInCode === null && type === 'text')
    throw new Problem(INVALID_FIELDS, {}, { fields: { [`${at}value`]: 'required' } })
  if (!fitsParameter(type, value, builtInCode))
    throw new Problem(UNFIT_VALUE, {}, { fields: { [`${at}value`]: 'system:fault.value' } })
}

/** Clears this process's cache at the commit; other processes follow when their cache expires. */
function emitConfigChange(tx: CommandTx, ids: string[]): void {
  tx.emit(CONFIG_REFRESHED, {
    subject: 'config:parameters',
    rooms: ['all'],
    data: { area: 'parameters', ids },
  })
  // only clears the cache, reads nothing
  const { parameters } = tx.context
  tx.afterCommit(() => parameters.forget())
}
