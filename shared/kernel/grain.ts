/** Periods by which a trend is drawn. Pure. */
import { addDays, isoWeekday } from './time.ts'

export const GRAINS = ['day', 'week', 'month'] as const
export type Grain = (typeof GRAINS)[number]

/** First IST day of the period that contains the day; a week begins on Monday. */
export function grainStart(day: string, grain: Grain): string {
  if (grain === 'day') return day
  return grain === 'week' ? addDays(day, 1 - isoWeekday(day)) : `${day.slice(0, 7)}-01`
}

/** Last IST day of the period that begins with the day. */
export function grainEnd(start: string, grain: Grain): string {
  if (grain === 'day') return start
  if (grain === 'week') return addDays(start, 6)
  return addDays(`${addDays(start, 31).slice(0, 7)}-01`, -1)
}
