/**
 * Whether a borrower may be contacted for recovery now (RBI circular of 12 August 2022 and its
 * drafts of 2026). The only place of this rule: the server checks it before every call and
 * follow-up, the client shows the same answer while a case is open. Pure: facts and clock come from
 * the caller.
 */
import { type ProblemKind, OUTSIDE_CALL_HOURS } from '#shared/kernel/problem.ts'
import type { NoContactSlot } from '#shared/customers/no-contact.ts'
import { addDays, isoWeekday, istAt, istClock, istDay } from '#shared/kernel/time.ts'
import {
  BORROWER_NOT_TOLD,
  BORROWER_ONLY,
  COLLECTION_STOPPED,
  COLLECTION_STOPPED_OPEN,
  CONTACT_HOLIDAY,
  CONTACT_LIMIT,
  CONTACT_LIMIT_WEEK,
  CONTACT_TOO_SOON,
  CONTACT_UNWANTED,
} from './collection-problems.ts'

/**
 * The regulator's hours, `HH:MM` IST, half-open: 18:59:59 is inside. Parameters may narrow them but
 * never widen them.
 */
export const LEGAL_WINDOW = { from: '08:00', to: '19:00' } as const
/** Of microfinance loans (RBI Microfinance Directions 2022). */
export const MICROFINANCE_WINDOW = { from: '09:00', to: '18:00' } as const

export interface ContactFacts {
  /** Parameters collection.callFrom and collection.callTo, `HH:MM` IST. */
  callFrom: string
  callTo: string
  microfinance: boolean
  /** Times at which the borrower asked not to be contacted. */
  noContact: readonly NoContactSlot[]
  /** Days without recovery contact, IST, from today on. */
  holidays: readonly { day: string; name: string }[]
  /** Collection is stopped for the customer, or the case is held. */
  stopped: boolean
  /** Last IST day of the stop; null = open end. */
  stoppedUntil: string | null
  /** An outside agency collects: the borrower must be informed of it before its first contact. */
  needsIntimation: boolean
  intimatedAt: string | null
  /** Contacts of this customer over all channels, today (IST) and in the last seven IST days. */
  attemptsToday: number
  attemptsWeek: number
  perDay: number
  perWeek: number
  gapMinutes: number
  lastAttemptTime: string | null
  /** Parameter contact.references: declared contacts may be contacted. */
  referencesAllowed: boolean
}

export interface ContactRefusal {
  problem: ProblemKind
  params: Record<string, string | number>
  /**
   * When contact becomes possible again by this rule, ISO 8601 UTC; null = no time can be named.
   */
  openTime: string | null
}

const MINUTE_MS = 60_000
const NEVER_LONGER_THAN_DAYS = 60

/**
 * Hours of contact, `HH:MM` IST: the parameters inside the regulator's bounds. An inverted pair
 * leaves no hour.
 */
export function contactWindow({
  callFrom,
  callTo,
  microfinance,
}: Pick<ContactFacts, 'callFrom' | 'callTo' | 'microfinance'>): { from: string; to: string } {
  const bounds = microfinance ? MICROFINANCE_WINDOW : LEGAL_WINDOW
  return {
    from: callFrom > bounds.from ? callFrom : bounds.from,
    to: callTo < bounds.to ? callTo : bounds.to,
  }
}

/**
 * Why a contact is refused, or null. The first rule that refuses answers: declared contacts, stop,
 * intimation, hours, the borrower's own times, caps, gap.
 * @param at instant of the contact on the database's clock; `isBorrower` false = a declared contact
 */
export function contactGate(
  facts: ContactFacts,
  at: { now: string; isBorrower: boolean },
): ContactRefusal | null {
  const { now } = at
  const today = istDay(now)
  const clock = istClock(now)
  const window = contactWindow(facts)
  if (!at.isBorrower && !facts.referencesAllowed)
    return { problem: BORROWER_ONLY, params: {}, openTime: null }
  if (facts.stopped) {
    if (facts.stoppedUntil === null)
      return { problem: COLLECTION_STOPPED_OPEN, params: {}, openTime: null }
    return {
      problem: COLLECTION_STOPPED,
      params: { date: facts.stoppedUntil },
      openTime: opening(facts, addDays(facts.stoppedUntil, 1)),
    }
  }
  if (facts.needsIntimation && facts.intimatedAt === null)
    return { problem: BORROWER_NOT_TOLD, params: {}, openTime: null }
  const holiday = facts.holidays.find(({ day }) => day === today)
  if (holiday)
    return {
      problem: CONTACT_HOLIDAY,
      params: { name: holiday.name },
      openTime: opening(facts, addDays(today, 1)),
    }
  if (clock < window.from || clock >= window.to)
    return {
      problem: OUTSIDE_CALL_HOURS,
      params: window,
      openTime: opening(facts, clock < window.from ? today : addDays(today, 1)),
    }
  const slot = slotAt(facts, today, clock)
  if (slot)
    return {
      problem: CONTACT_UNWANTED,
      params: { from: slot.from, to: slot.to },
      openTime: opening(facts, today, clock),
    }
  if (facts.attemptsToday >= facts.perDay)
    return {
      problem: CONTACT_LIMIT,
      params: { n: facts.perDay },
      openTime: opening(facts, addDays(today, 1)),
    }
  if (facts.attemptsWeek >= facts.perWeek)
    return { problem: CONTACT_LIMIT_WEEK, params: { n: facts.perWeek }, openTime: null }
  return tooSoon(facts, now)
}

function tooSoon(facts: ContactFacts, now: string): ContactRefusal | null {
  if (facts.lastAttemptTime === null) return null
  const free = Date.parse(facts.lastAttemptTime) + facts.gapMinutes * MINUTE_MS
  if (Date.parse(now) >= free) return null
  const time = istClock(free)
  // a gap that ends after the last hour, on a holiday or in a do-not-contact time ends with the
  // next opening
  if (isOpen(facts, istDay(free), time))
    return { problem: CONTACT_TOO_SOON, params: { time }, openTime: new Date(free).toISOString() }
  const openTime = opening(facts, istDay(free), time)
  return {
    problem: CONTACT_TOO_SOON,
    params: { time: openTime === null ? contactWindow(facts).from : istClock(openTime) },
    openTime,
  }
}

function slotAt(
  { noContact }: ContactFacts,
  day: string,
  clock: string,
): NoContactSlot | undefined {
  const weekday = isoWeekday(day)
  return noContact.find(
    ({ days, from, to }) => days.includes(weekday) && clock >= from && clock < to,
  )
}

function isOpen(facts: ContactFacts, day: string, clock: string): boolean {
  const { from, to } = contactWindow(facts)
  return (
    clock >= from &&
    clock < to &&
    !facts.holidays.some((holiday) => holiday.day === day) &&
    slotAt(facts, day, clock) === undefined
  )
}

/**
 * First moment on `day`, from `clock` on, or on a later day that is inside the hours, on no holiday
 * and in none of the borrower's times.
 */
function opening(facts: ContactFacts, day: string, clock = '00:00'): string | null {
  const { from } = contactWindow(facts)
  for (let n = 0; n < NEVER_LONGER_THAN_DAYS; n += 1) {
    const candidate = addDays(day, n)
    let time = n === 0 && clock > from ? clock : from
    for (
      let slot = slotAt(facts, candidate, time);
      slot !== undefined;
      slot = slotAt(facts, candidate, time)
    )
      time = slot.to
    if (!isOpen(facts, candidate, time)) continue
    return istAt(candidate, time)
  }
  return null
}
