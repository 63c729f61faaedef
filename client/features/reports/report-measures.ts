/** The measures of a report as columns: unit, cohorts that can still change, and the rows behind. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { Dimension, Measure, ReportDays } from '#client/screen/report/report-types.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { type Grain, grainEnd } from '#shared/kernel/grain.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { type MeasureName, MEASURES } from '#shared/reports/measures.ts'
import type { RejectCode } from '#shared/review/reject-reasons.ts'
import { REPORT_KINDS } from './report-kinds.ts'

/** List filters that select exactly what a measure counts. */
export interface Rows {
  /** Menu of the list. Who has not got it, or sees a part of its rows only, gets no link. */
  menu: string
  path: string
  /** Its filter for days. */
  days: string
  filters?: Readonly<Record<string, readonly string[]>>
  /** Filters and groups of reports that the list can repeat; with another one there is no link. */
  takes: readonly ReportFilter[]
  /** The list shows a person the same part of the rows as the report. */
  isScopedAlike?: boolean
}

export type ReportFilter = Exclude<keyof typeof REPORT_KINDS, 'date'>

/** Why a figure has no list of exactly its rows; in words `reports:rows.<name>`. */
export type WhyNot =
  /** It counts events, of which a row may have several. */
  | 'events'
  /** Lists show how things are now. */
  | 'past'
  /** A part of an amount. */
  | 'part'
  /** A number that a person entered. */
  | 'entered'
  | 'time'
  /** A step of the funnel. */
  | 'step'
  /** Of the next loans of these customers. */
  | 'next'
  | 'campaign'
  /** It is 0 by its definition. */
  | 'none'
  /** The list lacks a filter: of the figure, its group, or one that is chosen. */
  | 'noFilter'
/** Also by row, where the rows of a report count different things. */
type RowsOf = (row: Group, context: ListContext, by: string) => Rows | WhyNot
/** A quotient has no rows; its two sums have. */
type Quotient = {
  [M in MeasureName]: (typeof MEASURES)[M] extends { of: unknown } ? M : never
}[MeasureName]
type Behind<N extends MeasureName> = Readonly<Record<Exclude<N, Quotient>, Rows | WhyNot | RowsOf>>

/** What may name the group of a row. */
export interface Group {
  day?: string | null
  channelId?: string | null
  productId?: string | null
  customerClass?: string | null
  step?: string
  tag?: string | null
  stageId?: string | null
  bucket?: string | null
  agencyId?: string | null
  reviewerId?: string | null
  /** Reject code of a row of reasons. */
  code?: RejectCode
  hour?: number
  /** Of a row of risk: a route, a rule, a refusal code or a share. */
  key?: string
  /** Number of the loan among those of the customer. */
  orderNo?: number | null
}

/** @param behind lists of the counted rows, or why there is none */
export function measuresOf<
  Row extends Group & Record<N, number | null>,
  const N extends MeasureName,
>(names: readonly N[], behind: Behind<N>): Measure<Row>[] {
  const listed: Partial<Record<MeasureName, Rows | WhyNot | RowsOf>> = behind
  return names.map((name): Measure<Row> => {
    const rule: { unit: (typeof MEASURES)[N]['unit']; age?: number } = MEASURES[name]
    const { unit, age } = rule
    const given: Rows | WhyNot | RowsOf | undefined = listed[name]
    const linkOf = (
      row: Row,
      context: ListContext,
      { name: by, grain }: Dimension<Row>,
      days: ReportDays,
    ): Link => {
      if (given === undefined) return { href: null, whyNot: 'quotient' }
      const rows = typeof given === 'function' ? given(row, context, by) : given
      if (typeof rows === 'string') return { href: null, whyNot: rows }
      if (by === 'campaign') return { href: null, whyNot: 'campaign' }
      return linkTo(rows, row, context, grain ?? 'day', days)
    }
    return {
      field: name,
      format: unit,
      ...(age === undefined ? {} : { isHollow: (row) => isYoung(row, age) }),
      href: (row, context, by, days) => linkOf(row, context, by, days).href,
      whyNot: (row, context, by, days) => {
        const { whyNot } = linkOf(row, context, by, days)
        return whyNot === null ? null : context.t(`reports:rows.${whyNot}`)
      },
    }
  })
}

/** A cohort of a day that waiting can still change. */
function isYoung({ day }: Group, age: number): boolean {
  return typeof day === 'string' && addDays(day, age) >= istDay(uiNow())
}

type Link =
  | { href: string; whyNot: null }
  | { href: null; whyNot: WhyNot | 'quotient' | 'noMenu' | 'partOnly' }

function linkTo(
  rows: Rows,
  row: Group,
  context: ListContext,
  grain: Grain,
  range: ReportDays,
): Link {
  const { menu, path, days, filters: fixed = {}, takes, isScopedAlike = false } = rows
  const wanted = { ...chosenFilters(context), ...groupOf(row) }
  if (Object.keys(wanted).some((name) => !takes.some((one) => one === name)))
    return { href: null, whyNot: 'noFilter' }
  if (!context.hasMenu(menu)) return { href: null, whyNot: 'noMenu' }
  if (!context.seesAll && !isScopedAlike) return { href: null, whyNot: 'partOnly' }
  const { dateFrom, dateTo } = typeof row.day === 'string' ? periodIn(row.day, grain, range) : range
  const query = new URLSearchParams({ [`${days}From`]: dateFrom, [`${days}To`]: dateTo })
  for (const [name, values] of Object.entries(fixed))
    for (const value of values) query.append(name, value)
  for (const [name, value] of Object.entries(wanted))
    if (!Object.hasOwn(REPEATED_BY_ROWS, name)) for (const one of value) query.append(name, one)
  return { href: `${path}?${query}`, whyNot: null }
}

/** Lists have no such filter: `fixed` filters of the rows stand for them. */
const REPEATED_BY_ROWS = { customerClass: true, tag: true } as const

/** Filters that are chosen in the address of the report. */
export function chosenFilters(context: ListContext): Record<string, readonly string[]> {
  const { date: _days, ...chosen } = context.filters(REPORT_KINDS)
  return textsOf(chosen)
}

function groupOf(row: Group) {
  const { channelId, productId, customerClass, tag, stageId, agencyId, reviewerId } = row
  return textsOf({ channelId, productId, customerClass, tag, stageId, agencyId, reviewerId })
}

function textsOf(values: Readonly<Record<string, unknown>>): Record<string, readonly string[]> {
  const texts: Record<string, readonly string[]> = {}
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string') texts[name] = [value]
    else if (Array.isArray(value) && value.length > 0) texts[name] = value.map(String)
  return texts
}

/** A day, or the part of a week or month that is in the range. */
function periodIn(day: string, grain: Grain, { dateFrom, dateTo }: ReportDays): ReportDays {
  const end = grainEnd(day, grain)
  return { dateFrom: day < dateFrom ? dateFrom : day, dateTo: end > dateTo ? dateTo : end }
}
