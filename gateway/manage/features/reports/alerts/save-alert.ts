import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { FORBIDDEN, INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { alertFilters, alertReport } from '#shared/reports/alert-reports.ts'
import type * as api from '#shared/reports/alerts-api.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { changedByOther } from '#gateway/manage/kernel/changed-by.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type Judged, judgedDays } from './alert-figures.ts'
import { type Alert, findAlert, maySee, partNameOf, readsAll } from './alert-queries.ts'

/**
 * A changed limit is judged again: its recipients are notified again.
 * @throws Problem G403 for a report the person may not see; G-FIELD for a figure the report has not, a
 * person who may not see it, a filter of something that does not exist; G404, G409
 */
export async function saveAlert(
  tx: CommandTx,
  input: InputOf<typeof api.saveAlert>,
): Promise<Alert> {
  const { alertId, version, measure, kind, threshold, told } = input
  const { report = 'home', filters = {}, part = null, partGroup = null } = input
  const { userId, userName, rights } = staff(tx.actor)
  if (!maySee(rights, report)) throw new Problem(FORBIDDEN)
  checkFigure(tx, input)
  await checkKnown(tx, input)
  const before = alertId === undefined ? undefined : await findAlert(tx.db, alertId)
  if (alertId !== undefined && before === undefined) throw new Problem(NOT_FOUND)
  const partName = part === null ? null : await partNameOf(tx.db, partGroup, part)
  const values = sql`${report}, ${measure}, ${part}, ${partGroup}, ${partName}, ${kind}, ${threshold},
    ${JSON.stringify(filters)}::jsonb, ${told}::text[], ${userId}, ${userName}`
  const columns = sql`report, measure, part, part_group, part_name, kind, threshold, filters, told,
    updated_by, updated_by_name`
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

/** That the report has the figure, the row and the filters. */
function checkFigure({ context }: CommandTx, input: InputOf<typeof api.saveAlert>): void {
  const { report = 'home', measure, filters = {}, part, partGroup, kind } = input
  const { endpoint, measures, part: rule } = alertReport(report)
  const isRow =
    part === undefined
      ? rule === undefined || rule.hasSum === true
      : rule !== undefined && (rule.values?.some((one) => String(one) === part) ?? true)
  const isGroup =
    rule?.groups === undefined ? partGroup === undefined : includes(rule.groups, partGroup)
  // the cohorts of a week before have grown out of such a bucket
  const isComparable =
    kind !== 'change' || judgedDays(judgedOf(input), '2000-01-01').before !== null
  refuse({
    measure: measures.includes(measure),
    part: isRow && isGroup,
    kind: isComparable,
    filters: Object.keys(filters).every((name) => alertFilters(report).includes(name)),
  })
  const days = { dateFrom: '2000-01-01', dateTo: '2000-01-01' }
  // throws for a value the report does not take
  context.lists.get(endpoint.path)?.check({ ...filters, ...days })
}

function judgedOf(input: InputOf<typeof api.saveAlert>): Judged {
  const { report = 'home', measure, part = null, partGroup = null, kind, filters = {} } = input
  return { report, measure, part, partGroup, kind, filters }
}

function includes(groups: readonly string[], group: string | undefined): boolean {
  return group !== undefined && groups.includes(group)
}

async function checkKnown(
  tx: CommandTx,
  { report = 'home', filters = {}, told }: InputOf<typeof api.saveAlert>,
): Promise<void> {
  const { appId = null, channelId = null } = filters
  const { rows } = await sql<Record<'appId' | 'channelId' | 'told', boolean>>`
    select
      ${appId}::text is null or exists (select from app p where p.id = ${appId}) as "appId",
      ${channelId}::text is null or exists (select from channel h where h.id = ${channelId})
        as "channelId",
      (select count(*) from sys_user u where u.id = any(${told}::text[]) and ${readsAll(report)})
        = ${told.length} as told`.execute(tx.db)
  refuse(rows[0] ?? {})
}

/** @throws Problem G-FIELD */
function refuse(isRight: Readonly<Record<string, boolean>>): void {
  const wrong = Object.entries(isRight).flatMap(([name, right]) =>
    right ? [] : [[name, 'unknown'] as const],
  )
  if (wrong.length > 0) throw new Problem(INVALID_FIELDS, {}, { fields: Object.fromEntries(wrong) })
}

function logged({ report, measure, part, kind, threshold, filters, told }: Alert) {
  return {
    report,
    measure,
    part,
    kind,
    threshold,
    filters,
    told: told.map(({ userId }) => userId),
  }
}
