/** What moves the demo's figures: the week, salary days, a bad channel, and a stricter rule. */
import { addDays, daysBetween, istDay } from '#shared/kernel/time.ts'
import type { Rng } from './random.ts'

/** Days before the book's today on which the income rule became stricter. */
export const RULE_DAYS_AGO = 35
/** Its customers pay worst: social campaigns. */
const BAD_CHANNEL = 'CH003'

/** Few come on Sundays, many in the first days of a month, when salaries have come. */
export function seasonal(day: string, rng: Rng): string {
  const isSunday = new Date(`${day}T00:00:00Z`).getUTCDay() === 0
  if (isSunday && rng.chance(0.55)) return addDays(day, 1)
  const left = daysToMonthEnd(day)
  if (left <= 5 && rng.chance(0.4)) return addDays(day, left + rng.int(1, 4))
  return day
}

function daysToMonthEnd(day: string): number {
  const next = `${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
  return daysBetween(day, addDays(next, -1))
}

/** Weights of good, doubtful and bad borrowers. */
export function riskWeights(channelId: string): number[] {
  return channelId === BAD_CHANNEL ? [62, 23, 15] : [84, 12, 4]
}

/** Whether the income rule was strict already: it refuses more, most of all of those who pay badly. */
export function isStricter(at: number, today: string): boolean {
  return istDay(at) >= addDays(today, -RULE_DAYS_AGO)
}
