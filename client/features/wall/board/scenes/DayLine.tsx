/** Money of the day hour by hour, over the same weekday of last week. */
import { area, cumsum, curveMonotoneX, line, max, scaleLinear } from 'd3'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { formatPaiseShort } from '#shared/kernel/money.ts'
import { istDay, istMidnight } from '#shared/kernel/time.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import { hourText } from '#client/ui/value/ist-format.ts'

const WIDTH = 1_600
const HEIGHT = 420
/** Calls are not allowed before, and few borrowers pay. */
const FROM_HOUR = 6
const HOURS = 24
const HOUR_MS = 3_600_000
const MARKS = [8, 12, 16, 20] as const
type Point = [hour: number, amount: number]

export function DayLine({ hours, now }: { hours: BoardFigures['hours']; now: number }) {
  const t = useText('wall')
  const language = useLanguage()
  const sinceMidnight = (now - istMidnight(istDay(now)).getTime()) / HOUR_MS
  const today = pointsOf(hours.today, sinceMidnight)
  const before = pointsOf(hours.weekAgo, HOURS)
  const x = scaleLinear([FROM_HOUR, HOURS], [0, WIDTH]).clamp(true)
  const y = scaleLinear(
    [0, Math.max(1, max([...today, ...before], (point) => point[1]) ?? 1)],
    [HEIGHT - 6, 14],
  )
  const path = line<Point>(
    (point) => x(point[0]),
    (point) => y(point[1]),
  ).curve(curveMonotoneX)
  const under = area<Point>(
    (point) => x(point[0]),
    HEIGHT,
    (point) => y(point[1]),
  ).curve(curveMonotoneX)
  const weekday = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    timeZone: 'Asia/Kolkata',
  }).format(new Date(now))
  return (
    <figure className="day">
      <figcaption>
        <span className="key is-today">
          {t('day.today', { amount: formatPaiseShort(today.at(-1)?.[1] ?? 0) })}
        </span>
        <span className="key is-before">
          {t('day.before', { weekday, amount: formatPaiseShort(before.at(-1)?.[1] ?? 0) })}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {MARKS.map((hour) => (
          <line key={hour} className="day-mark" x1={x(hour)} x2={x(hour)} y1={0} y2={HEIGHT} />
        ))}
        <path className="day-before" d={path(before) ?? ''} />
        <path className="day-under" d={under(today) ?? ''} />
        <path className="day-today" d={path(today) ?? ''} />
      </svg>
      <ol className="day-hours" aria-hidden>
        {MARKS.map((hour) => (
          <li key={hour} style={{ left: `${(x(hour) / WIDTH) * 100}%` }}>
            {hourText(hour)}
          </li>
        ))}
      </ol>
    </figure>
  )
}

/**
 * Amount received by the end of each hour, and up to now for the current one.
 * @param until hours since midnight
 */
function pointsOf(amounts: readonly number[], until: number): Point[] {
  const points: Point[] = [
    [0, 0],
    ...[...cumsum(amounts)].map((amount, hour): Point => [
      Math.min(hour + 1, Math.max(hour, until)),
      amount,
    ]),
  ]
  return points.filter((_, at, all) => (all[at + 1]?.[0] ?? HOURS) > FROM_HOUR)
}
