/** Configurations of the robot: who is called when. */
import { type RawBuilder, sql } from 'kysely'
import type * as api from '#shared/ai-calls/ai-calls-api.ts'
import { AI_DAYS_TAKEN } from '#shared/ai-calls/ai-calls-problems.ts'
import { contactWindow } from '#shared/collection/contact-gate.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { DEFAULT_PAGE_SIZE, type Page } from '#shared/kernel/page.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { allOf, filterClauses, isoTime, sortOf } from '#gateway/manage/kernel/list-parts.ts'
import { parameterValue } from '#gateway/manage/kernel/parameters.ts'
import { LINES_NOW } from './ai-lines.ts'
import { MENU } from './ai-task-store.ts'

type Config = DataOf<typeof api.listAiConfigs>['rows'][number]
type Fields = InputOf<typeof api.addAiConfig>

const SORTS = {
  productName: 'p.name',
  minOverdueDays: 'k.min_days',
  robotName: 'k.robot_name',
  status: 'k.status',
  updateTime: 'k.updated_at',
}

const FIELDS = sql.raw(`k.product_id as "productId", k.min_days as "minOverdueDays",
  k.max_days as "maxOverdueDays", k.start_time as "startTime", k.end_time as "endTime",
  k.robot_id as "robotId", k.robot_name as "robotName", k.repeat_interval_min as "repeatIntervalMin",
  k.repeat_frequency as "repeatFrequency", k.redial_interval_min as "redialIntervalMin",
  k.redial_max as "redialMax", k.ignore_labels as "ignoreLabels", k.status`)

function columns(): RawBuilder<unknown> {
  return sql`
    k.id as "configId", ${FIELDS}, p.name as "productName",
    (select count(*)::int from ai_call_task t where t.config_id = k.id
      and t.state in ('created', 'pending', 'calling', 'paused')) as "openTasks",
    k.updated_by_name as "updateBy", ${isoTime('k.updated_at')} as "updateTime", k.version`
}

/** There are a handful: they are counted and sorted as they are. */
export async function listAiConfigs(
  db: Db,
  input: InputOf<typeof api.listAiConfigs>,
): Promise<Page<Config>> {
  const size = input.pageSize ?? DEFAULT_PAGE_SIZE
  const { all, add } = filterClauses()
  add(input.productId, (id) => sql`k.product_id = ${id}`)
  add(input.robotId, (id) => sql`k.robot_id = ${id}`)
  add(input.status, (status) => sql`k.status = ${status}`)
  const { rows } = await sql<Config>`
    select ${columns()} from ai_call_config k join product p on p.id = k.product_id where ${allOf(all)}
    order by ${sortOf(input.sort, SORTS, 'productName:asc,minOverdueDays:asc', 'k.id')}
    limit ${size} offset ${((input.pageNum ?? 1) - 1) * size}`.execute(db)
  const { rows: counted } = await sql<{ total: number; now: string }>`
    select count(*)::int as total, clock_timestamp() as now from ai_call_config k
    where ${allOf(all)}`.execute(db)
  const { total, now } = counted[0] as { total: number; now: string }
  return { rows, total, asOf: now }
}

export async function aiCallOptions(db: Db): Promise<DataOf<typeof api.aiCallOptions>> {
  const hours = await legalHours(db)
  const { rows } = await sql<Omit<DataOf<typeof api.aiCallOptions>, 'hours'>>`
    select
      (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by p.name), '[]')
        from product p) as products,
      (select coalesce(json_agg(json_build_object('configId', k.id, 'productName', p.name, 'robotName',
          k.robot_name, 'minOverdueDays', k.min_days, 'maxOverdueDays', k.max_days, 'status', k.status)
          order by p.name, k.min_days), '[]')
        from ai_call_config k join product p on p.id = k.product_id) as configs,
      (select json_build_object('count', count(*)::int, 'atOnce', coalesce(sum(n.concurrency), 0)::int,
          'perDay', coalesce(sum(n.daily_cap), 0)::int, 'usedToday', coalesce(sum(n.used), 0)::int)
        from (${LINES_NOW}) n) as lines`.execute(db)
  const found = rows[0] as Omit<DataOf<typeof api.aiCallOptions>, 'hours'>
  return { ...found, hours }
}

/** Hours of contact for loans outside microfinance, which narrows them at the moment of the call. */
async function legalHours(db: Db): Promise<{ from: string; to: string }> {
  const { rows } = await sql<{ callFrom: string; callTo: string }>`
    select ${parameterValue('collection.callFrom')} as "callFrom",
      ${parameterValue('collection.callTo')} as "callTo"`.execute(db)
  return contactWindow({
    ...(rows[0] as { callFrom: string; callTo: string }),
    microfinance: false,
  })
}

