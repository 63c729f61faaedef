/** A report's rows as the data of a chart. Pure. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { ChartData, ChartPoint, ChartSeries } from '#client/ui/chart/chart-types.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { grainEnd, grainStart } from '#shared/kernel/grain.ts'
import { addDays, isDay, istClock, istDay } from '#shared/kernel/time.ts'
import type {
  Dimension,
  FieldOf,
  Measure,
  ReportAnswer,
  ReportChart,
  ReportSpec,
} from './report-types.ts'

/** The part of a declared report that a chart needs. */
export type ChartedReport<Row extends object> = Pick<
  ReportSpec<never, Row>,
  'measures' | 'words' | 'texts' | 'help' | 'splitText'
>

export interface ChartGiven<Row extends object> {
  answer: ReportAnswer<Row>
  dateFrom: string
  /** Days of the range, which is the distance to the previous period. */
  days: number
  context: ListContext
}

export function chartOf<Row extends object>(
  report: ChartedReport<Row>,
  chart: ReportChart<Row>,
  by: Dimension<Row>,
  given: ChartGiven<Row>,
): ChartData {
  const { answer } = given
  const [first] = chart.measures
  const measureOf = (field: FieldOf<Row>) => report.measures.find((one) => one.field === field)
  const keys = [...new Set(answer.rows.map((row) => keyOf(row, by.field)))]
  return {
    points: keys.map((key) => pointOf(key, by, given)),
    series:
      chart.split === undefined
        ? chart.measures.map((field) =>
            seriesOf(nameOf(report, field, given.context), measureOf(field), keys, by, given),
          )
        : splitSeries(
            report,
            chart.split,
            chart.ramp?.whole,
            measureOf(first ?? ('' as FieldOf<Row>)),
            keys,
            by,
            given,
          ),
    format: measureOf(first ?? ('' as FieldOf<Row>))?.format ?? 'count',
  }
}

/** A line runs through what follows each other: days, periods, hours. Other groups stand as bars. */
export function kindOf<Kind extends ReportChart<object>['kind']>(
  kind: Kind,
  { isDay, isSequence, grain }: Pick<Dimension<never>, 'isDay' | 'isSequence' | 'grain'>,
): Kind | 'bar' {
  const isOrdered = isDay === true || isSequence === true || grain !== undefined
  return kind === 'line' && !isOrdered ? 'bar' : kind
}

/** First and last IST day of the report. */
export function daysOf({ dateFrom, days }: Pick<ChartGiven<object>, 'dateFrom' | 'days'>): {
  dateFrom: string
  dateTo: string
} {
  return { dateFrom, dateTo: addDays(dateFrom, days - 1) }
}

/** Name of a measure or dimension. */
export function nameOf<Row extends object>(
  { texts, words }: Pick<ReportSpec<never, Row>, 'texts' | 'words'>,
  field: string,
  { t }: Pick<ListContext, 't'>,
): string {
  return t(`${texts[0]}:${words}.${field}`)
}

export function keyOf<Row extends object>(row: Row, field: FieldOf<Row>): string {
  return String(row[field])
}

/** Whether the group is the running day, or the period it is in. */
export function isRunning(
  key: string,
  by: Pick<Dimension<never>, 'isDay' | 'grain'>,
  asOf: string,
): boolean {
  if (by.grain !== undefined) return key === grainStart(istDay(asOf), by.grain)
  return by.isDay === true && key === istDay(asOf)
}

/** Whether more can still come to the group, or the range leaves out a part of the period. */
export function isPart(
  key: string,
  by: Pick<Dimension<never>, 'isDay' | 'grain'>,
  { answer, dateFrom, days }: Pick<ChartGiven<object>, 'answer' | 'dateFrom' | 'days'>,
): boolean {
  if (isRunning(key, by, answer.asOf)) return true
  if (by.grain === undefined) return false
  return key < dateFrom || grainEnd(key, by.grain) > daysOf({ dateFrom, days }).dateTo
}

/** A group in words; the running day shows until when it is counted. */
export function groupText<Row extends object>(
  row: Row,
  by: Dimension<Row>,
  { answer, context }: Pick<ChartGiven<Row>, 'answer' | 'context'>,
): string {
  const key = keyOf(row, by.field)
  const text = by.text?.(row, context) ?? keyText(key, by, context)
  return isRunning(key, by, answer.asOf)
    ? `${text}, ${context.t('chart:report.until', { time: istClock(answer.asOf) })}`
    : text
}

