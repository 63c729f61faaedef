/** Paths, colours and instants of cases. */
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import { addDays, istDay, istMidnight } from '#shared/kernel/time.ts'

export function casePath(caseId: string, from: string): string {
  return `/detail3?caseId=${encodeURIComponent(caseId)}&from=${encodeURIComponent(from)}`
}

const STATE_TONES: Record<string, Tone> = {
  unallocated: 'warn',
  allocating: 'info',
  allocated: 'neutral',
  promised: 'info',
  held: 'warn',
  closed: 'neutral',
}
const PTP_TONES: Record<string, Tone> = {
  open: 'info',
  kept: 'good',
  keptPart: 'good',
  broken: 'bad',
  cancelled: 'neutral',
}
const END_TONES: Record<string, Tone> = {
  repaid: 'good',
  repaidReduced: 'good',
  extended: 'info',
  writtenOff: 'bad',
}
const STOP_TONES: Record<string, Tone> = {
  pending: 'warn',
  active: 'bad',
  ended: 'neutral',
  rejected: 'neutral',
}
/** Of a reduction, a payment proof or a payment link. */
const SETTLE_TONES: Record<string, Tone> = {
  pending: 'warn',
  approved: 'info',
  accepted: 'good',
  used: 'good',
  rejected: 'bad',
  lapsed: 'neutral',
  due: 'warn',
  sent: 'info',
  failed: 'bad',
  paid: 'good',
  expired: 'neutral',
}
const tone =
  (tones: Record<string, Tone>) =>
  (code: string | number): Tone =>
    tones[code] ?? 'neutral'
export const stateTone = tone(STATE_TONES)
export const ptpTone = tone(PTP_TONES)
export const endTone = tone(END_TONES)
export const stopTone = tone(STOP_TONES)
export const settleTone = tone(SETTLE_TONES)

/** An IST day at an hour and minute, as an instant. */
export function istAt(day: string, hours: number, minutes = 0): string {
  return new Date(istMidnight(day).getTime() + (hours * 60 + minutes) * 60_000).toISOString()
}

/**
 * Default time of the next contact: in two hours if that is still today, else tomorrow at 10:00.
 */
export function nextContact(now: number, callTo: string): string {
  const inTwoHours = new Date(Math.ceil((now + 2 * 3_600_000) / 300_000) * 300_000).toISOString()
  const [hours, minutes] = callTo.split(':').map(Number) as [number, number]
  const today = istDay(now)
  return istDay(inTwoHours) === today && inTwoHours < istAt(today, hours, minutes)
    ? inTwoHours
    : istAt(addDays(today, 1), 10)
}
