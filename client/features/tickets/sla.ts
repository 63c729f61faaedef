/** The time left on a ticket's clock as colour and text, never as colour alone. Pure. */

export type SlaTone = 'calm' | 'warn' | 'bad'

export interface Sla {
  tone: SlaTone
  /** i18n key below `tickets:sla`, with integer parameters. */
  key: `${'left' | 'late'}.${'days' | 'hours' | 'minutes' | 'now'}`
  params: { days: number; hours: number; minutes: number }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Amber for the last quarter of the time, but for at least this long. */
const WARN_AT_LEAST = 10 * MINUTE
const WARN_SHARE = 4

/**
 * @param due ISO, when the running clock ends;
 * @param since ISO, when it began;
 * @param now epoch ms
 */
export function slaOf(due: string, since: string, now: number): Sla {
  const left = Date.parse(due) - now
  const span = Math.abs(left)
  const given = Date.parse(due) - Date.parse(since)
  const side = left >= 0 ? 'left' : 'late'
  const size = span >= DAY ? 'days' : span >= HOUR ? 'hours' : span >= MINUTE ? 'minutes' : 'now'
  return {
    tone: left < 0 ? 'bad' : left <= Math.max(WARN_AT_LEAST, given / WARN_SHARE) ? 'warn' : 'calm',
    key: `${side}.${size}`,
    params: {
      days: Math.floor(span / DAY),
      hours: Math.floor((span % DAY) / HOUR),
      minutes: Math.floor((span % HOUR) / MINUTE),
    },
  }
}
