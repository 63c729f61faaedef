import { type ReactNode, useEffect, useRef } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useSecond } from './clock.ts'
import { formatClock } from './ist-format.ts'
import './tag.css'

/**
 * Time left of a lease; amber below `warnMs`, red below `badMs`. `onEnd` is called once at the end.
 */
export function Countdown({
  until,
  label,
  warnMs = 60_000,
  badMs = 15_000,
  onEnd,
}: {
  until: string
  label?: string
  warnMs?: number
  badMs?: number
  onEnd?: () => void
}): ReactNode {
  const t = useText('ui')
  const left = Math.max(0, Date.parse(until) - useSecond())
  const ended = useRef('')
  useEffect(() => {
    if (left > 0 || ended.current === until) return
    ended.current = until
    onEnd?.()
  }, [left, until, onEnd])
  const tone = left <= badMs ? 'bad' : left <= warnMs ? 'warn' : 'info'
  return (
    <span
      className={`tag tone-${tone} tabular`}
      role="timer"
      aria-label={`${label ?? t('countdown.left')} ${formatClock(left)}`}
    >
      {label ? `${label} ` : ''}
      {formatClock(left)}
    </span>
  )
}
