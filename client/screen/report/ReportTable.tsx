import type { ReactNode } from 'react'
import { NO_VALUE, valueText } from '#client/ui/chart/value-text.ts'
import { parseSort, type SortPart } from '#client/ui/grid/grid-url.ts'
import { groupText, isRunning, keyOf, nameOf, numberOf } from './report-chart.ts'
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
  /** As it stands in the address. */
  sort: string
  onSort: (sort: string) => void
  onOpen: (href: string) => void
}): ReactNode {
  const { answer, context } = given
  const [now] = parseSort(sort)
  const { sum } = answer
  const head = (field: FieldOf<Row>) => (
    <SortHead
      key={field}
      field={field}
      now={now}
      text={nameOf(report, field, context)}
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
            {head(by.field)}
            {split === undefined ? null : head(split)}
            {report.measures.map(({ field }) => head(field))}
          </tr>
        </thead>
        <tbody>
          {sortRows(answer.rows, now).map((row) => (
            <tr key={`${keyOf(row, by.field)} ${split === undefined ? '' : keyOf(row, split)}`}>
              <th scope="row">{groupText(row, by, given)}</th>
              {split === undefined ? null : <th scope="row">{keyOf(row, split)}</th>}
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
              {report.measures.map(({ field, format }) => (
                <td key={field}>{valueText(numberOf(sum[field]), format)}</td>
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
  given: { answer, context },
  onOpen,
}: {
  measure: Measure<Row>
  row: Row
  by: Dimension<Row>
  given: ChartGiven<Row>
  onOpen: (href: string) => void
}): ReactNode {
  const value = numberOf(row[measure.field])
  const text = valueText(value, measure.format)
  const href = text === NO_VALUE ? null : (measure.href?.(row, context) ?? null)
  const isHollow =
    isRunning(keyOf(row, by.field), by, answer.asOf) || (measure.isHollow?.(row, context) ?? false)
  return (
    <td
      className={isHollow ? 'is-hollow' : ''}
      title={isHollow ? context.t('chart:hollow') : undefined}
    >
      {href === null ? (
        text
      ) : (
        <a
          href={href}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            onOpen(href)
          }}
        >
          {text}
        </a>
      )}
    </td>
  )
}
