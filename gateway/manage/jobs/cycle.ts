import { Cron } from 'croner'

const EVERY = /^every:([1-9]\d{0,6})$/
const TIME_ZONE = 'Asia/Kolkata'

/**
 * First instant after `after` at which a cycle is due, ISO 8601 UTC.
 * @param cycle cron text read in IST, or `every:SECONDS`
 * @throws RangeError for a text that is neither, or a cron text that never comes
 */
export function nextRun(cycle: string, after: string): string {
  const seconds = everySeconds(cycle)
  if (seconds !== null) return new Date(Date.parse(after) + seconds * 1_000).toISOString()
  const next = cronOf(cycle).nextRun(new Date(after))
  if (next === null) throw new RangeError(`cycle ${cycle} never comes`)
  return next.toISOString()
}

/** Seconds between two runs, for a cron text those of its next two. */
export function periodSeconds(cycle: string, after: string): number {
  const seconds = everySeconds(cycle)
  if (seconds !== null) return seconds
  const first = nextRun(cycle, after)
  return (Date.parse(nextRun(cycle, first)) - Date.parse(first)) / 1_000
}

function everySeconds(cycle: string): number | null {
  const seconds = EVERY.exec(cycle)?.[1]
  return seconds === undefined ? null : Number(seconds)
}

function cronOf(cycle: string): Cron {
  try {
    return new Cron(cycle, { timezone: TIME_ZONE, paused: true })
  } catch {
    throw new RangeError(`cycle ${cycle} is not a cron text`)
  }
}
