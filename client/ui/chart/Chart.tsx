/**
 * A chart with its title, legend, tools and table. The picture is read by pointer, by keys and, as
 * a table, by screen readers.
 */
import './chart.css'
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { type ChartData, type ChartKind, drawnSeries, isEmptyChart } from './chart-types.ts'
import { ChartTools } from './ChartTools.tsx'
import { CHANGES, Legend, PREVIOUS } from './Legend.tsx'
import { FunnelPlot } from './plot/FunnelPlot.tsx'
import { Plot } from './plot/Plot.tsx'
import { TableTwin } from './TableTwin.tsx'

export interface ChartProps {
  kind: ChartKind
  title: string
  data: ChartData
  /** Of the picture: pixels, or what its place leaves; a funnel is as high as its steps. */
  height?: number | 'fill'
  /** Opens the address behind a value. */
  onOpen?: (href: string) => void
  /** Said when there is no value at all. */
  emptyReason?: string
  /** Without the buttons for table and file, where a table is beside it. */
  hasTools?: boolean
}

const HEIGHT = 260

export function Chart({
  kind,
  title,
  data,
  height = HEIGHT,
  onOpen,
  emptyReason,
  hasTools = true,
}: ChartProps): ReactNode {
  const t = useText('chart')
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [isTable, setTable] = useState(false)
  const picture = useRef<SVGSVGElement>(null)
  const titleId = useId()
  const drawn = useMemo(() => drawnSeries(data, hidden), [data, hidden])
  const toggle = (key: string) =>
    setHidden((now) => {
      const next = new Set(now)
      if (!next.delete(key)) next.add(key)
      return next
    })
  const isEmpty = isEmptyChart(data)
  const seen = useMemo(() => withoutHiddenMarks(data, hidden), [data, hidden])
  const shared = { data: seen, drawn, title, onOpen, picture }
  return (
    <figure className={height === 'fill' ? 'chart is-filling' : 'chart'} aria-labelledby={titleId}>
      <figcaption>
        <span id={titleId} className="chart-title">
          {title}
        </span>
        {hasTools && !isEmpty ? (
          <ChartTools
            title={title}
            series={kind === 'funnel' ? [] : drawn}
            picture={picture}
            isTable={isTable}
            onTable={setTable}
          />
        ) : null}
      </figcaption>
      {isEmpty ? (
        <Empty icon="chart" reason={emptyReason ?? t('empty')} />
      ) : (
        <>
          {isTable ? null : (
            <>
              <Legend
                data={data}
                hasMarkers={kind === 'line' || kind === 'area'}
                hidden={hidden}
                onToggle={toggle}
              />
              {kind === 'funnel' ? (
                <FunnelPlot {...shared} />
              ) : (
                <Plot
                  {...shared}
                  kind={kind}
                  height={height}
                  withPrevious={!hidden.has(PREVIOUS)}
                />
              )}
            </>
          )}
          <TableTwin data={data} kind={kind} title={title} isShown={isTable} onOpen={onOpen} />
        </>
      )}
    </figure>
  )
}

function withoutHiddenMarks(data: ChartData, hidden: ReadonlySet<string>): ChartData {
  if (!hidden.has(CHANGES)) return data
  return { ...data, marks: (data.marks ?? []).filter(({ isChange }) => isChange !== true) }
}
