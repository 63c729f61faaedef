/** Level of a figure against its limit: green, amber or red, always with a sign. Pure. */
import { isInsideIstWindow, istClock } from '#shared/kernel/time.ts'
import type { BoardFigures } from '#shared/wall/wall-api.ts'
import { minutesSince } from '#shared/wall/alert-rule.ts'

export type Level = 'none' | 'good' | 'warn' | 'bad'

/** Collection calls are allowed between these hours (RBI circular of 12 Aug 2022). */
export const DAY_FROM = '08:00'
const DAY_TO = '19:00'
/** More than a fifth behind the day's pace is red. */
const FAR_BEHIND = 0.8
/** Ten points under the limit is red. */
const POINTS = 1_000

/** Share of the working day that has passed, 0 to 1. */
export function dayShare(now: number): number {
  const minutes = minutesOf(istClock(now))
  const from = minutesOf(DAY_FROM)
  return Math.min(1, Math.max(0, (minutes - from) / (minutesOf(DAY_TO) - from)))
}

/** Money against the pace of the day: what should have been received by now. */
export function recoveredLevel(
  { recoveredToday, target }: BoardFigures['tiles'],
  now: number,
): Level {
  if (target === null || target === 0) return 'none'
  const expected = target * dayShare(now)
  return recoveredToday >= expected
    ? 'good'
    : recoveredToday >= expected * FAR_BEHIND
      ? 'warn'
      : 'bad'
}

export function keptLevel({ ptpKeptRate }: BoardFigures['tiles'], limit: number | null): Level {
  if (ptpKeptRate === null || limit === null) return 'none'
  return ptpKeptRate >= limit ? 'good' : ptpKeptRate >= limit - POINTS ? 'warn' : 'bad'
}

/** Waiting against its limit in minutes: amber from half of it. */
export function waitLevel(oldest: string | null, limit: number | null, now: number): Level {
  if (limit === null) return 'none'
  const minutes = minutesSince(oldest, new Date(now).toISOString()) ?? 0
  return minutes > limit ? 'bad' : minutes > limit / 2 ? 'warn' : 'good'
}

export function countLevel(count: number, limit: number | null): Level {
  if (limit === null) return 'none'
  return count > limit ? 'bad' : count > limit / 2 ? 'warn' : 'good'
}

/** Before calls are allowed yesterday's result is shown instead of an empty morning. */
export function isBeforeDay(now: number): boolean {
  return isInsideIstWindow(now, '00:00', DAY_FROM)
}

function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
}