function keyText(
  key: string,
  { isDay, grain }: Pick<Dimension<never>, 'isDay' | 'grain'>,
  { t, language }: ListContext,
): string {
  if (grain === 'month') return formatIst(key, 'month', language)
  if (grain === 'week') return t('chart:report.weekOf', { day: formatIst(key, 'day', language) })
  return isDay === true ? formatIst(key, 'day', language) : key
}

function pointOf<Row extends object>(
  key: string,
  by: Dimension<Row>,
  given: ChartGiven<Row>,
): ChartPoint {
  const row = given.answer.rows.find((one) => keyOf(one, by.field) === key)
  const label = row === undefined ? key : groupText(row, by, given)
  return {
    key,
    label,
    ...(by.isDay === true || by.grain === 'week'
      ? { tick: formatIst(key, 'nearDay', given.context.language) }
      : by.isSequence === true
        ? { tick: label }
        : row !== undefined && by.tick !== undefined
          ? { tick: by.tick(row) }
          : {}),
    ...(isPart(key, by, given) ? { isHollow: true } : {}),
  }
}

function seriesOf<Row extends object>(
  label: string,
  measure: Measure<Row> | undefined,
  keys: readonly string[],
  by: Dimension<Row>,
  given: ChartGiven<Row>,
  isOf: (row: Row) => boolean = () => true,
): ChartSeries {
  const { answer, days, context } = given
  const rows = byKey(answer.rows, by.field, isOf)
  const before = byKey(answer.previous ?? [], by.field, isOf)
  const at = keys.map((key) => rows.get(key))
  const value = (row: Row | undefined) =>
    row === undefined || measure === undefined ? null : numberOf(row[measure.field])
  // periods are compared by their place: a range has as many of them as the one before, or one more
  const periods = [...before.keys()]
  const keyBefore = (key: string, at: number): string => {
    if (by.grain !== undefined) return periods[at] ?? ''
    return by.isDay === true ? addDays(key, -days) : key
  }
  const hasRows = measure?.href !== undefined
  const hasReason = measure?.whyNot !== undefined
  const canBeHollow = measure?.isHollow !== undefined
  return {
    key: label,
    label,
    values: at.map(value),
    ...(answer.previous === undefined
      ? {}
      : {
          previous: keys.map((key, at) => value(before.get(keyBefore(key, at)))),
        }),
    ...(hasRows
      ? {
          hrefs: at.map((row) =>
            row === undefined ? null : (measure.href?.(row, context, by, daysOf(given)) ?? null),
          ),
        }
      : {}),
    ...(hasReason
      ? {
          whyNots: at.map((row) =>
            row === undefined ? null : (measure.whyNot?.(row, context, by, daysOf(given)) ?? null),
          ),
        }
      : {}),
    ...(canBeHollow
      ? {
          hollow: at.map((row) => row !== undefined && (measure.isHollow?.(row, context) ?? false)),
        }
      : {}),
  }
}

/** A series per value of a field, in the order they come. */
function splitSeries<Row extends object>(
  report: Pick<ChartedReport<Row>, 'splitText'>,
  split: FieldOf<Row>,
  whole: string | undefined,
  measure: Measure<Row> | undefined,
  keys: readonly string[],
  by: Dimension<Row>,
  given: ChartGiven<Row>,
): ChartSeries[] {
  const parts = [...new Set(given.answer.rows.map((row) => keyOf(row, split)))]
  return parts.map((part, nr) => ({
    ...seriesOf(
      splitText(report, part, given.context),
      measure,
      keys,
      by,
      given,
      (row) => keyOf(row, split) === part,
    ),
    ...(whole === undefined
      ? {}
      : part === whole
        ? { color: 'var(--ink)', isMain: true }
        : { color: rampColor(nr, parts.length - 1) }),
  }))
}

/** From the first cohort to the newest one, both visible on the surface. */
function rampColor(nr: number, count: number): string {
  const share = count < 2 ? 100 : Math.round((nr / (count - 1)) * 100)
  return `color-mix(in srgb, var(--chart-8) ${share}%, var(--chart-7))`
}

/** A value of the split field in words. */
export function splitText(
  report: { splitText?: (value: string, context: ListContext) => string },
  value: string,
  context: ListContext,
): string {
  if (report.splitText !== undefined) return report.splitText(value, context)
  return isDay(value) ? formatIst(value, 'day', context.language) : value
}

function byKey<Row extends object>(
  rows: readonly Row[],
  field: FieldOf<Row>,
  isOf: (row: Row) => boolean,
): ReadonlyMap<string, Row> {
  return new Map(rows.filter(isOf).map((row) => [keyOf(row, field), row]))
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
