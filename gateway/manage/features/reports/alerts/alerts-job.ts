/**
 * Judges the limits of daily figures. A person is told once per crossing: an ended day that is still
 * beyond the limit is no new one, a running day begins at nothing and can cross it again.
 */
import { sql } from 'kysely'
import { formatPaise } from '#shared/kernel/money.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { ALERT_KINDS } from '#shared/reports/alerts-api.ts'
import type { HOME_MEASURES } from '#shared/reports/home-figures-api.ts'
import { MEASURES } from '#shared/reports/measures.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runAsSystem } from '#gateway/manage/kernel/system-command.ts'
import { homeFigures } from '../home-figures.ts'
import { standing } from '../report-parts.ts'
import { READS_FIGURES } from './alert-queries.ts'

const NAME = 'reportAlerts'
const WEEK = 7

interface Due {
  id: string
  measure: (typeof HOME_MEASURES)[number]
  kind: (typeof ALERT_KINDS)[number]
  threshold: number
  app_id: string | null
  channel_id: string | null
  told: string[]
  /** The day to judge. */
  day: string
}

export const reportAlerts: ScheduledClass = {
  name: NAME,
  cycle: 'every:60',
  async run(context) {
    const { asOf, isFilling } = await standing(context.database.kysely)
    if (isFilling) return ''
    const figures = figuresOnce(context)
    let told = 0
    for (const alert of await dueAlerts(context, istDay(asOf)))
      if (await judge(context, alert, await figures(alert))) told += 1
    return told === 0 ? '' : `${told} limits crossed`
  },
}

/** An ended day is judged once. */
async function dueAlerts({ database }: AppContext, today: string): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select a.id, a.measure, a.kind, a.threshold, a.app_id, a.channel_id, a.told, d.day::text as day
    from report_alert a
    cross join lateral (
      select case a.kind when 'above' then ${today}::date else ${today}::date - 1 end as day) d
    where a.kind = 'above' or a.last_day is distinct from d.day
    order by a.id`.execute(database.kysely)
  return rows
}

type Pair = Record<'now' | 'before', number | null>

/** Alerts of one app, channel and day share an answer. */
function figuresOnce({ database }: AppContext): (alert: Due) => Promise<Pair> {
  const asked = new Map<string, ReturnType<typeof homeFigures>>()
  return async ({ measure, app_id: appId, channel_id: channelId, day }) => {
    const key = JSON.stringify([appId, channelId, day])
    const answer =
      asked.get(key) ??
      homeFigures(database.kysely, {
        dateFrom: addDays(day, -WEEK),
        dateTo: day,
        ...(appId !== null && { appId }),
        ...(channelId !== null && { channelId }),
      })
    asked.set(key, answer)
    const { rows } = await answer
    return { now: rows.at(-1)?.[measure] ?? null, before: rows[0]?.[measure] ?? null }
  }
}

function isBeyond({ kind, threshold }: Due, { now, before }: Pair): boolean {
  if (now === null) return false
  if (kind === 'above') return now > threshold
  if (kind === 'below') return now < threshold
  if (before === null || before === 0) return false
  return Math.abs(now - before) * 10_000 > threshold * Math.abs(before)
}

/** @returns whether people were told */
async function judge(context: AppContext, alert: Due, figures: Pair): Promise<boolean> {
  const isCrossed = isBeyond(alert, figures)
  const { id, day, kind } = alert
  return runAsSystem(context, { name: NAME, menu: 'home' }, async (tx) => {
    // of two processes that judge at once, one finds the row as it was
    const { rows } = await sql<{ was: boolean }>`
      with before as (
        select a.id, a.is_crossed and (a.kind <> 'above' or a.last_day = ${day}::date) as was
        from report_alert a where a.id = ${id} for update
      )
      update report_alert a
      set is_crossed = ${isCrossed}, last_day = ${day}::date, last_value = ${figures.now},
        crossed_at = case when ${isCrossed} and not b.was then clock_timestamp() else a.crossed_at end
      from before b where b.id = a.id
      returning b.was`.execute(tx.db)
    if (!isCrossed || rows[0]?.was !== false) return false
    const { rows: people } = await sql<{ id: string }>`
      select u.id from sys_user u where u.id = any(${alert.told}::text[]) and ${READS_FIGURES}`.execute(
      tx.db,
    )
    for (const person of people)
      tx.notify({
        userId: person.id,
        kind: 'system',
        titleKey: `reports:notification.${kind}`,
        params: {
          measure: alert.measure,
          day,
          value: written(alert.measure, figures.now),
          before: written(alert.measure, figures.before),
          limit:
            kind === 'change' ? percent(alert.threshold) : written(alert.measure, alert.threshold),
        },
        route: `/home_manage/home?dateFrom=${addDays(day, -WEEK)}&dateTo=${day}`,
      })
    tx.log({
      action: NAME,
      targetKind: 'reportAlert',
      targetId: id,
      after: { day, value: figures.now, before: figures.before, told: people.length },
    })
    return true
  })
}

function written(measure: Due['measure'], value: number | null): string {
  if (value === null) return '–'
  const { unit } = MEASURES[measure]
  if (unit === 'money') return formatPaise(value)
  return unit === 'percent' ? percent(value) : String(value)
}

/** @param value basis points */
function percent(value: number): string {
  return `${(value / 100).toFixed(1)} %`
}
