/** Copies the services of one app to another. */
import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/vendors/vendors-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitServices, lockApp } from './save-service.ts'

/**
 * Services that are on are copied. Those the other app has stay as they are; with `overwrite` its
 * services of the same kinds become those of the first app.
 * @returns how many services the other app got or had replaced, and how many it kept
 * @throws Problem G-FIELD for the same or an unknown app, or one without services
 */
export async function generateServices(
  tx: CommandTx,
  { fromAppId, toAppId, overwrite = false }: InputOf<typeof api.generateServices>,
): Promise<DataOf<typeof api.generateServices>> {
  if (fromAppId === toAppId)
    throw new Problem(INVALID_FIELDS, {}, { fields: { toAppId: 'vendors:fault.sameApp' } })
  for (const [field, appId] of [
    ['fromAppId', fromAppId],
    ['toAppId', toAppId],
  ].toSorted(([, one = ''], [, other = '']) => (one < other ? -1 : 1)) as [string, string][])
    await lockApp(tx, appId, field)
  const { rows: copied } = await sql<{ id: string }>`
    select s.id from tp_app_cfg s where s.app_id = ${fromAppId} and s.status = 'enabled'`.execute(
    tx.db,
  )
  if (copied.length === 0)
    throw new Problem(INVALID_FIELDS, {}, { fields: { fromAppId: 'vendors:fault.noServices' } })
  if (overwrite)
    await sql`
      delete from tp_app_cfg s where s.app_id = ${toAppId}
        and s.kind in (select f.kind from tp_app_cfg f where f.app_id = ${fromAppId}
          and f.status = 'enabled')
        and not exists (select 1 from tp_app_cfg f where f.app_id = ${fromAppId}
          and f.status = 'enabled' and f.cfg_id = s.cfg_id)`.execute(tx.db)
  const { rows: written } = await sql<{ id: string }>`
    insert into tp_app_cfg as t (app_id, vendor_id, cfg_id, kind, priority, share, remark)
    select ${toAppId}, f.vendor_id, f.cfg_id, f.kind, f.priority, f.share, f.remark
    from tp_app_cfg f where f.app_id = ${fromAppId} and f.status = 'enabled' order by f.id
    on conflict (app_id, vendor_id, cfg_id) do update set priority = excluded.priority,
      share = excluded.share, remark = excluded.remark, status = 'enabled',
      updated_at = clock_timestamp(), version = t.version + 1
      where ${overwrite} and (t.priority, t.share, t.remark, t.status)
        is distinct from (excluded.priority, excluded.share, excluded.remark, 'enabled')
    returning t.id`.execute(tx.db)
  const counts = { added: written.length, skipped: copied.length - written.length }
  tx.log({
    action: 'generate',
    targetKind: 'app',
    targetId: toAppId,
    after: { fromAppId, overwrite, ...counts },
  })
  if (written.length > 0) emitServices(tx, [])
  return counts
}
