/** Paths, colours and instants of cases. */
import { type Tone, toneOf } from '#client/ui/value/StatusTag.tsx'
import { addDays, istAt, istDay } from '#shared/kernel/time.ts'

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
export const stateTone = toneOf(STATE_TONES)
export const ptpTone = toneOf(PTP_TONES)
export const endTone = toneOf(END_TONES)
export const stopTone = toneOf(STOP_TONES)
export const settleTone = toneOf(SETTLE_TONES)

/**
 * Default time of the next contact: in two hours, but not before the calls of today begin; tomorrow
 * at 10:00 when they are over by then.
 */
export function nextContact(
  now: number,
  { callFrom, callTo }: { callFrom: string; callTo: string },
): string {
  const inTwoHours = new Date(Math.ceil((now + 2 * 3_600_000) / 300_000) * 300_000).toISOString()
  const today = istDay(now)
  if (istDay(inTwoHours) !== today || inTwoHours >= istAt(today, callTo))
    return istAt(addDays(today, 1), '10:00')
  const opens = istAt(today, callFrom)
  return inTwoHours < opens ? opens : inTwoHours
}