/** @throws Problem G-FIELD for hours outside those of contact, AI-DAYS */
export async function addAiConfig(tx: CommandTx, fields: Fields): Promise<string> {
  await check(tx, fields, null)
  const { rows } = await sql<{ id: string }>`
    insert into ai_call_config (product_id, min_days, max_days, start_time, end_time, robot_id, robot_name,
      repeat_interval_min, repeat_frequency, redial_interval_min, redial_max, ignore_labels, status,
      updated_by_name)
    values (${fields.productId}, ${fields.minOverdueDays}, ${fields.maxOverdueDays}, ${fields.startTime},
      ${fields.endTime}, ${fields.robotId}, ${fields.robotName}, ${fields.repeatIntervalMin},
      ${fields.repeatFrequency}, ${fields.redialIntervalMin}, ${fields.redialMax},
      ${fields.ignoreLabels}, ${fields.status}, ${tx.actor.userName}) returning id`.execute(tx.db)
  const configId = (rows[0] as { id: string }).id
  tx.log({ action: 'add', targetKind: 'aiConfig', targetId: configId, after: fields })
  emitConfig(tx, configId)
  return configId
}

/** @throws Problem G404, G409, G-FIELD, AI-DAYS */
export async function editAiConfig(
  tx: CommandTx,
  { configId, version, ...fields }: InputOf<typeof api.editAiConfig>,
): Promise<void> {
  const before = await lockConfig(tx, configId, version)
  await check(tx, fields, configId)
  await sql`
    update ai_call_config set product_id = ${fields.productId}, min_days = ${fields.minOverdueDays},
      max_days = ${fields.maxOverdueDays}, start_time = ${fields.startTime}, end_time = ${fields.endTime},
      robot_id = ${fields.robotId}, robot_name = ${fields.robotName},
      repeat_interval_min = ${fields.repeatIntervalMin}, repeat_frequency = ${fields.repeatFrequency},
      redial_interval_min = ${fields.redialIntervalMin}, redial_max = ${fields.redialMax},
      ignore_labels = ${fields.ignoreLabels}, status = ${fields.status},
      updated_by_name = ${tx.actor.userName}, updated_at = clock_timestamp(), version = version + 1
    where id = ${configId}`.execute(tx.db)
  tx.log({ action: 'edit', targetKind: 'aiConfig', targetId: configId, before, after: fields })
  emitConfig(tx, configId)
}

/** @throws Problem G404, G409, AI-DAYS */
export async function setAiConfigStatus(
  tx: CommandTx,
  { configId, version, status }: InputOf<typeof api.setAiConfigStatus>,
): Promise<void> {
  const before = await lockConfig(tx, configId, version)
  if (status === 'enabled') await check(tx, { ...before, status }, configId)
  await sql`
    update ai_call_config set status = ${status}, updated_by_name = ${tx.actor.userName},
      updated_at = clock_timestamp(), version = version + 1 where id = ${configId}`.execute(tx.db)
  tx.log({
    action: 'status',
    targetKind: 'aiConfig',
    targetId: configId,
    before: { status: before.status },
    after: { status },
  })
  emitConfig(tx, configId)
}

async function lockConfig(tx: CommandTx, configId: string, version: number): Promise<Fields> {
  const { rows } = await sql<Fields & { version: number }>`
    select ${FIELDS}, k.version from ai_call_config k where k.id = ${configId} for update`.execute(
    tx.db,
  )
  const row = rows[0]
  if (!row) throw new Problem(NOT_FOUND)
  const { version: current, ...fields } = row
  if (current !== version)
    throw await changedByOther(tx.db, 'aiConfig', configId, { configId, ...row })
  return fields
}

async function check(tx: CommandTx, fields: Fields, ownId: string | null): Promise<void> {
  const faults: Record<string, string> = {}
  const hours = await legalHours(tx.db)
  if (fields.maxOverdueDays < fields.minOverdueDays) faults.maxOverdueDays = 'robot:fault.days'
  if (fields.startTime < hours.from || fields.startTime >= hours.to)
    faults.startTime = 'robot:fault.hours'
  if (fields.endTime > hours.to || fields.endTime <= fields.startTime)
    faults.endTime = 'robot:fault.hours'
  // the lock keeps two configurations of one product from being saved at once
  const product = await sql`
    select from product p where p.id = ${fields.productId} for update`.execute(tx.db)
  if (product.rows.length === 0) faults.productId = 'unknown'
  if (Object.keys(faults).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields: faults })
  if (fields.status !== 'enabled') return
  const { rows } = await sql`
    select from ai_call_config k where k.product_id = ${fields.productId} and k.status = 'enabled'
      and k.id is distinct from ${ownId} and k.min_days <= ${fields.maxOverdueDays}
      and k.max_days >= ${fields.minOverdueDays} limit 1`.execute(tx.db)
  if (rows.length > 0)
    throw new Problem(AI_DAYS_TAKEN, {}, { fields: { minOverdueDays: 'unique' } })
}

function emitConfig(tx: CommandTx, configId: string): void {
  tx.emit(CONFIG_REFRESHED, {
    subject: `aiConfig:${configId}`,
    rooms: [`menu:${MENU}`],
    data: { area: 'aiCalls', ids: [configId] },
  })
}
