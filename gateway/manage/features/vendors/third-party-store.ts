/** Adds third parties and their configurations, whose keys are sealed and never read by a screen. */
import { sql } from 'kysely'
import { IN_USE, NAME_TAKEN } from '#shared/collection/collection-problems.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { keysOf, type VendorKind } from '#shared/vendors/vendor-kinds.ts'
import { MANUAL_VENDOR } from '#shared/orders/disbursement-api.ts'
import type * as api from '#shared/vendors/vendors-api.ts'
import { BUCKET, REGION } from '#shared/vendors/vendors-api.ts'
import { addressFault } from '#gateway/kernel/outbound-address.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { VALUES_PLACE } from '#gateway/manage/vendors/routing/configurations.ts'
import { emitServices } from './save-service.ts'
import { type Configuration, findConfiguration } from './vendor-queries.ts'

/** @throws Problem K-DUP for a code or a name that is taken */
export async function addThirdParty(
  tx: CommandTx,
  { code, name, kind, site }: InputOf<typeof api.addThirdParty>,
): Promise<string> {
  // transfers that staff make by hand have this code, and no vendor may report them
  if (code.toLowerCase() === MANUAL_VENDOR)
    throw new Problem(NAME_TAKEN, {}, { fields: { code: 'vendors:fault.taken' } })
  const { rows: same } = await sql<{ code: boolean }>`
    select v.code = ${code} as code from tp_vendor v
      where v.code = ${code} or lower(v.name) = lower(${name})`.execute(tx.db)
  if (same[0])
    throw new Problem(
      NAME_TAKEN,
      {},
      { fields: { [same[0].code ? 'code' : 'name']: 'vendors:fault.taken' } },
    )
  const { rows } = await sql<{ id: string }>`
    insert into tp_vendor (code, name, kind, site) values (${code}, ${name}, ${kind}, ${site ?? null})
      on conflict do nothing returning id`.execute(tx.db)
  const id = rows[0]?.id
  if (id === undefined)
    throw new Problem(NAME_TAKEN, {}, { fields: { code: 'vendors:fault.taken' } })
  tx.log({
    action: 'add',
    targetKind: 'thirdParty',
    targetId: id,
    after: { code, name, kind, site: site ?? null },
  })
  emitServices(tx, [])
  return id
}

/**
 * The log names the keys, never their values.
 * @throws Problem G-FIELD for an unknown third party, an address that may not be called, or a
 * missing key; K-DUP for a name that is taken
 */
export async function addConfiguration(
  tx: CommandTx,
  { thirdPartyId, name, baseUrl, values, timeoutMs = 10_000 }: InputOf<typeof api.addConfiguration>,
  { allowPrivate }: { allowPrivate: boolean },
): Promise<string> {
  const { rows: vendors } = await sql<{ kind: VendorKind }>`
    select v.kind from tp_vendor v where v.id = ${thirdPartyId} for update`.execute(tx.db)
  const fault = addressFault(baseUrl, { allowPrivate })
  const keys = Object.keys(values).toSorted()
  const kind = vendors[0]?.kind ?? 'payout'
  const unset = keysOf(kind).filter((key) => !keys.includes(key))
  const fields = {
    ...(vendors[0] ? {} : { thirdPartyId: 'unknown' }),
    ...(fault === null ? {} : { baseUrl: `vendors:fault.address.${fault}` }),
    ...(kind === 'storage' ? storageFaults(values) : {}),
    ...Object.fromEntries(unset.map((key) => [key, 'required'])),
  }
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
  const { rows: numbers } = await sql<{ id: string }>`
    select 'TC' || nextval('tp_cfg_id_seq') as id`.execute(tx.db)
  const { id } = numbers[0] as { id: string }
  const sealed = tx.context.secrets.seal(VALUES_PLACE, id, JSON.stringify(values))
  const { rows } = await sql`
    insert into tp_cfg (id, vendor_id, name, base_url, values_enc, keys, timeout_ms)
    values (${id}, ${thirdPartyId}, ${name}, ${baseUrl.replace(/\/+$/, '')}, ${sealed},
      ${keys}::text[], ${timeoutMs})
    on conflict do nothing returning id`.execute(tx.db)
  if (rows.length === 0)
    throw new Problem(NAME_TAKEN, {}, { fields: { name: 'vendors:fault.taken' } })
  await sql`insert into tp_health (cfg_id) values (${id})`.execute(tx.db)
  tx.log({
    action: 'add',
    targetKind: 'configuration',
    targetId: id,
    after: { thirdPartyId, name, baseUrl, keys, timeoutMs },
  })
  emitServices(tx, [])
  return id
}

/** What is in the address of an object leads nowhere else. */
function storageFaults(values: Readonly<Record<string, string>>): Record<string, string> {
  const { bucket = '', region = '' } = values
  return {
    ...(new RegExp(BUCKET).test(bucket) ? {} : { bucket: 'vendors:fault.bucket' }),
    ...(new RegExp(REGION).test(region) ? {} : { region: 'vendors:fault.region' }),
  }
}

/** @throws Problem G404, G409, K-USED for a configuration that serves an app */
export async function setConfigurationStatus(
  tx: CommandTx,
  { cfgId, version, status }: InputOf<typeof api.setConfigurationStatus>,
): Promise<Configuration> {
  await sql`select from tp_cfg c where c.id = ${cfgId} for update`.execute(tx.db)
  const before = await findConfiguration(tx.db, cfgId)
  if (before.version !== version) throw await changedByOther(tx.db, 'configuration', cfgId, before)
  if (status === 'disabled' && before.apps.length > 0) throw new Problem(IN_USE)
  await sql`update tp_cfg set status = ${status}, version = version + 1 where id = ${cfgId}`.execute(
    tx.db,
  )
  tx.log({
    action: 'status',
    targetKind: 'configuration',
    targetId: cfgId,
    before: { status: before.status },
    after: { status },
  })
  emitServices(tx, [])
  return findConfiguration(tx.db, cfgId)
}
