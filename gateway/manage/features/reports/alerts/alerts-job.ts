/**
 * Judges the limits of figures. A person is notified once per crossing: an ended day that is still
 * beyond the limit is no new one, a running day begins at nothing and can cross it again.
 */
import { sql } from 'kysely'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { alertReport } from '#shared/reports/alert-reports.ts'
import { type MeasureName, MEASURES } from '#shared/reports/measures.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runAsSystem } from '#gateway/manage/kernel/system-command.ts'
import { freshnessOf } from '../report-parts.ts'
import { figureReader, type Judged, type JudgedDays, judgedDays } from './alert-figures.ts'
import { readsAll } from './alert-queries.ts'

/** Grouped as on the screens. */
const COUNT = new Intl.NumberFormat('en-IN')
const NAME = 'reportAlerts'
const WEEK = 7

interface Due extends Judged {
  id: string
  threshold: number
  partName: string | null
  told: string[]
  lastDay: string | null
  days: JudgedDays
}

export const reportAlerts: ScheduledClass = {
  name: NAME,
  cycle: 'every:60',
  async run(context) {
    const { asOf, isFilling } = await freshnessOf(context.database.kysely)
    if (isFilling) return {}
    const figure = figureReader(context, NAME)
    let limitsCrossed = 0
    for (const alert of await dueAlerts(context, istDay(asOf))) {
      const { now, before } = alert.days
      const figures = {
        now: await figure(alert, now),
        before: before === null ? null : await figure(alert, before),
      }
      if (await judge(context, alert, figures)) limitsCrossed += 1
    }
    return { limitsCrossed }
  },
}

/** An ended day is judged once. */
async function dueAlerts({ database }: AppContext, today: string): Promise<Due[]> {
  const { rows } = await sql<Omit<Due, 'days'>>`
    select a.id, a.report, a.measure, a.part, a.part_group as "partGroup", a.part_name as "partName",
      a.kind, a.threshold, a.filters, a.told, a.last_day::text as "lastDay"
    from report_alert a
    order by a.id`.execute(database.kysely)
  return rows
    .map((alert) => ({ ...alert, days: judgedDays(alert, today) }))
    .filter(({ days, lastDay }) => days.isRunning || lastDay !== days.now.dateTo)
}

type Pair = Record<'now' | 'before', number | null>

function isBeyond({ kind, threshold }: Due, { now, before }: Pair): boolean {
  if (now === null) return false
  if (kind === 'above') return now > threshold
  if (kind === 'below') return now < threshold
  if (before === null || before === 0) return false
  return Math.abs(now - before) * 10_000 > threshold * Math.abs(before)
}

/** @returns whether people were notified */
async function judge(context: AppContext, alert: Due, figures: Pair): Promise<boolean> {
  const isCrossed = isBeyond(alert, figures)
  const {
    id,
    report,
    days: { now, isRunning },
  } = alert
  const day = now.dateTo
  const { menu } = alertReport(report).endpoint
  return runAsSystem(context, { name: NAME, menu: menu ?? 'home' }, async (tx) => {
    // of two processes that judge at once, one finds the row as it was
    const { rows } = await sql<{ was: boolean }>`
      with before as (
        select a.id, a.is_crossed and (not ${isRunning}::boolean or a.last_day = ${day}::date) as was
        from report_alert a where a.id = ${id} for update
      )
      update report_alert a
      set is_crossed = ${isCrossed}, last_day = ${day}::date, last_value = ${figures.now},
        crossed_at = case when ${isCrossed} and not b.was then clock_timestamp() else a.crossed_at end
      from before b where b.id = a.id
      returning b.was`.execute(tx.db)
    if (!isCrossed || rows[0]?.was !== false) return false
    const { rows: people } = await sql<{ id: string }>`
      select u.id from sys_user u
      where u.id = any(${alert.told}::text[]) and ${readsAll(report)}`.execute(tx.db)
    for (const person of people) tx.notify(noteOf(person.id, alert, figures))
    tx.log({
      action: NAME,
      targetKind: 'reportAlert',
      targetId: id,
      after: { day, value: figures.now, before: figures.before, told: people.length },
    })
    return true
  })
}

function noteOf(userId: string, alert: Due, figures: Pair) {
  const { report, measure, kind, threshold, part, partName, days } = alert
  return {
    userId,
    kind: 'system' as const,
    titleKey: `reports:notification.${kind}${part === null ? '' : 'Row'}`,
    params: {
      report,
      measure,
      ...(part !== null && { part: partName ?? part, rowKey: rowKey(alert, part) }),
      day: days.now.dateTo,
      value: written(measure, figures.now),
      before: written(measure, figures.before),
      limit: kind === 'change' ? formatBasisPoints(threshold) : written(measure, threshold),
    },
    route: routeOf(alert),
  }
}

/** Key of the text that names the judged row. */
function rowKey({ report, partGroup }: Due, part: string): string {
  if (report === 'process') return `reports:step.${part}`
  if (partGroup === 'route') return `reports:route.${part}`
  const isDay = report === 'recycling' || report === 'preRemind'
  return `reports:alert.row.${isDay ? 'at' : 'name'}`
}

/** The report with the judged days and filters, and at least a week to compare with. */
function routeOf({ report, filters, partGroup, days: { now } }: Due): string {
  const { route } = alertReport(report)
  const weekBefore = addDays(now.dateTo, -WEEK)
  const query = new URLSearchParams({
    ...filters,
    ...(partGroup === null ? {} : { by: partGroup }),
    dateFrom: now.dateFrom < weekBefore ? now.dateFrom : weekBefore,
    dateTo: now.dateTo,
  })
  return `${route}${route.includes('?') ? '&' : '?'}${query}`
}

function written(measure: MeasureName, value: number | null): string {
  if (value === null) return '–'
  const { unit } = MEASURES[measure]
  if (unit === 'money') return formatPaise(value)
  if (unit === 'seconds') return clockText(value)
  return unit === 'percent' ? formatBasisPoints(value) : COUNT.format(value)
}

/** `1:05:00` of an hour and five minutes. */
function clockText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
