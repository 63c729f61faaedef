/** A chart as rows of text: the equivalent table for screen readers. Pure. */
import type { Text } from '#client/base/use-text.ts'
import { type ChartData, type ChartKind, type ChartSeries, isHollow } from './chart-types.ts'
import { percentText, shareOf, valueText } from '#client/ui/value/value-text.ts'

export interface TwinWords {
  /** For values that are lengths of time. */
  t: Text
  /** Of a funnel. */
  ofStep: string
  ofAll: string
  previous: (label: string) => string
}

export interface TwinCell {
  text: string
  href?: string
  isHollow?: boolean
}

export interface Twin {
  heads: readonly string[]
  rows: readonly { key: string; label: string; cells: readonly TwinCell[] }[]
}

export function twinOf(data: ChartData, kind: ChartKind, words: TwinWords): Twin {
  return kind === 'funnel' ? funnelTwin(data, words) : seriesTwin(data, words)
}

function seriesTwin(data: ChartData, words: TwinWords): Twin {
  return {
    heads: data.series.flatMap(({ label, previous }) =>
      previous === undefined ? [label] : [label, words.previous(label)],
    ),
    rows: data.points.map(({ key, label }, index) => ({
      key,
      label,
      cells: data.series.flatMap((series) => {
        const cell = cellAt(data, series, index, words.t)
        return series.previous === undefined
          ? [cell]
          : [cell, { text: valueText(series.previous[index], data.format, words.t) }]
      }),
    })),
  }
}

function funnelTwin(data: ChartData, words: TwinWords): Twin {
  const [series] = data.series
  return {
    heads: series === undefined ? [] : [series.label, words.ofStep, words.ofAll],
    rows: data.points.map(({ key, label }, index) => {
      const value = series?.values[index] ?? null
      const step = index === 0 ? null : (series?.values[index - 1] ?? null)
      return {
        key,
        label,
        cells:
          series === undefined
            ? []
            : [
                cellAt(data, series, index, words.t),
                { text: percentText(shareOf(value, step)) },
                { text: percentText(shareOf(value, series.values[0] ?? null)) },
              ],
      }
    }),
  }
}

function cellAt(data: ChartData, series: ChartSeries, index: number, t: Text): TwinCell {
  const href = series.hrefs?.[index] ?? undefined
  return {
    text: valueText(series.values[index], data.format, t),
    ...(href === undefined ? {} : { href }),
    ...(isHollow(data, series, index) ? { isHollow: true } : {}),
  }
}
