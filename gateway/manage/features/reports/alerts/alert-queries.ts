import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { alertReaders, listAlerts as call, saveAlert } from '#shared/reports/alerts-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import { isoTime, onePage, sortOf, type Sorts } from '#gateway/manage/kernel/list-parts.ts'

export type Alert = DataOf<typeof saveAlert>

const SORTS: Sorts = { updatedTime: 'a.updated_at', measure: 'a.measure' }
const JOINS = sql`
  left join app p on p.id = a.app_id
  left join channel h on h.id = a.channel_id`
const ROW = sql`
  json_build_object('alertId', a.id, 'measure', a.measure, 'kind', a.kind, 'threshold', a.threshold,
    'appId', a.app_id, 'appName', p.name, 'channelId', a.channel_id, 'channelName', h.name,
    'told', (select coalesce(json_agg(json_build_object('userId', u.id, 'userName', u.user_name)
        order by u.user_name), '[]')
      from sys_user u where u.id = any(a.told)),
    'isCrossed', a.is_crossed, 'crossedTime', ${isoTime('a.crossed_at')},
    'lastDay', a.last_day::text, 'lastValue', a.last_value, 'updatedBy', a.updated_by_name,
    'updatedTime', ${isoTime('a.updated_at')}, 'version', a.version)`

/** @throws Problem G-FIELD for a sort the list does not know */
export function listAlerts(db: Db, input: InputOf<typeof call>): Promise<JsonText> {
  return onePage(db, {
    from: 'report_alert a',
    where: sql`true`,
    order:
      input.sort === undefined
        ? sql.raw('a.updated_at desc, a.id desc')
        : sortOf(input.sort, SORTS, '', 'a.id'),
    row: ROW,
    joins: JOINS,
    input,
  })
}

export async function findAlert(db: Db, alertId: string): Promise<Alert | undefined> {
  const { rows } = await sql<{ row: Alert }>`
    select ${ROW} as row from report_alert a ${JOINS} where a.id = ${alertId}`.execute(db)
  return rows[0]?.row
}

/** Of `sys_user u`: may see the daily figures. */
export const READS_FIGURES = sql<boolean>`
  u.status in ('enabled', 'normal') and exists (
    select from sys_role g
    join sys_role_menu rm on rm.role_id = g.id
    join sys_menu m on m.id = rm.menu_id and m.name = 'home'
    where g.id = u.role_id and g.status = 'enabled')`

export async function readers(db: Db): Promise<DataOf<typeof alertReaders>> {
  const { rows } = await sql<DataOf<typeof alertReaders>['people'][number]>`
    select u.id as "userId", u.user_name as "userName", u.account
    from sys_user u
    where ${READS_FIGURES}
    order by u.user_name, u.id`.execute(db)
  return { people: rows }
}
