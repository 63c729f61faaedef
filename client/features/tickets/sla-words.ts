import { slaOf, type SlaTone } from './sla.ts'
import type { TicketRow } from './ticket-types.ts'
import type { Text } from '#client/base/use-text.ts'

export type Clocked = Pick<TicketRow, 'progress' | 'dueTime' | 'dueFromTime'>

/** The running clock of a ticket as text, `2 h 5 min left`; null when it has stopped. */
export function slaText(
  row: Clocked,
  t: Text,
  now: number,
): { text: string; tone: SlaTone } | null {
  if (row.progress === 'finished') return null
  const { tone, key, params } = slaOf(row.dueTime, row.dueFromTime, now)
  return { tone, text: t(`tickets:sla.${key}`, params) }
}
