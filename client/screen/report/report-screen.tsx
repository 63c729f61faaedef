/** Screens that are reports, declared as data at module level: a chart and a table of one answer. */
import './report.css'
import { type ReactNode, useContext, useRef } from 'react'
import type { ScreenComponent } from '#client/base/feature.ts'
import { useWatch } from '#client/live/watch.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { GridSlotsContext } from '#client/ui/grid/grid-slots.ts'
import type { FilterKinds } from '#client/ui/grid/grid-url.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { REPORT_DAYS } from '#shared/kernel/report.ts'
import { istClock } from '#shared/kernel/time.ts'
import { changeMarks } from './change-marks.ts'
import { FullScreenButton } from './FullScreenButton.tsx'
import { reportColumns } from './report-columns.ts'
import type { ReportRange } from './report-range.ts'
import type { ReportRow, ReportSpec } from './report-types.ts'
import { ReportBody } from './ReportBody.tsx'
import { ReportTiles } from './ReportTiles.tsx'
import { useReport } from './use-report.ts'

const SHOWS = ['both', 'chart', 'table'] as const

/** @param spec must be a constant of its module */
export function reportScreen<E extends Endpoint, Row extends object = ReportRow<E>>(
  spec: ReportSpec<E, Row>,
): ScreenComponent {
  const kinds: FilterKinds = { date: 'day', ...spec.filters?.kinds }
  const menu = spec.menu ?? spec.endpoint.menu ?? ''
  const [own] = spec.texts
  Screen.texts = [...spec.texts, 'chart']
  return Screen

  function Screen(): ReactNode {
    const { Export, Morning, Limit } = useContext(GridSlotsContext)
    const shown = useReport(spec, kinds)
    const { context, url, range, by, chosenBy, answer, data, error, choose, chosen } = shown
    const { t } = context
    const charts = spec.charts.filter(({ of }) => of?.includes(by.name) ?? true)
    const chart = charts.find(({ name }) => name === chosen('chart')) ?? charts[0]
    const shows = SHOWS.find((one) => one === chosen('show')) ?? 'both'
    const title = t(`${own}:menu.${menu}`)
    useWatch('menu', menu)
    const screen = useRef<HTMLDivElement>(null)
    return (
      <div className="report-screen" ref={screen}>
        <h1 className="visually-hidden">{title}</h1>
        <FilterBar<FilterKinds>
          fields={[
            { name: 'date', kind: 'day', label: t('chart:report.range'), place: 'bar' },
            ...(spec.filters?.fields(context) ?? []),
          ]}
          filters={url.filters}
          onChange={url.setFilters}
          onReset={url.resetFilters}
        >
          <span className="report-range">
            {[
              // a chosen range is shown by its filter
              ...('date' in url.filters ? [] : [rangeText(range, context.language)]),
              ...(answer === undefined
                ? []
                : [t('chart:report.refreshed', { time: istClock(answer.asOf) })]),
            ].join(' · ')}
          </span>
        </FilterBar>
        <div className="report-bar">
          {spec.dimensions.length > 1 ? (
            <Segmented
              label={t('chart:report.by')}
              value={chosenBy.name}
              segments={spec.dimensions.map(({ name, field, word = field }) => ({
                value: name,
                label: t(`${own}:${spec.words}.${word}`),
              }))}
              onChange={(next) => choose('by', next)}
            />
          ) : null}
          {charts.length > 1 && shows !== 'table' ? (
            <Segmented
              label={t('chart:report.charts')}
              value={chart?.name ?? ''}
              segments={charts.map(({ name }) => ({
                value: name,
                label: t(`${own}:${spec.chartWords}.${name}`),
              }))}
              onChange={(next) => choose('chart', next)}
            />
          ) : null}
          <span className="report-bar-end">
            <Segmented
              label={t('chart:report.show')}
              value={shows}
              segments={SHOWS.map((value) => ({ value, label: t(`chart:report.shows.${value}`) }))}
              onChange={(next) => choose('show', next === 'both' ? '' : next)}
            />
            {spec.hasFullScreen === true ? <FullScreenButton of={screen} /> : null}
            {Limit === undefined ? null : (
              <Limit source={{ endpoint: spec.endpoint, input: shown.input }} />
            )}
            {Morning === undefined ||
            answer === undefined ||
            spec.endpoint.exports === undefined ? null : (
              <Morning
                source={{ endpoint: spec.endpoint, input: shown.input }}
                title={title}
                days={range.days}
                columns={() => reportColumns(spec, chosenBy, chart?.split, context)}
              />
            )}
            {Export === undefined || answer === undefined ? null : (
              <Export
                source={{ endpoint: spec.endpoint, input: shown.input }}
                title={title}
                total={answer.rows.length}
                totalCapped={false}
                columns={() => reportColumns(spec, chosenBy, chart?.split, context)}
                only={() => null}
                chosen={0}
              />
            )}
          </span>
        </div>
        {answer?.isFilling === true ? (
          <p className="report-filling" role="status">
            {t('chart:report.filling')}
          </p>
        ) : null}
        {spec.tiles === undefined || data === undefined ? null : (
          <ReportTiles
            label={t('chart:report.today', {
              time: istClock((data as { asOf: string }).asOf),
            })}
            tiles={spec.tiles(data, context)}
          />
        )}
        {range.isTooLong ? (
          <Empty
            reason={t('chart:report.rangeTooLong', { days: spec.days?.most ?? REPORT_DAYS })}
          />
        ) : error !== null && answer === undefined ? (
          <ErrorPane error={error} onRetry={shown.refetch} />
        ) : answer === undefined || chart === undefined ? (
          <div
            className={`report-body is-${shows}`}
            role="status"
            aria-busy="true"
            aria-label={t('ui:grid.loading')}
          >
            <span className="bp6-skeleton" />
            {shows === 'both' ? <span className="bp6-skeleton" /> : null}
          </div>
        ) : (
          <ReportBody<Row>
            report={spec}
            chart={chart}
            shows={shows}
            title={title}
            chartTitle={t(`${own}:${spec.chartWords}.${chart.name}`)}
            by={by}
            given={{ answer, dateFrom: range.dateFrom, days: range.days, context }}
            marks={(points) => [
              ...(data === undefined ? [] : (spec.marks?.(data, points, context) ?? [])),
              ...changeMarks(
                shown.changes,
                `${own}:${spec.changeWords ?? 'change'}`,
                by,
                points,
                context,
              ),
            ]}
            sort={chosen('sort')}
            onSort={(sort) => choose('sort', sort)}
            isFetching={shown.isFetching}
          />
        )}
      </div>
    )
  }
}

/** The days that are shown, also where the address names none. */
function rangeText({ dateFrom, dateTo }: ReportRange, language: string): string {
  const from = formatIst(dateFrom, 'day', language)
  return dateFrom === dateTo ? from : `${from} – ${formatIst(dateTo, 'day', language)}`
}
