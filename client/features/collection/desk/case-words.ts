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

/** When a contact planned for a day is made. */
const MORNING = '10:00'

/** HH:MM in India between which borrowers may be called. */
interface CallHours {
  callFrom: string
  callTo: string
}

/**
 * Default time of the next contact: in two hours, but not before the calls of today begin; tomorrow
 * at 10:00 when they are over by then.
 */
export function nextContact(now: number, { callFrom, callTo }: CallHours): string {
  const inTwoHours = new Date(Math.ceil((now + 2 * 3_600_000) / 300_000) * 300_000).toISOString()
  const today = istDay(now)
  if (istDay(inTwoHours) !== today || inTwoHours >= istAt(today, callTo))
    return istAt(addDays(today, 1), MORNING)
  const opens = istAt(today, callFrom)
  return inTwoHours < opens ? opens : inTwoHours
}

/**
 * When to ask after a promise: in the morning of its day, while it can still be kept; on that day
 * itself at the promised time, or the next morning when nobody may be called any more by then.
 * @param promised the instant by which the borrower pays
 */
export function contactAfterPromise(
  now: number,
  promised: string,
  { callTo }: Pick<CallHours, 'callTo'>,
): string {
  const day = istDay(promised)
  const morning = istAt(day, MORNING)
  if (Date.parse(morning) > now) return morning
  return promised < istAt(day, callTo) ? promised : istAt(addDays(day, 1), MORNING)
}

/**
 * What the borrower agreed to says when to ask again; without it, the default.
 * @param agreed the instant at which they will speak; one that has passed says nothing
 */
export function proposedContact(
  now: number,
  { promised, agreed }: { promised: string | null; agreed: string | null },
  hours: CallHours,
): string {
  if (promised !== null) return contactAfterPromise(now, promised, hours)
  return agreed !== null && Date.parse(agreed) > now ? agreed : nextContact(now, hours)
}

/**
 * The promise that one press makes: by tomorrow 18:00; in a stage whose promises end with the day by
 * today 18:00, and after that by the end of today.
 * @param mostDays the longest promise of the stage
 */
export function offeredPromise(
  now: number,
  mostDays: number,
): { day: 'today' | 'tomorrow'; clock: string; time: string } {
  const today = istDay(now)
  if (mostDays > 0)
    return { day: 'tomorrow', clock: '18:00', time: istAt(addDays(today, 1), '18:00') }
  const clock = Date.parse(istAt(today, '18:00')) > now ? '18:00' : '23:59'
  return { day: 'today', clock, time: istAt(today, clock) }
}
