/**
 * Cohorts as a table: a row per cohort, a column per age, the deeper a cell the greater its value.
 * A cell of a cohort that is not complete is hollow.
 */
import './chart.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { type ChartData, isHollow } from './chart-types.ts'
import { depthsOf } from './heat-depth.ts'
import { valueText } from '#client/ui/value/value-text.ts'

/** The deepest colour still carries the ink of the page. */
const DEEPEST = 46

export function HeatTable({
  title,
  rowHead,
  data,
  onOpen,
}: {
  title: string
  /** What the rows are. */
  rowHead: string
  /** A point per column, a series per row. */
  data: ChartData
  onOpen?: (href: string) => void
}): ReactNode {
  const t = useText('chart')
  const depths = depthsOf(data)
  return (
    <div className="chart-table" role="region" aria-label={title} tabIndex={0}>
      <table className="heat-table">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{rowHead}</th>
            {data.points.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.series.map((series, row) => (
            <tr key={series.key}>
              <th scope="row">{series.label}</th>
              {data.points.map(({ key }, index) => {
                const hollow = isHollow(data, series, index)
                const depth = depths[row]?.[index] ?? 0
                const href = series.hrefs?.[index] ?? null
                const text = valueText(series.values[index], data.format, t)
                return (
                  <td
                    key={key}
                    className={hollow ? 'is-hollow' : ''}
                    title={series.whyNots?.[index] ?? undefined}
                    style={
                      hollow || depth === 0
                        ? undefined
                        : {
                            background: shadeOf(depth),
                          }
                    }
                  >
                    {href === null ? (
                      text
                    ) : (
                      <a
                        href={href}
                        onClick={(event) => {
                          if (onOpen === undefined || event.ctrlKey || event.metaKey) return
                          event.preventDefault()
                          onOpen(href)
                        }}
                      >
                        {text}
                      </a>
                    )}
                    {hollow ? <span className="visually-hidden"> ({t('hollow')})</span> : null}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** @param depth 0 to 1 */
function shadeOf(depth: number): string {
  const share = Math.round(depth * DEEPEST)
  return `color-mix(in srgb, var(--chart-1) ${share}%, var(--surface))`
}
