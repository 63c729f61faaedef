import type { saveEmiService as call } from '#shared/vendors/emi-services-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { addService, editService, setServiceStatus } from './save-service.ts'
import { findService, listEmiApps, type Service } from './vendor-queries.ts'

/**
 * The commands of services, for apps with EMI terms only.
 * @throws Problem G-FIELD for another app, G404 for a service of another app, and as those commands
 */
export async function saveEmiService(
  tx: CommandTx,
  { id, version, status, ...fields }: InputOf<typeof call>,
): Promise<Service> {
  const apps = new Set((await listEmiApps(tx.db)).map(({ appId }) => appId))
  if (!apps.has(fields.appId))
    throw new Problem(INVALID_FIELDS, {}, { fields: { appId: 'unknown' } })
  if (id === undefined) return withStatus(tx, await addService(tx, fields), status)
  if (version === undefined)
    throw new Problem(INVALID_FIELDS, {}, { fields: { version: 'required' } })
  const before = await findService(tx.db, id)
  if (!apps.has(before.appId)) throw new Problem(NOT_FOUND)
  const isSame =
    before.appId === fields.appId &&
    before.thirdPartyId === fields.thirdPartyId &&
    before.cfgId === fields.cfgId &&
    before.priority === fields.priority &&
    before.share === (fields.share ?? 0) &&
    before.remark === (fields.remark ?? '')
  if (!isSame) await editService(tx, { id, version, ...fields })
  return withStatus(tx, id, status, isSame ? version : undefined)
}

/** @param version that the caller saw; undefined when this transaction just wrote the row */
async function withStatus(
  tx: CommandTx,
  id: string,
  status: Service['status'] | undefined,
  version?: number,
): Promise<Service> {
  const now = await findService(tx.db, id)
  if (status === undefined || status === now.status) return now
  return setServiceStatus(tx, { id, version: version ?? now.version, status })
}
