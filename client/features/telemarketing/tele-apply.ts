/**
 * Applies live events to the rows of a segment. A closed task leaves with its reason; everything
 * else about a shown row is read, because events carry no customer data. Pure.
 */
import type { Applied } from '#client/screen/list/use-live-list.ts'
import type { LiveChange } from '#client/ui/grid/live-rows.ts'
import { COUPON_GRANTED } from '#shared/coupons/coupons-live.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { TELE_FOLLOWED, TELE_TASK_ASSIGNED } from '#shared/telemarketing/tele-live.ts'
import type { Lane, Segment } from '#shared/telemarketing/tele-sets.ts'
import type { TeleRow } from './tele-types.ts'

export const TELE_LIST_EVENTS: readonly string[] = [
  TELE_TASK_ASSIGNED.type,
  TELE_FOLLOWED.type,
  COUPON_GRANTED.type,
]

export interface TeleView {
  segment: Segment
  lane: Lane
  /** Null = the person sees more than their own customers. */
  ownOf: string | null
}

/** Why a row leaves, in the user's language. */
export type LeaveWords = (key: 'converted' | 'closed' | 'returned' | 'moved') => string

export function applyTeleEvents(
  rows: ReadonlyMap<string, TeleRow>,
  events: readonly LiveEvent[],
  { segment, lane, ownOf }: TeleView,
  words: LeaveWords,
): Applied {
  const changes: LiveChange[] = []
  const read = new Map<string, string>()
  let needsRefetch = false
  for (const { type, data, version = 0 } of events) {
    if (type === COUPON_GRANTED.type) {
      // the version is that of the coupon
      for (const [id, { userId }] of rows)
        if (userId === data.userId && !hasLeft(changes, id)) read.set(id, words('moved'))
      continue
    }
    if (data.segment !== segment) continue
    const id = String(data.taskId)
    const state = String(data.state)
    const holder = data.toUserId ?? data.userId ?? null
    const row = rows.get(id)
    const isClosed = state === 'converted' || state === 'expired'
    if (row === undefined) {
      needsRefetch ||= ownOf === null || holder === ownOf || data.fromUserId === ownOf
      continue
    }
    if (version <= row.version) continue
    const leave = (reason: string) => {
      read.delete(id)
      changes.push({ kind: 'leave', id, version, reason })
    }
    if (isClosed && lane !== 'closed') {
      // patched before it leaves, so that the row shows how it ended
      const converted = state === 'converted'
      changes.push({ kind: 'patch', id, version, changes: { state, converted, version } })
      leave(words(converted ? 'converted' : 'closed'))
    } else if (ownOf !== null && holder !== ownOf && !isClosed) leave(words('returned'))
    else read.set(id, words('moved'))
  }
  return { changes, read, needsRefetch }
}

function hasLeft(changes: readonly LiveChange[], id: string): boolean {
  return changes.some((change) => change.kind === 'leave' && change.id === id)
}
