/** A report's rows as the data of a chart. Pure. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { ChartData, ChartPoint, ChartSeries } from '#client/ui/chart/chart-types.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { addDays, istClock, istDay } from '#shared/kernel/time.ts'
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
  'measures' | 'words' | 'texts' | 'help'
>

export interface ChartGiven<Row extends object> {
  answer: ReportAnswer<Row>
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
        : splitSeries(chart.split, measureOf(first ?? ('' as FieldOf<Row>)), keys, by, given),
    format: measureOf(first ?? ('' as FieldOf<Row>))?.format ?? 'count',
  }
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

/** Whether the group is the running day. */
export function isRunning(key: string, by: { isDay?: boolean }, asOf: string): boolean {
  return by.isDay === true && key === istDay(asOf)
}

/** A group in words; the running day says until when it is counted. */
export function groupText<Row extends object>(
  row: Row,
  by: Dimension<Row>,
  { answer, context }: Pick<ChartGiven<Row>, 'answer' | 'context'>,
): string {
  const key = keyOf(row, by.field)
  const text =
    by.text?.(row, context) ?? (by.isDay === true ? formatIst(key, 'day', context.language) : key)
  return isRunning(key, by, answer.asOf)
    ? `${text}, ${context.t('chart:report.until', { time: istClock(answer.asOf) })}`
    : text
}

function pointOf<Row extends object>(
  key: string,
  by: Dimension<Row>,
  given: ChartGiven<Row>,
): ChartPoint {
  const row = given.answer.rows.find((one) => keyOf(one, by.field) === key)
  return {
    key,
    label: row === undefined ? key : groupText(row, by, given),
    ...(by.isDay === true ? { tick: formatIst(key, 'nearDay', given.context.language) } : {}),
    ...(isRunning(key, by, given.answer.asOf) ? { isHollow: true } : {}),
  }
}

function seriesOf<Row extends object>(
  label: string,
  measure: Measure<Row> | undefined,
  keys: readonly string[],
  by: Dimension<Row>,
  { answer, days, context }: ChartGiven<Row>,
  isOf: (row: Row) => boolean = () => true,
): ChartSeries {
  const rows = byKey(answer.rows, by.field, isOf)
  const before = byKey(answer.previous ?? [], by.field, isOf)
  const at = keys.map((key) => rows.get(key))
  const value = (row: Row | undefined) =>
    row === undefined || measure === undefined ? null : numberOf(row[measure.field])
  const hasRows = measure?.href !== undefined
  const canBeHollow = measure?.isHollow !== undefined
  return {
    key: label,
    label,
    values: at.map(value),
    ...(answer.previous === undefined
      ? {}
      : {
          previous: keys.map((key) =>
            value(before.get(by.isDay === true ? addDays(key, -days) : key)),
          ),
        }),
    ...(hasRows
      ? {
          hrefs: at.map((row) =>
            row === undefined ? null : (measure.href?.(row, context) ?? null),
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
  split: FieldOf<Row>,
  measure: Measure<Row> | undefined,
  keys: readonly string[],
  by: Dimension<Row>,
  given: ChartGiven<Row>,
): ChartSeries[] {
  const parts = [...new Set(given.answer.rows.map((row) => keyOf(row, split)))]
  return parts.map((part) =>
    seriesOf(part, measure, keys, by, given, (row) => keyOf(row, split) === part),
  )
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
