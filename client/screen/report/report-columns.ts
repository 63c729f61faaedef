/** The columns of a report for its file: the server writes it, the texts come from here. Pure. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { ValueFormat } from '#client/ui/value/value-text.ts'
import type { ExportKind } from '#client/ui/grid/column-types.ts'
import type { FileColumn } from '#client/ui/grid/grid-export.ts'
import { type ChartedReport, nameOf } from './report-chart.ts'
import type { Dimension, FieldOf } from './report-types.ts'

const KINDS: Readonly<Record<ValueFormat, ExportKind>> = {
  count: 'number',
  money: 'money',
  percent: 'percent',
  seconds: 'number',
}

export function reportColumns<Row extends object>(
  report: ChartedReport<Row>,
  by: Dimension<Row>,
  split: FieldOf<Row> | undefined,
  context: Pick<ListContext, 't'>,
): FileColumn[] {
  const column = (field: FieldOf<Row>, kind: ExportKind, word: string = field): FileColumn => ({
    field: [field],
    title: nameOf(report, word, context),
    kind,
  })
  return [
    column(
      by.field,
      by.isDay === true || by.grain !== undefined ? 'day' : 'text',
      by.head ?? by.word,
    ),
    ...(split === undefined ? [] : [column(split, 'text')]),
    ...report.measures.map(({ field, format }) => column(field, KINDS[format])),
  ]
}
