/** The time left on a ticket's clock as colour and text, never as colour alone. Pure. */

import { DUE_SOON_SHARE, WARN_MINUTES } from '#shared/tickets/ticket-clock.ts'

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

/**
 * Red when the time is over, amber when the ticket counts as due soon.
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
    tone:
      left < 0
        ? 'bad'
        : left <= Math.max(WARN_MINUTES * MINUTE, given / DUE_SOON_SHARE)
          ? 'warn'
          : 'calm',
    key: `${side}.${size}`,
    params: {
      days: Math.floor(span / DAY),
      hours: Math.floor((span % DAY) / HOUR),
      minutes: Math.floor((span % HOUR) / MINUTE),
    },
  }
}
