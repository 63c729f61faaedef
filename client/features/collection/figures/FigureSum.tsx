import { useLanguage, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { Money } from '#client/ui/value/Money.tsx'
import type { DayRange } from './figure-filters.ts'
import { percentText } from '#client/ui/value/value-text.ts'

export type SumPart =
  | { label: string; count: number }
  | { label: string; paise: number }
  | { label: string; rate: number | null }
  | { label: string; text: ReactNode }

/** The requested days and the sum of all lines, above the list or in its bar. */
export function FigureSum({
  label,
  range,
  parts,
  inBar = false,
}: {
  label: string
  range: DayRange
  parts: readonly SumPart[] | null
  inBar?: boolean
}): ReactNode {
  const t = useText('collection')
  const language = useLanguage()
  const className = inBar ? 'figure-sum is-in-bar' : 'figure-sum'
  if (parts === null) return <div className={className} aria-busy="true" />
  const { dateFrom, dateTo } = range
  return (
    <dl className={className} aria-label={label}>
      <div>
        <dt className="visually-hidden">{t('figures.range')}</dt>
        <dd className="figure-days">
          {dateFrom === dateTo
            ? formatIst(dateTo, 'day', language)
            : `${formatIst(dateFrom, 'day', language)} – ${formatIst(dateTo, 'day', language)}`}
        </dd>
      </div>
      {parts.map((part) => (
        <div key={part.label}>
          <dt>{part.label}</dt>
          <dd className="tabular">
            {'paise' in part ? (
              <Money paise={part.paise} />
            ) : 'rate' in part ? (
              percentText(part.rate)
            ) : 'count' in part ? (
              String(part.count)
            ) : (
              part.text
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
