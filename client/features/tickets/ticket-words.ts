/** Labels, colours and addresses of tickets. */
import { type Tone, toneOf } from '#client/ui/value/StatusTag.tsx'
import { isGrievance } from '#shared/tickets/ticket-sets.ts'
import type { Text } from '#client/base/use-text.ts'
import type { TicketMenu, TicketQueue, TicketRow } from './ticket-types.ts'

const PROGRESS_TONES: Record<string, Tone> = {
  unprocessed: 'warn',
  followingUp: 'info',
  finished: 'neutral',
}
const FOLLOW_TONES: Record<string, Tone> = {
  notFollowed: 'warn',
  following: 'info',
  caseClosed: 'good',
}
const HANDOVER_TONES: Record<string, Tone> = {
  pending: 'warn',
  approved: 'good',
  rejected: 'neutral',
}
const LEVEL_TONES: Record<string, Tone> = { 0: 'neutral', 1: 'warn', 2: 'bad', 3: 'bad' }

export const progressTone = toneOf(PROGRESS_TONES)
export const followTone = toneOf(FOLLOW_TONES)
export const handoverTone = toneOf(HANDOVER_TONES)
export const levelTone = toneOf(LEVEL_TONES)
/** Complaints and collection tickets hold a case, so they are highlighted. */
export const typeTone = (type: string | number): Tone =>
  isGrievance(Number(type)) ? 'bad' : 'neutral'

/** The label of a code of a closed set. */
export function word(set: string): (code: string | number, tools: { t: Text }) => string {
  return (code, { t }) => t(`tickets:${set}.${code}`, { defaultValue: String(code) })
}

/** Menus that can open a case, the preferred one first. */
export const CASE_MENUS = ['pedding_list', 'peded_list'] as const

/** The menu of this queue. */
export function menuOf(queue: TicketQueue): TicketMenu {
  return queue === 'loaned' ? 'loaned_ticket' : 'operation_ticket'
}

/** The receiver of a hand-over: a person's name, else the department. */
export function receiverOf(row: Pick<TicketRow, 'handoverTo'>): string {
  return row.handoverTo ?? '—'
}
