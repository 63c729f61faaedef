/** What events say about the case that is open. Pure. */
import {
  CASE_ALLOCATED,
  CASE_AMOUNT_CHANGED,
  CASE_ENDED,
  CASE_FOLLOWED,
  CASE_RECALLED,
  CASE_STOP_CHANGED,
  CASES_RECALLED,
} from '#shared/collection/collection-live.ts'
import type { DataOfEvent, LiveEvent, LiveEventKind } from '#shared/kernel/live.ts'
import type { CaseDetail } from './case-types.ts'

/** What happened to the case while it was open, for the banner above the form. */
export type CaseNews =
  | { kind: 'paid'; amount: number; whole: boolean }
  | { kind: 'moved'; name: string }
  | { kind: 'takenBack'; reason: string }
  | { kind: 'held'; reason: string }
  | { kind: 'ended'; reason: string }

/** Whether the event is about this case itself. */
export function namesCase({ data }: LiveEvent, caseId: string): boolean {
  const { caseId: one, caseIds = [] } = data as { caseId?: string; caseIds?: string[] }
  return one === caseId || caseIds.includes(caseId)
}

/**
 * Whether the event may change what is shown of the case.
 * @param detail undefined while it is read: then its order and customer may be those of the event
 */
export function concernsCase(
  event: LiveEvent,
  caseId: string,
  detail: CaseDetail | undefined,
): boolean {
  if (namesCase(event, caseId)) return true
  const { orderId, userId, typeCodes } = event.data as {
    orderId?: string
    userId?: string
    typeCodes?: string[]
  }
  if (event.type === 'dict.changed') return typeCodes?.includes('holiday') === true
  if (detail === undefined) return orderId !== undefined || event.type === 'customer.changed'
  return (
    orderId === detail.order.orderId ||
    (event.type === 'customer.changed' && userId === detail.customer.userId) ||
    // a result recorded elsewhere may have freed the caller's line
    (event.type === CASE_FOLLOWED.type && detail.busyLine !== null)
  )
}

/** For the band above the form; null = nothing to say. */
export function newsOf(event: LiveEvent, userId: string): CaseNews | null {
  const is = <K extends LiveEventKind>(kind: K) =>
    event.type === kind.type ? (event.data as DataOfEvent<K>) : null
  const ended = is(CASE_ENDED)
  if (ended)
    return ended.endReason === 'repaid' || ended.endReason === 'repaidReduced'
      ? { kind: 'paid', amount: ended.recovered, whole: true }
      : { kind: 'ended', reason: ended.endReason }
  const amount = is(CASE_AMOUNT_CHANGED)
  if (amount && amount.paid > 0)
    return { kind: 'paid', amount: amount.paid, whole: amount.outstanding === 0 }
  const allocated = is(CASE_ALLOCATED)
  if (
    allocated &&
    allocated.from !== null &&
    allocated.from !== allocated.to &&
    allocated.to !== userId
  )
    return { kind: 'moved', name: allocated.toName ?? allocated.agencyName ?? '' }
  const recalled = is(CASE_RECALLED)
  if (recalled) return { kind: 'takenBack', reason: recalled.reason }
  const taken = is(CASES_RECALLED)
  if (taken) return { kind: 'takenBack', reason: taken.reason }
  const stop = is(CASE_STOP_CHANGED)
  return stop?.caseState === 'held' ? { kind: 'held', reason: stop.reason } : null
}
