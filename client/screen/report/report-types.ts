/** The words of a report screen: what a feature declares. */
import type { ListContext, ListFilters, ListRead } from '#client/screen/list/list-types.ts'
import type { ChartKind, ChartMark } from '#client/ui/chart/chart-types.ts'
import type { ValueFormat } from '#client/ui/value/value-text.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Grain } from '#shared/kernel/grain.ts'

/** What a report call answers, whatever its rows are. */
export interface ReportAnswer<Row extends object> {
  rows: readonly Row[]
  previous?: readonly Row[]
  sum?: Partial<Row>
  asOf: string
  /** Older days are still being prepared. */
  isFilling?: boolean
}

export type ReportRow<E extends Endpoint> =
  DataOf<E> extends { rows: (infer Row)[] } ? Row & object : never

export type FieldOf<Row> = string & keyof Row

/** A figure of a row; its name is under `words`. */
export interface Measure<Row> {
  field: FieldOf<Row>
  format: ValueFormat
  /** A cohort that can still change, such as a share after 30 days of loans due last week. */
  isHollow?: (row: Row, context: ListContext) => boolean
  /** Address of exactly the rows that are counted; null where the person has no such list. */
  href?: RowsOf<Row>
  /** Why the figure leads nowhere, in words; null shows nothing. */
  whyNot?: RowsOf<Row>
}

/** IST days of a report, both included. */
export interface ReportDays {
  dateFrom: string
  dateTo: string
}

/** @param row one of the report, or its sum, which has no group and counts all `days` */
export type RowsOf<Row> = (
  row: Row,
  context: ListContext,
  by: Dimension<Row>,
  days: ReportDays,
) => string | null

/** What the rows are grouped by. */
export interface Dimension<Row> {
  /** Value of `groupBy` in the call; also its name in the address. */
  name: string
  field: FieldOf<Row>
  /** A day is ordered, compared with the day one range before, and can be the running one. */
  isDay?: boolean
  /** Its values follow each other as hours do, so an axis may leave out the labels of some. */
  isSequence?: true
  /** The field is the first day of such a period, which may be cut off at both ends of the range. */
  grain?: Exclude<Grain, 'day'>
  /** Its name, when several groups are of one field; else that of the field. */
  word?: string
  /** Name of its column where the rows are not what the group is named after. */
  head?: string
  /** Else the value itself, or a day as the language writes it. */
  text?: (row: Row, context: ListContext) => string
  /** Under the axis of a chart, where the text is long. */
  tick?: (row: Row) => string
  /** Where the group is worked on; null where the person has no such list. */
  href?: (row: Row, context: ListContext) => string | null
}

export interface ReportChart<Row> {
  /** Its name in the address; its title is under `charts`. */
  name: string
  kind: ChartKind | 'heat'
  /** A line or bar per measure; all of one unit. */
  measures: readonly FieldOf<Row>[]
  /** A line or bar per value of this field instead, of the first measure; of a heat table a row. */
  split?: FieldOf<Row>
  /** Series are cohorts in their order: a ramp of colours instead of the palette; one of them is the whole. */
  ramp?: { whole: string }
  /** Dimensions it is offered for; all when left out. */
  of?: readonly string[]
}

/** Something that happened in the days of a report. */
export interface ReportChange {
  at: string
  kind: string
  what: string
  by: string
}

/** One figure by itself. */
export interface ReportTile {
  /** Of the texts. */
  label: string
  value: number | null
  format: ValueFormat
  /** What the value is compared with, in words. */
  hint?: string
  /** What it means. */
  help?: string
  /** Address of the rows it counts. */
  href?: string | null
}

export interface ReportSpec<E extends Endpoint, Row extends object = ReportRow<E>> {
  /** Its access, menu and exports are those of the screen. */
  endpoint: E
  /** Where the endpoint serves several menus. */
  menu?: string
  /** Namespaces of its texts; the first is its own. */
  texts: readonly [string, ...string[]]
  /** Keys of the texts, in the own namespace: of measures and dimensions, and of charts. */
  words: string
  /** Keys of what each measure means, by its field; shown on its column. */
  help?: string
  charts: readonly [ReportChart<Row>, ...ReportChart<Row>[]]
  chartWords: string
  /** The first is shown when the address names none. */
  dimensions: readonly [Dimension<Row>, ...Dimension<Row>[]]
  /** Columns of the table, in their order. */
  measures: readonly Measure<Row>[]
  /** A value of the field a chart is split by; else the value itself, or a day. */
  splitText?: (value: string, context: ListContext) => string
  filters?: ListFilters
  reads?: readonly ListRead[]
  /** Days shown at first, and most that may be asked for. */
  days?: { first?: number; most?: number }
  /** What is asked, from what is in the address; else the same in the types of the contract. */
  input?: (query: Record<string, unknown>, context: ListContext) => InputOf<E>
  /** Types of the events after which the report is read again. */
  refreshOn?: readonly string[]
  /** Figures of the running day, above the chart. */
  tiles?: (answer: DataOf<E>, context: ListContext) => readonly ReportTile[]
  /** A button that fills the window's screen with the report. */
  hasFullScreen?: boolean
  /** Changes in the days of the report; their kinds are named under `changeWords`. */
  changes?: Endpoint
  changeWords?: string
  /** What happened at the points of a chart. */
  marks?: (
    answer: DataOf<E>,
    points: readonly string[],
    context: ListContext,
  ) => readonly ChartMark[]
}
