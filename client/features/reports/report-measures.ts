/** The measures of a report as columns: unit, cohorts that can still change, and the rows behind. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import { reportRange } from '#client/screen/report/report-range.ts'
import type { Measure } from '#client/screen/report/report-types.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { type MeasureName, MEASURES } from '#shared/reports/measures.ts'

/** List filters that select exactly what a measure counts. */
export interface Rows {
  /** Menu of the list. Who has not got it, or sees a part of its rows only, gets no link. */
  menu: string
  path: string
  /** Its filter for days. */
  days: string
  filters?: Readonly<Record<string, readonly string[]>>
}

type Behind = Partial<Record<MeasureName, Rows>>
type Group = { day?: string | null; channelId?: string | null }

/** @param behind lists of the counted rows @param filters names of filters that both screens have */
export function measuresOf<
  Row extends Group & Record<N, number | null>,
  const N extends MeasureName,
>(names: readonly N[], behind: Behind = {}, filters: readonly string[] = []): Measure<Row>[] {
  return names.map((name): Measure<Row> => {
    const rule: { unit: (typeof MEASURES)[N]['unit']; age?: number } = MEASURES[name]
    const { unit, age } = rule
    const rows = behind[name]
    return {
      field: name,
      format: unit,
      ...(age === undefined ? {} : { isHollow: (row) => isYoung(row, age) }),
      ...(rows === undefined
        ? {}
        : { href: (row, context) => hrefOf(rows, row, context, filters) }),
    }
  })
}

/** A cohort of a day that waiting can still change. */
function isYoung({ day }: Group, age: number): boolean {
  return typeof day === 'string' && addDays(day, age) >= istDay(uiNow())
}

function hrefOf(
  { menu, path, days, filters: fixed = {} }: Rows,
  row: Group,
  context: ListContext,
  shared: readonly string[],
): string | null {
  if (!context.hasMenu(menu) || !context.seesAll) return null
  const chosen: Readonly<Record<string, unknown>> = context.filters({})
  const { dateFrom, dateTo } =
    typeof row.day === 'string' ? { dateFrom: row.day, dateTo: row.day } : daysOf(chosen.date)
  const query = new URLSearchParams({ [`${days}From`]: dateFrom, [`${days}To`]: dateTo })
  for (const [name, values] of Object.entries(fixed))
    for (const value of values) query.append(name, value)
  for (const name of shared) {
    const value = chosen[name]
    if (typeof value === 'string') query.set(name, value)
  }
  if (typeof row.channelId === 'string') query.set('channelId', row.channelId)
  return `${path}?${query}`
}

function daysOf(date: unknown): { dateFrom: string; dateTo: string } {
  // a range of days, as the address has it
  const { from, to } = (date ?? {}) as { from?: string; to?: string }
  return reportRange({ from, to }, istDay(uiNow()))
}
