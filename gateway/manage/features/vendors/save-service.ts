/** Adds, changes and switches the services of apps. */
import { sql } from 'kysely'
import { IN_USE, NAME_TAKEN } from '#shared/collection/collection-problems.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import type { VendorKind } from '#shared/vendors/vendor-kinds.ts'
import type * as api from '#shared/vendors/vendors-api.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { SERVICE_ROOMS } from '#gateway/manage/vendors/service-rooms.ts'
import { findService, type Service } from './vendor-queries.ts'

type Fields = InputOf<typeof api.addService>

/** @throws Problem G-FIELD, K-DUP for a configuration that serves the app already */
export async function addService(tx: CommandTx, input: Fields): Promise<string> {
  await lockApp(tx, input.appId)
  const kind = await kindOf(tx, input)
  const { rows } = await sql<{ id: string }>`
    insert into tp_app_cfg (app_id, vendor_id, cfg_id, kind, priority, share, remark)
    values (${input.appId}, ${input.thirdPartyId}, ${input.cfgId}, ${kind}, ${input.priority},
      ${input.share ?? 0}, ${input.remark ?? ''})
    on conflict (app_id, vendor_id, cfg_id) do nothing returning id`.execute(tx.db)
  const id = rows[0]?.id
  if (id === undefined) throw taken()
  tx.log({ action: 'add', targetKind: 'service', targetId: id, after: { ...input, kind } })
  emitServices(tx, [id])
  return id
}

/**
 * @throws Problem G404, G409, G-FIELD, K-DUP for a configuration that serves the app already,
 * K-USED when the last service of a kind would leave its app
 */
export async function editService(
  tx: CommandTx,
  { id, version, ...input }: InputOf<typeof api.editService>,
): Promise<void> {
  const before = await lock(tx, id, version)
  const kind = await kindOf(tx, input)
  if (before.isLast && (kind !== before.kind || input.appId !== before.appId))
    throw new Problem(IN_USE, {}, { fields: { appId: 'vendors:fault.last' } })
  if (input.appId !== before.appId) await lockApp(tx, input.appId)
  const { rows: same } = await sql`
    select from tp_app_cfg s where s.app_id = ${input.appId} and s.vendor_id = ${input.thirdPartyId}
      and s.cfg_id = ${input.cfgId} and s.id <> ${id}`.execute(tx.db)
  if (same.length > 0) throw taken()
  await sql`
    update tp_app_cfg set app_id = ${input.appId}, vendor_id = ${input.thirdPartyId},
      cfg_id = ${input.cfgId}, kind = ${kind}, priority = ${input.priority}, share = ${input.share ?? 0},
      remark = ${input.remark ?? ''}, updated_at = clock_timestamp(), version = version + 1
    where id = ${id}`.execute(tx.db)
  const { appId, thirdPartyId, cfgId, priority, share, remark } = before
  tx.log({
    action: 'edit',
    targetKind: 'service',
    targetId: id,
    before: { appId, thirdPartyId, cfgId, kind: before.kind, priority, share, remark },
    after: { ...input, kind },
  })
  emitServices(tx, [id])
}

/** @throws Problem G404, G409, K-USED for the last service of its kind that is on */
export async function setServiceStatus(
  tx: CommandTx,
  { id, version, status }: InputOf<typeof api.setServiceStatus>,
): Promise<Service> {
  const before = await lock(tx, id, version)
  if (before.isLast && status === 'disabled') throw new Problem(IN_USE)
  await sql`
    update tp_app_cfg set status = ${status}, updated_at = clock_timestamp(), version = version + 1
      where id = ${id}`.execute(tx.db)
  tx.log({
    action: 'status',
    targetKind: 'service',
    targetId: id,
    before: { status: before.status },
    after: { status },
  })
  emitServices(tx, [id])
  return findService(tx.db, id)
}

/** The consoles that show services read them again. @param ids empty = all */
export function emitServices(tx: CommandTx, ids: string[]): void {
  tx.emit(CONFIG_REFRESHED, {
    subject: 'config:thirdParties',
    rooms: [...SERVICE_ROOMS],
    data: { area: 'thirdParties', ids },
  })
}

/**
 * Changes of one app's services run one after the other, so that two people cannot switch off its
 * last two. @throws Problem G-FIELD
 */
export async function lockApp(tx: CommandTx, appId: string, field = 'appId'): Promise<void> {
  const { rows } = await sql`select from app p where p.id = ${appId} for update`.execute(tx.db)
  if (rows.length === 0) throw new Problem(INVALID_FIELDS, {}, { fields: { [field]: 'unknown' } })
}

async function lock(tx: CommandTx, id: string, version: number): Promise<Service> {
  const { appId } = await findService(tx.db, id)
  await lockApp(tx, appId)
  await sql`select from tp_app_cfg s where s.id = ${id} for update`.execute(tx.db)
  const row = await findService(tx.db, id)
  if (row.version !== version) throw await changedByOther(tx.db, 'service', id, row)
  return row
}

/** @returns what the third party does @throws Problem G-FIELD */
async function kindOf(
  tx: CommandTx,
  { thirdPartyId, cfgId }: Pick<Fields, 'thirdPartyId' | 'cfgId'>,
): Promise<VendorKind> {
  const { rows } = await sql<{ kind: VendorKind; fits: boolean }>`
    select v.kind, exists (select 1 from tp_cfg c where c.id = ${cfgId} and c.vendor_id = v.id
      and c.status = 'enabled') as fits
    from tp_vendor v where v.id = ${thirdPartyId}`.execute(tx.db)
  const fields = {
    ...(rows[0] ? {} : { thirdPartyId: 'unknown' }),
    ...(rows[0] && !rows[0].fits ? { cfgId: 'unknown' } : {}),
  }
  if (!rows[0]?.fits) throw new Problem(INVALID_FIELDS, {}, { fields })
  return rows[0].kind
}

function taken(): Problem {
  return new Problem(NAME_TAKEN, {}, { fields: { cfgId: 'vendors:fault.served' } })
}
