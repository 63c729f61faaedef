import type { ReactNode } from 'react'
import { NO_VALUE, valueText } from '#client/ui/value/value-text.ts'
import { parseSort, type SortPart } from '#client/ui/grid/grid-url.ts'
import { daysOf, groupText, isPart, keyOf, nameOf, numberOf, splitText } from './report-chart.ts'
import { nextSort, sortRows } from './report-rows.ts'
import type { ChartGiven, ChartedReport } from './report-chart.ts'
import type { Dimension, FieldOf, Measure } from './report-types.ts'

/** The rows of a report with their sum; a figure leads to the rows it counts. */
export function ReportTable<Row extends object>({
  report,
  title,
  by,
  split,
  given,
  sort,
  onSort,
  onOpen,
}: {
  report: ChartedReport<Row>
  title: string
  by: Dimension<Row>
  /** A second column of names, where the rows are split. */
  split: FieldOf<Row> | undefined
  given: ChartGiven<Row>
  /** As it is in the address. */
  sort: string
  onSort: (sort: string) => void
  onOpen: (href: string) => void
}): ReactNode {
  const { answer, context } = given
  const [now] = parseSort(sort)
  const { sum } = answer
  const head = (field: FieldOf<Row>, word: string = field) => (
    <SortHead
      key={field}
      field={field}
      now={now}
      text={nameOf(report, word, context)}
      help={
        report.help === undefined || !report.measures.some((one) => one.field === field)
          ? undefined
          : context.t(`${report.texts[0]}:${report.help}.${field}`)
      }
      onSort={(next) => onSort(next === undefined ? '' : `${next.field}:${next.dir}`)}
    />
  )
  return (
    <div className="chart-table report-table" role="region" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head(by.field, by.head ?? by.word)}
            {split === undefined ? null : head(split)}
            {report.measures.map(({ field }) => head(field))}
          </tr>
        </thead>
        <tbody>
          {sortRows(answer.rows, now).map((row) => (
            <tr key={`${keyOf(row, by.field)} ${split === undefined ? '' : keyOf(row, split)}`}>
              <th scope="row">
                <MaybeLink href={by.href?.(row, context) ?? null} onOpen={onOpen}>
                  {groupText(row, by, given)}
                </MaybeLink>
              </th>
              {split === undefined ? null : (
                <th scope="row">{splitText(report, keyOf(row, split), context)}</th>
              )}
              {report.measures.map((measure) => (
                <ValueCell key={measure.field} {...{ measure, row, by, given, onOpen }} />
              ))}
            </tr>
          ))}
        </tbody>
        {sum === undefined ? null : (
          <tfoot>
            <tr>
              <th scope="row" colSpan={split === undefined ? 1 : 2}>
                {context.t('chart:report.sum')}
              </th>
              {report.measures.map((measure) => (
                <ValueCell
                  key={measure.field}
                  {...{ measure, by, given, onOpen }}
                  // it has the measures and no group
                  row={sum as Row}
                  isSum
                />
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

function SortHead({
  field,
  text,
  help,
  now,
  onSort,
}: {
  field: string
  text: string
  /** What the column means. */
  help: string | undefined
  now: SortPart | undefined
  onSort: (next: SortPart | undefined) => void
}): ReactNode {
  const dir = now?.field === field ? now.dir : undefined
  return (
    <th
      scope="col"
      aria-sort={dir === undefined ? 'none' : dir === 'asc' ? 'ascending' : 'descending'}
    >
      <button
        type="button"
        title={help}
        aria-description={help}
        onClick={() => onSort(nextSort(now, field))}
      >
        {text}
        <span aria-hidden="true">{dir === undefined ? '' : dir === 'asc' ? ' ▲' : ' ▼'}</span>
      </button>
    </th>
  )
}

function ValueCell<Row extends object>({
  measure,
  row,
  by,
  given,
  isSum = false,
  onOpen,
}: {
  measure: Measure<Row>
  row: Row
  by: Dimension<Row>
  given: ChartGiven<Row>
  /** The row is the sum of all: it counts every day and can always still change. */
  isSum?: boolean
  onOpen: (href: string) => void
}): ReactNode {
  const { context } = given
  const days = daysOf(given)
  const value = numberOf(row[measure.field])
  const text = valueText(value, measure.format, context.t)
  const href = text === NO_VALUE ? null : (measure.href?.(row, context, by, days) ?? null)
  const isHollow =
    !isSum &&
    (isPart(keyOf(row, by.field), by, given) || (measure.isHollow?.(row, context) ?? false))
  const whyNot = href === null ? (measure.whyNot?.(row, context, by, days) ?? null) : null
  const hints = [isHollow ? context.t('chart:hollow') : null, whyNot].filter((one) => one !== null)
  return (
    <td
      className={isHollow ? 'is-hollow' : ''}
      title={hints.length === 0 ? undefined : hints.join(' · ')}
    >
      <MaybeLink href={href} onOpen={onOpen}>
        {text}
      </MaybeLink>
    </td>
  )
}

function MaybeLink({
  href,
  onOpen,
  children,
}: {
  href: string | null
  onOpen: (href: string) => void
  children: string
}): ReactNode {
  if (href === null) return children
  return (
    <a
      href={href}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onOpen(href)
      }}
    >
      {children}
    </a>
  )
}
