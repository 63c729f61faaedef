/** The figure a limit judges: its days, and its value in the report. */
import { addDays } from '#shared/kernel/time.ts'
import { alertReport, type AlertReportName } from '#shared/reports/alert-reports.ts'
import type { ALERT_KINDS } from '#shared/reports/alerts-api.ts'
import { BUCKETS } from '#shared/reports/buckets.ts'
import { type MeasureName, MEASURES } from '#shared/reports/measures.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { Range } from '../report-parts.ts'

const WEEK = 7
/** Days of a bucket that has no last one. */
const LONGEST = 60

export interface Judged {
  report: AlertReportName
  measure: MeasureName
  part: string | null
  partGroup: string | null
  kind: (typeof ALERT_KINDS)[number]
  filters: Readonly<Record<string, string>>
}

export interface JudgedDays {
  now: Range
  /** A week before; null: cannot be compared. */
  before: Range | null
  /** More can still come to them. */
  isRunning: boolean
}

/**
 * A figure that needs days is judged of the newest ones that have them, however it is judged.
 * @param today IST day of the figures
 */
export function judgedDays(alert: Judged, today: string): JudgedDays {
  const { report, measure, part, kind } = alert
  const bucket = report === 'bucket' ? BUCKETS[part as keyof typeof BUCKETS] : undefined
  if (bucket !== undefined && 'from' in bucket) {
    const dateFrom = addDays(today, -(bucket.to ?? bucket.from + LONGEST))
    return {
      now: { dateFrom, dateTo: addDays(today, -bucket.from) },
      before: null,
      isRunning: false,
    }
  }
  const age = bucket?.day ?? (report === 'recycling' ? Number(part) : ageOf(measure))
  // reminders of a due day are sent on the days before it
  const ahead = report === 'preRemind' && age === undefined ? -Number(part) : 0
  const isRunning = kind === 'above' && age === undefined
  const day = addDays(today, ahead - (isRunning ? 0 : (age ?? 0) + 1))
  const week = addDays(day, -WEEK)
  return {
    now: { dateFrom: day, dateTo: day },
    before: { dateFrom: week, dateTo: week },
    isRunning,
  }
}

function ageOf(measure: MeasureName): number | undefined {
  const rule: { unit: string; age?: number } = MEASURES[measure]
  return rule.age
}

interface Answer {
  rows: readonly Readonly<Record<string, unknown>>[]
  sum?: Readonly<Record<string, unknown>>
}

/** Reads each answer once: limits of one report and day share it. */
export function figureReader(context: AppContext, name: string) {
  const answers = new Map<string, Promise<Answer>>()
  return async (alert: Judged, range: Range): Promise<number | null> => {
    const { endpoint, part } = alertReport(alert.report)
    const input = {
      ...alert.filters,
      ...range,
      ...(alert.partGroup === null ? {} : { groupBy: alert.partGroup }),
    }
    const key = JSON.stringify([endpoint.path, Object.entries(input).toSorted()])
    const list = context.lists.get(endpoint.path)
    if (list === undefined) return null
    const answer = answers.get(key) ?? (list.answer(everything(name), input) as Promise<Answer>)
    answers.set(key, answer)
    const { rows, sum } = await answer
    const row =
      part === undefined || alert.part === null
        ? sum
        : rows.findLast((one) => String(one[part.field]) === alert.part)
    const value = row?.[alert.measure]
    return typeof value === 'number' ? value : null
  }
}

/** Limits apply to all figures: people who see only a part of them are not notified. */
function everything(name: string): StaffActor {
  return {
    ...systemActor(name),
    userId: '',
    sessionId: '',
    rights: {
      roleMark: name,
      permissions: new Set(),
      scope: 'all',
      agencyId: null,
      isOutside: false,
      departmentId: null,
      groupId: null,
    },
  }
}
