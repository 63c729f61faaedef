import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Chart } from '#client/ui/chart/Chart.tsx'
import type { ChartMark } from '#client/ui/chart/chart-types.ts'
import { HeatTable } from '#client/ui/chart/HeatTable.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { type ChartedReport, type ChartGiven, chartOf, kindOf, nameOf } from './report-chart.ts'
import type { Dimension, ReportChart } from './report-types.ts'
import { ReportTable } from './ReportTable.tsx'

/** Chart and table of an answer, side by side or one of them. */
export function ReportBody<Row extends object>({
  report,
  chart,
  shows,
  title,
  chartTitle,
  by,
  given,
  marks,
  sort,
  onSort,
  isFetching,
}: {
  report: ChartedReport<Row>
  chart: ReportChart<Row>
  shows: 'both' | 'chart' | 'table'
  title: string
  chartTitle: string
  by: Dimension<Row>
  given: ChartGiven<Row>
  /** @param points keys of the groups, as they are along the chart */
  marks: (points: readonly string[]) => readonly ChartMark[]
  sort: string
  onSort: (sort: string) => void
  isFetching: boolean
}): ReactNode {
  const [, navigate] = useLocation()
  const { context } = given
  if (given.answer.rows.length === 0)
    return (
      <Empty reason={context.t('chart:report.none')} hint={context.t('chart:report.noneHint')} />
    )
  const drawn = chartOf(report, chart, by, given)
  const data = { ...drawn, marks: marks(drawn.points.map(({ key }) => key)) }
  return (
    <div className={`report-body is-${shows}`} aria-busy={isFetching}>
      {shows === 'table' ? null : chart.kind === 'heat' ? (
        <HeatTable
          title={chartTitle}
          rowHead={nameOf(report, chart.split ?? by.field, context)}
          data={data}
          onOpen={navigate}
        />
      ) : (
        <Chart
          kind={kindOf(chart.kind, by)}
          title={chartTitle}
          data={data}
          height="fill"
          onOpen={navigate}
        />
      )}
      {shows === 'chart' ? null : (
        <ReportTable<Row>
          {...{ report, title, by, given, sort, onSort }}
          split={chart.split}
          onOpen={navigate}
        />
      )}
    </div>
  )
}
