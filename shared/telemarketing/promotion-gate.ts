/**
 * Whether a customer may be called for promotion now (TCCCPR 2018 and TRAI's hours for commercial
 * calls). The only place of this rule: the server checks it before every call, the client shows the
 * same answer, counted down, while a task is open. Pure: facts and clock come from the caller.
 */
import {
  COLLECTION_STOPPED_OPEN,
  CONTACT_UNWANTED,
} from '#shared/collection/collection-problems.ts'
import type { NoContactSlot } from '#shared/customers/no-contact.ts'
import {
  LINE_BUSY,
  LINE_FULL,
  OUTSIDE_CALL_HOURS,
  type ProblemKind,
} from '#shared/kernel/problem.ts'
import { addDays, isoWeekday, istClock, istDay, istMidnight } from '#shared/kernel/time.ts'
import type { ContactWay } from './tele-sets.ts'
import { BLACKLISTED, CALLED_ENOUGH, NO_LINE, NO_PROMOTION } from './tele-problems.ts'

/** `HH:MM` IST, half-open: 20:59:59 is inside. Parameters may narrow it but never widen it. */
export const PROMOTION_WINDOW = { from: '10:00', to: '21:00' } as const

export interface PromotionFacts {
  /** Parameters marketing.callFrom and marketing.callTo, `HH:MM` IST. */
  callFrom: string
  callTo: string
  /** Times at which the customer asked not to be contacted. */
  noContact: readonly NoContactSlot[]
  dnd: boolean
  blacklisted: boolean
  /** Collection is stopped for the customer, by a death in the family for instance: nothing is offered. */
  stopped: boolean
  /** Promotional calls to the customer today and in the last seven days (IST). */
  callsToday: number
  callsWeek: number
  perDay: number
  perWeek: number
  /** Of the caller's promotional line (140 series); null without one. */
  lineUsed: number | null
  lineCap: number | null
  /** That line while it carries as many calls as it can, and when one of them ends at the latest. */
  busyLine: { number: string; n: number; freeTime: string } | null
}

export interface PromotionRefusal {
  problem: ProblemKind
  params: Record<string, string | number>
  /** When this rule ends, ISO 8601 UTC; null = no time can be named. */
  openTime: string | null
}

const MINUTE_MS = 60_000
const MOST_DAYS = 60
const WEEK = 7

/** The parameters inside the legal bounds. An inverted pair leaves no hour. */
export function promotionWindow({
  callFrom,
  callTo,
}: Pick<PromotionFacts, 'callFrom' | 'callTo'>): { from: string; to: string } {
  return {
    from: callFrom > PROMOTION_WINDOW.from ? callFrom : PROMOTION_WINDOW.from,
    to: callTo < PROMOTION_WINDOW.to ? callTo : PROMOTION_WINDOW.to,
  }
}

/**
 * Why a contact is refused, or null. The first rule that refuses answers: what no time ends, hours,
 * the customer's own times, limits of the customer, limit of the line. A message by WhatsApp counts
 * as a call does, and needs no line of the 140 series.
 * @param now instant of the contact on the database's clock
 */
export function promotionGate(
  facts: PromotionFacts,
  now: string,
  way: ContactWay = 'phone',
): PromotionRefusal | null {
  const lasting = lastingRefusal(facts, way)
  if (lasting !== null) return { problem: lasting, params: {}, openTime: null }
  const today = istDay(now)
  const clock = istClock(now)
  const window = promotionWindow(facts)
  if (clock < window.from || clock >= window.to) {
    const day = clock < window.from ? today : addDays(today, 1)
    return { problem: OUTSIDE_CALL_HOURS, params: window, openTime: opening(facts, day) }
  }
  const slot = slotAt(facts, today, clock)
  if (slot)
    return {
      problem: CONTACT_UNWANTED,
      params: { from: slot.from, to: slot.to },
      openTime: opening(facts, today, clock),
    }
  const tomorrow = opening(facts, addDays(today, 1))
  if (facts.callsToday >= facts.perDay)
    return { problem: CALLED_ENOUGH, params: { n: facts.perDay, days: 1 }, openTime: tomorrow }
  if (facts.callsWeek >= facts.perWeek)
    return { problem: CALLED_ENOUGH, params: { n: facts.perWeek, days: WEEK }, openTime: null }
  const { lineUsed, lineCap } = facts
  if (way === 'phone' && lineUsed !== null && lineCap !== null && lineUsed >= lineCap)
    return { problem: LINE_FULL, params: { n: lineCap }, openTime: tomorrow }
  const { busyLine } = facts
  if (way === 'phone' && busyLine !== null && now < busyLine.freeTime) {
    const { number, n, freeTime } = busyLine
    return {
      problem: LINE_BUSY,
      params: { number, n, time: istClock(freeTime) },
      openTime: freeTime,
    }
  }
  return null
}

function lastingRefusal(
  { blacklisted, dnd, stopped, lineUsed }: PromotionFacts,
  way: ContactWay,
): ProblemKind | null {
  if (blacklisted) return BLACKLISTED
  if (dnd) return NO_PROMOTION
  if (stopped) return COLLECTION_STOPPED_OPEN
  return way === 'phone' && lineUsed === null ? NO_LINE : null
}

function slotAt(
  { noContact }: PromotionFacts,
  day: string,
  clock: string,
): NoContactSlot | undefined {
  const weekday = isoWeekday(day)
  return noContact.find(
    ({ days, from, to }) => days.includes(weekday) && clock >= from && clock < to,
  )
}

/** First moment on `day`, from `clock` on, or later inside the hours and none of the own times. */
function opening(facts: PromotionFacts, day: string, clock = '00:00'): string | null {
  const { from, to } = promotionWindow(facts)
  for (let n = 0; n < MOST_DAYS; n += 1) {
    const candidate = addDays(day, n)
    let time = n === 0 && clock > from ? clock : from
    for (
      let slot = slotAt(facts, candidate, time);
      slot !== undefined;
      slot = slotAt(facts, candidate, time)
    )
      time = slot.to
    if (time < from || time >= to) continue
    const [hours, minutes] = time.split(':').map(Number) as [number, number]
    const minute = hours * 60 + minutes
    return new Date(istMidnight(candidate).getTime() + minute * MINUTE_MS).toISOString()
  }
  return null
}
