/** Adds and changes apps and their groups. */
import { sql } from 'kysely'
import { compareVersions } from '#shared/products/app-version.ts'
import type * as api from '#shared/products/apps-api.ts'
import { NAME_TAKEN } from '#shared/collection/collection-problems.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { findApp } from './app-queries.ts'

type Fields = InputOf<typeof api.addApp>

/** @throws Problem K-DUP for a name that is taken, whatever its capitals */
export async function addGroup(
  tx: CommandTx,
  { name, remark = '' }: InputOf<typeof api.addGroup>,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into app_group (name, remark) values (${name}, ${remark}) on conflict do nothing
      returning id`.execute(tx.db)
  const groupId = rows[0]?.id
  if (groupId === undefined)
    throw new Problem(NAME_TAKEN, {}, { fields: { name: 'products:app.fault.groupTaken' } })
  tx.log({ action: 'group', targetKind: 'appGroup', targetId: groupId, after: { name, remark } })
  emitApps(tx, [])
  return groupId
}

/** @throws Problem G-FIELD, K-DUP for a code that is taken */
export async function addApp(tx: CommandTx, input: Fields): Promise<string> {
  await checkFields(tx, input, null)
  const { rows } = await sql<{ id: string }>`
    insert into app (name, code, group_id, merchant_id, package, app_version, min_version, force_update,
      store_url, privacy_url, service_phone, status)
    values (${input.name}, ${input.code}, ${input.groupId}, ${input.merchantId}, ${input.package},
      ${input.appVersion}, ${input.minVersion}, ${input.forceUpdate}, ${input.storeUrl ?? null},
      ${input.privacyUrl}, ${input.servicePhone ?? null}, ${input.status})
    on conflict (code) do nothing returning id`.execute(tx.db)
  const appId = rows[0]?.id
  if (appId === undefined) throw taken()
  tx.log({ action: 'add', targetKind: 'app', targetId: appId, after: input })
  emitApps(tx, [appId])
  return appId
}

/** @throws Problem G404, G409, G-FIELD, K-DUP for a code that is taken */
export async function editApp(
  tx: CommandTx,
  { appId, version, ...input }: InputOf<typeof api.editApp>,
): Promise<void> {
  await sql`select from app a where a.id = ${appId} for update`.execute(tx.db)
  const found = await findApp(tx.db, appId)
  if (found.version !== version) throw await changedByOther(tx.db, 'app', appId, found)
  await checkFields(tx, input, found)
  await sql`
    update app set name = ${input.name}, code = ${input.code}, group_id = ${input.groupId},
      merchant_id = ${input.merchantId}, package = ${input.package}, app_version = ${input.appVersion},
      min_version = ${input.minVersion}, force_update = ${input.forceUpdate},
      store_url = ${input.storeUrl ?? null}, privacy_url = ${input.privacyUrl},
      service_phone = ${input.servicePhone ?? null}, status = ${input.status},
      updated_at = clock_timestamp(), version = version + 1
    where id = ${appId}`.execute(tx.db)
  const { appId: _id, version: _version, ...before } = found
  tx.log({ action: 'edit', targetKind: 'app', targetId: appId, before, after: input })
  emitApps(tx, [appId])
}

/** Every screen with apps reads them again. @param ids empty = all */
export function emitApps(tx: CommandTx, ids: string[]): void {
  tx.emit(CONFIG_REFRESHED, {
    subject: 'config:apps',
    rooms: ['all'],
    data: { area: 'apps', ids },
  })
}

/** @param before a merchant that was switched off stays with its app until another is chosen */
async function checkFields(
  tx: CommandTx,
  input: Fields,
  before: { appId: string; merchantId: string | null } | null,
): Promise<void> {
  const fields: Record<string, string> = {}
  if (compareVersions(input.minVersion, input.appVersion) > 0)
    fields.minVersion = 'products:app.fault.minVersion'
  if (input.forceUpdate && input.storeUrl === undefined)
    fields.storeUrl = 'products:app.fault.noStore'
  const { rows } = await sql<{ known: boolean; merchant: boolean; taken: boolean }>`
    select exists (select 1 from app_group g where g.id = ${input.groupId}) as known,
      exists (select 1 from merchant m where m.id = ${input.merchantId}
        and (m.status = 'enabled' or m.id = ${before?.merchantId ?? null})) as merchant,
      exists (select 1 from app a where a.code = ${input.code}
        and a.id is distinct from ${before?.appId ?? null}) as taken`.execute(tx.db)
  if (!rows[0]?.known) fields.groupId = 'unknown'
  if (!rows[0]?.merchant) fields.merchantId = 'unknown'
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
  if (rows[0]?.taken) throw taken()
}

function taken(): Problem {
  return new Problem(NAME_TAKEN, {}, { fields: { code: 'products:app.fault.codeTaken' } })
}
