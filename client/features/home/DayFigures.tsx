/** Three to five figures of today: beside yesterday's at this minute, their target and their line. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type Text, useText } from '#client/base/use-text.ts'
import { Sparkline } from '#client/ui/chart/Sparkline.tsx'
import { durationText } from '#client/ui/value/duration-text.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { useMeasureHelp } from '#client/features/reports/public.ts'
import type { workDay } from '#shared/home/day-api.ts'
import { DAY_FIGURES, type DayFigureKey, type DayRule } from '#shared/home/day-sets.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { formatPaiseShort } from '#shared/kernel/money.ts'
import { lineOf, trendOf } from './day-figure.ts'
import { wholePercent } from '#client/ui/value/value-text.ts'

type Figure = DataOf<typeof workDay>['figures'][number]

export function DayFigures({ figures }: { figures: readonly Figure[] }): ReactNode {
  const t = useText('home')
  return (
    <section>
      <h2>{t('desk.figures')}</h2>
      <ul className="day-figures">
        {figures.map((figure) => (
          <li key={figure.key}>
            <Tile figure={figure} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Tile({ figure }: { figure: Figure }): ReactNode {
  const t = useText('home')
  const { key, value, before, goal, today, yesterday, target } = figure
  const name = t(`figure.${key}`)
  const rule: DayRule = DAY_FIGURES[key]
  const help = useMeasureHelp()
  const meaning = rule.measure && help(rule.measure)
  const trend = trendOf(figure)
  const isFlat = [...today, ...yesterday].every((hour) => !hour)
  return (
    <Link href={target} className="day-figure" title={meaning} aria-description={meaning}>
      <span className="day-figure-name">{name}</span>
      <span className="day-figure-row">
        <span className="day-figure-value tabular">{inUnit(key, value, t)}</span>
        {isFlat ? null : (
          <Sparkline
            values={lineOf(today)}
            before={lineOf(yesterday)}
            label={t('figures.line', { name })}
            isRunning
          />
        )}
      </span>
      <span className="day-figure-before tabular" data-trend={trend.tone}>
        {trend.arrow === '' ? null : <span aria-hidden>{trend.arrow} </span>}
        {t('figures.before', { value: inUnit(key, before, t) })}
      </span>
      {goal === null ? null : <Goal figure={figure} goal={goal} />}
    </Link>
  )
}

/** A sum fills a bar; a mean is compared. */
function Goal({ figure: { key, value }, goal }: { figure: Figure; goal: number }): ReactNode {
  const t = useText('home')
  const words = t('figures.goal', { value: inUnit(key, goal, t) })
  const done = value === null ? 0 : Math.min(1, value / goal)
  return (
    <>
      {DAY_FIGURES[key].per === 'sum' ? (
        <span className="day-figure-bar" aria-hidden>
          <i style={{ inlineSize: `${done * 100}%` }} data-full={done === 1} />
        </span>
      ) : null}
      <span className="day-figure-goal tabular">{words}</span>
    </>
  )
}

function inUnit(key: DayFigureKey, value: number | null, t: Text): string {
  if (value === null) return '—'
  switch (DAY_FIGURES[key].unit) {
    case 'money':
      return formatPaiseShort(value)
    case 'seconds':
      return durationText(value * 1_000, t)
    case 'percent':
      return wholePercent(value)
    case 'count':
      return formatCount(value)
  }
}
