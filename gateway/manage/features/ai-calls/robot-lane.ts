/** Which vendor's robot calls for a task: a service of the app, or the vendor of the installation. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { candidatesFor } from '#gateway/manage/vendors/routing/choose-vendor.ts'
import type { VendorLane } from '#gateway/manage/vendors/routing/vendors-by-lane.ts'

/** A vendor that did not take a call of a task is not handed another one so soon. */
const TRIED_MINUTES = 10

/**
 * The first that may be called and did not just fail to take a call of the task; when all did, the
 * first that may be called. Null: nobody may be called now.
 */
export async function robotLane(
  db: Db,
  { taskId, appId }: { taskId: string; appId: string },
  installation: string | null,
): Promise<VendorLane | null> {
  const services = await candidatesFor(db, { appId, kind: 'aiCall', key: taskId })
  if (services.length === 0)
    return installation === null ? null : { cfgId: null, vendorCode: installation }
  const { rows } = await sql<{ cfg_id: string | null }>`
    select a.tp_cfg_id as cfg_id from ai_call a where a.task_id = ${taskId} and a.state = 'refused'
      and a.started_at > clock_timestamp() - make_interval(mins => ${TRIED_MINUTES})`.execute(db)
  const tried = new Set(rows.map((row) => row.cfg_id))
  const available = services.filter(({ isAvailable }) => isAvailable)
  return available.find(({ cfgId }) => !tried.has(cfgId)) ?? available[0] ?? null
}

/**
 * Whether anybody calls for an app; what nobody calls for waits.
 * @param appId column with the app's id
 */
export function hasRobot(
  installation: string | null,
  appId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (installation !== null) return sql<boolean>`true`
  return sql<boolean>`exists (select from tp_app_cfg s where s.app_id = ${appId}
    and s.kind = 'aiCall' and s.status = 'enabled')`
}
