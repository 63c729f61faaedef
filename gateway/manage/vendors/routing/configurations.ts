/** Opens the configurations of third parties. */
import { sql } from 'kysely'
import type { VendorKind } from '#shared/vendors/vendor-kinds.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'

/** What the sealed values of a configuration are bound to, beside its id. */
export const VALUES_PLACE = 'tp_cfg.values_enc'

export interface OpenConfiguration {
  cfgId: string
  vendorCode: string
  vendorName: string
  kind: VendorKind
  sandbox: boolean
  baseUrl: string
  timeoutMs: number
  values: Readonly<Record<string, string>>
}

/** Null: there is none with this id. */
export async function openConfiguration(
  db: Db,
  secrets: Secrets,
  cfgId: string,
): Promise<OpenConfiguration | null> {
  const { rows } = await sql<Omit<OpenConfiguration, 'values'> & { sealed: Buffer }>`
    select c.id as "cfgId", v.code as "vendorCode", v.name as "vendorName", v.kind, v.sandbox,
      c.base_url as "baseUrl", c.timeout_ms as "timeoutMs", c.values_enc as sealed
    from tp_cfg c join tp_vendor v on v.id = c.vendor_id where c.id = ${cfgId}`.execute(db)
  if (!rows[0]) return null
  const { sealed, ...rest } = rows[0]
  return {
    ...rest,
    values: JSON.parse(secrets.open(VALUES_PLACE, cfgId, sealed)) as Record<string, string>,
  }
}
