/** The day from 08:00 to 19:00 IST: the shift, and what has a time today. */
import type { CSSProperties, ReactNode } from 'react'
import { Link } from 'wouter'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { useSecond } from '#client/ui/value/clock.ts'
import { formatCount, formatIst, hourText } from '#client/ui/value/ist-format.ts'
import type { workDay } from '#shared/home/day-api.ts'
import { LANE_HOURS, LANE_KINDS } from '#shared/home/day-sets.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { istClock } from '#shared/kernel/time.ts'
import { shareOfDay } from './day-lane.ts'

type Lane = DataOf<typeof workDay>['lane']

const HOURS = Array.from(
  { length: LANE_HOURS.to - LANE_HOURS.from + 1 },
  (_, at) => LANE_HOURS.from + at,
)
const at = (share: number): CSSProperties => ({ insetInlineStart: `${share * 100}%` })

export function DayLane({ lane: { shift, marks } }: { lane: Lane }): ReactNode {
  const t = useText('home')
  const kinds = LANE_KINDS.filter((kind) => marks.some((mark) => mark.kind === kind))
  return (
    <section className="lane" aria-label={t('desk.lane')}>
      <div className="lane-row lane-hours" aria-hidden>
        <span className="lane-name">IST</span>
        <div className="lane-track">
          {HOURS.map((hour) => (
            <span key={hour} className="lane-hour tabular" style={at(shareOfDay(hourText(hour)))}>
              {hourText(hour).slice(0, 2)}
            </span>
          ))}
        </div>
      </div>
      {shift === null ? null : (
        <div className="lane-row">
          <span className="lane-name">{t('lane.shift')}</span>
          <div className="lane-track">
            <span
              className="lane-shift tabular"
              style={{
                ...at(shareOfDay(shift.from)),
                insetInlineEnd: `${(1 - shareOfDay(shift.to)) * 100}%`,
              }}
            >
              {shift.from}–{shift.to}
            </span>
          </div>
        </div>
      )}
      {kinds.map((kind) => (
        <div key={kind} className="lane-row">
          <span className="lane-name">{t(`lane.${kind}`)}</span>
          <ul className="lane-track">
            {marks
              .filter((mark) => mark.kind === kind)
              .map((mark) => (
                <Mark key={mark.time} mark={mark} />
              ))}
          </ul>
        </div>
      ))}
      {kinds.length === 0 ? <p className="lane-none">{t('lane.none')}</p> : null}
      {kinds.length === 0 && shift === null ? null : <Now />}
    </section>
  )
}

function Mark({
  mark: { kind, time, count, name, target },
}: {
  mark: Lane['marks'][number]
}): ReactNode {
  const t = useText('home')
  const language = useLanguage()
  const minute = Math.floor(useSecond() / 60_000) * 60_000
  const isLate = Date.parse(time) < minute
  const what = name ?? formatCount(count)
  const words = `${formatIst(time, 'time', language)} · ${t(`lane.${kind}`)} · ${what}`
  return (
    <li style={at(shareOfDay(istClock(time)))}>
      <Link
        href={target}
        className={`lane-mark tabular is-${kind}${isLate ? ' is-late' : ''}`}
        title={words}
        aria-label={isLate ? `${words} · ${t('lane.late')}` : words}
      >
        {count > 1 ? formatCount(count) : isLate ? '!' : ''}
      </Link>
    </li>
  )
}

/** The present minute, over all rows. */
function Now(): ReactNode {
  const clock = istClock(Math.floor(useSecond() / 60_000) * 60_000).slice(0, 5)
  const share = shareOfDay(clock)
  return share === 0 || share === 1 ? null : (
    <div className="lane-row lane-now" aria-hidden>
      <span className="lane-name" />
      <div className="lane-track">
        <i style={at(share)} />
      </div>
    </div>
  )
}
