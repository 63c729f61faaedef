/**
 * Applies live events to the list of granted coupons: the result equals what a new read gives. A row
 * is patched or leaves; one that was revoked is read again, because the event carries no reason.
 * Pure.
 */
import type { LiveChange } from '#client/ui/grid/live-rows.ts'
import { COUPON_GRANTED } from '#shared/coupons/coupons-live.ts'
import type { DataOfEvent, LiveEvent } from '#shared/kernel/live.ts'
import type { Grant } from './coupon-types.ts'

export const GRANT_EVENTS: readonly string[] = [COUPON_GRANTED.type]

/** Filters an event can be checked against; by others its row may be read again for nothing. */
export interface GrantFilters {
  state?: string | undefined
  couponId?: string | undefined
  userId?: string | undefined
  orderId?: string | undefined
}

export interface AppliedToGrants {
  changes: LiveChange[]
  read: ReadonlySet<string>
  needsRefetch: boolean
}

export function applyGrantEvents(
  rows: ReadonlyMap<string, Grant>,
  events: readonly LiveEvent[],
  filters: GrantFilters,
  gone: string,
): AppliedToGrants {
  const changes: LiveChange[] = []
  const read = new Set<string>()
  let needsRefetch = false
  for (const event of events) {
    if (event.type !== COUPON_GRANTED.type) continue
    const data = event.data as DataOfEvent<typeof COUPON_GRANTED>
    const { grantId, state, orderId, recordId, amount, useTime } = data
    const row = rows.get(grantId)
    const fits = fitsFilters(data, filters)
    if (row === undefined) {
      if (fits) needsRefetch = true
      continue
    }
    const { version } = event
    if (version !== undefined && version <= row.version) continue
    const at = version === undefined ? {} : { version }
    if (!fits) changes.push({ kind: 'leave', id: grantId, ...at, reason: gone })
    else if (state === 'revoked') read.add(grantId)
    else {
      const fields = { state, orderId, recordId, amount, useTime, ...at }
      changes.push({ kind: 'patch', id: grantId, ...at, changes: fields })
    }
  }
  return { changes, read, needsRefetch }
}

function fitsFilters(
  { state, couponId, userId, orderId }: DataOfEvent<typeof COUPON_GRANTED>,
  filters: GrantFilters,
): boolean {
  const isWanted = (wanted: string | undefined, is: string | null) =>
    wanted === undefined || wanted === is
  return (
    isWanted(filters.state, state) &&
    isWanted(filters.couponId, couponId) &&
    isWanted(filters.userId, userId) &&
    isWanted(filters.orderId, orderId)
  )
}
