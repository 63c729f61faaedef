import { type RawBuilder, sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { mayCall, type Rights } from '#shared/kernel/permission.ts'
import {
  ALERT_REPORT_NAMES,
  alertReport,
  type AlertReportName,
} from '#shared/reports/alert-reports.ts'
import type {
  alertReaders as readersCall,
  listAlerts as call,
  saveAlert,
} from '#shared/reports/alerts-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import { isoTime, onePage, sortOf, type Sorts } from '#gateway/manage/kernel/list-parts.ts'
import { ruleNames, shareNames } from '../report-names.ts'

export type Alert = DataOf<typeof saveAlert>

const SORTS: Sorts = { updatedTime: 'a.updated_at', measure: 'a.measure' }
const ROW = sql`
  json_build_object('alertId', a.id, 'report', a.report, 'measure', a.measure, 'part', a.part,
    'partGroup', a.part_group, 'partName', a.part_name, 'kind', a.kind, 'threshold', a.threshold,
    'filters', a.filters,
    'filterNames', jsonb_strip_nulls(jsonb_build_object(
      'appId', (select p.name from app p where p.id = a.filters ->> 'appId'),
      'channelId', (select h.name from channel h where h.id = a.filters ->> 'channelId'),
      'productId', (select p.name from product p where p.id = a.filters ->> 'productId'),
      'agencyId', (select g.name from agency g where g.id = a.filters ->> 'agencyId'),
      'reviewerId', (select u.user_name from sys_user u where u.id = a.filters ->> 'reviewerId'))),
    'told', (select coalesce(json_agg(json_build_object('userId', u.id, 'userName', u.user_name)
        order by u.user_name), '[]')
      from sys_user u where u.id = any(a.told)),
    'isCrossed', a.is_crossed, 'crossedTime', ${isoTime('a.crossed_at')},
    'lastDay', a.last_day::text, 'lastValue', a.last_value, 'updatedBy', a.updated_by_name,
    'updatedTime', ${isoTime('a.updated_at')}, 'version', a.version)`

/** @throws Problem G-FIELD for a sort the list does not know */
export function listAlerts(
  db: Db,
  { rights }: StaffActor,
  input: InputOf<typeof call>,
): Promise<JsonText> {
  const seen = ALERT_REPORT_NAMES.filter((name) => maySee(rights, name))
  return onePage(db, {
    from: 'report_alert a',
    where: sql`a.report = any(${seen}::text[])`,
    order:
      input.sort === undefined
        ? sql.raw('a.updated_at desc, a.id desc')
        : sortOf(input.sort, SORTS, '', 'a.id'),
    row: ROW,
    joins: sql``,
    input,
  })
}

export async function findAlert(db: Db, alertId: string): Promise<Alert | undefined> {
  const { rows } = await sql<{ row: Alert }>`
    select ${ROW} as row from report_alert a where a.id = ${alertId}`.execute(db)
  return rows[0]?.row
}

export function maySee({ permissions }: Rights, report: AlertReportName): boolean {
  return mayCall(alertReport(report).endpoint.access, permissions)
}

/** Of `sys_user u`: may see all figures of the report. */
export function readsAll(report: AlertReportName): RawBuilder<boolean> {
  const { endpoint, isScoped = false } = alertReport(report)
  return sql<boolean>`
    u.status in ('enabled', 'normal') and exists (
      select from sys_role g
      join sys_role_menu rm on rm.role_id = g.id
      join sys_menu m on m.id = rm.menu_id and m.name = ${endpoint.menu}
      where g.id = u.role_id and g.status = 'enabled'
        and (not ${isScoped}::boolean or g.data_scope = 'all'))`
}

export async function readers(
  db: Db,
  { report = 'home' }: InputOf<typeof readersCall>,
): Promise<DataOf<typeof readersCall>> {
  const { rows } = await sql<DataOf<typeof readersCall>['people'][number]>`
    select u.id as "userId", u.user_name as "userName", u.account
    from sys_user u
    where ${readsAll(report)}
    order by u.user_name, u.id`.execute(db)
  return { people: rows }
}

/** What a row of a report is called where that is no word of the product. */
export async function partNameOf(
  db: Db,
  partGroup: string | null,
  part: string,
): Promise<string | null> {
  if (partGroup === 'rule') return (await ruleNames(db)).get(part) ?? null
  return partGroup === 'share' ? ((await shareNames(db)).get(part) ?? null) : null
}
