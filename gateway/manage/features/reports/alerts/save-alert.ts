import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type * as api from '#shared/reports/alerts-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type Alert, findAlert, READS_FIGURES } from './alert-queries.ts'

/**
 * A changed limit is judged anew: who is told hears of it again.
 * @throws Problem G-FIELD for a person who may not see the figures, an app or a channel that does
 * not exist; G404, G409
 */
export async function saveAlert(
  tx: CommandTx,
  input: InputOf<typeof api.saveAlert>,
): Promise<Alert> {
  const { alertId, version, measure, kind, threshold, appId, channelId, told } = input
  const { userId, userName } = staff(tx.actor)
  await check(tx, input)
  const before = alertId === undefined ? undefined : await findAlert(tx.db, alertId)
  if (alertId !== undefined && before === undefined) throw new Problem(NOT_FOUND)
  const values = sql`${measure}, ${kind}, ${threshold}, ${appId ?? null}, ${channelId ?? null},
    ${told}::text[], ${userId}, ${userName}`
  const columns = sql`measure, kind, threshold, app_id, channel_id, told, updated_by, updated_by_name`
  const { rows } =
    alertId === undefined
      ? await sql<{ id: string }>`
          insert into report_alert (${columns}) values (${values}) returning id`.execute(tx.db)
      : await sql<{ id: string }>`
          update report_alert a
          set (${columns}) = (${values}), is_crossed = false, crossed_at = null, last_day = null,
            last_value = null, updated_at = clock_timestamp(), version = a.version + 1
          where a.id = ${alertId} and a.version = ${version ?? 0}
          returning a.id`.execute(tx.db)
  const [written] = rows
  if (written === undefined) throw await changedByOther(tx.db, 'reportAlert', alertId ?? '', before)
  const after = (await findAlert(tx.db, written.id)) as Alert
  tx.log({
    action: 'saveAlert',
    targetKind: 'reportAlert',
    targetId: written.id,
    ...(before && { before: logged(before) }),
    after: logged(after),
  })
  tx.afterCommit(() => tx.context.wakeSchedule('reportAlerts'))
  return after
}

/** @throws Problem G404, G409 */
export async function deleteAlert(
  tx: CommandTx,
  { alertId, version }: InputOf<typeof api.deleteAlert>,
): Promise<null> {
  const before = await findAlert(tx.db, alertId)
  if (before === undefined) throw new Problem(NOT_FOUND)
  const { numAffectedRows } = await sql`
    delete from report_alert a where a.id = ${alertId} and a.version = ${version}`.execute(tx.db)
  if (numAffectedRows !== 1n) throw await changedByOther(tx.db, 'reportAlert', alertId, before)
  tx.log({
    action: 'deleteAlert',
    targetKind: 'reportAlert',
    targetId: alertId,
    before: logged(before),
  })
  return null
}

async function check(
  tx: CommandTx,
  { appId, channelId, told }: InputOf<typeof api.saveAlert>,
): Promise<void> {
  const { rows } = await sql<{ app: boolean; channel: boolean; told: boolean }>`
    select
      ${appId ?? null}::text is null or exists (select from app p where p.id = ${appId ?? null}) as app,
      ${channelId ?? null}::text is null
        or exists (select from channel h where h.id = ${channelId ?? null}) as channel,
      (select count(*) from sys_user u where u.id = any(${told}::text[]) and ${READS_FIGURES})
        = ${told.length} as told`.execute(tx.db)
  const [known] = rows
  const wrong = { appId: known?.app, channelId: known?.channel, told: known?.told }
  const fields = Object.entries(wrong).flatMap(([name, isRight]) =>
    isRight === true ? [] : [[name, 'unknown'] as const],
  )
  if (fields.length > 0)
    throw new Problem(INVALID_FIELDS, {}, { fields: Object.fromEntries(fields) })
}

function logged({ measure, kind, threshold, appId, channelId, told }: Alert) {
  return { measure, kind, threshold, appId, channelId, told: told.map(({ userId }) => userId) }
}
