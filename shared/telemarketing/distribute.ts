/** Shares tasks out among telemarketers. Pure. */

export interface Taker {
  userId: string
  /** Open tasks they have already. */
  open: number
  capacity: number
  /** Closed = keeps what they have, is given nothing. */
  takesTasks: boolean
  /** The account works. */
  isEnabled: boolean
  /** Works in the segment of the tasks. */
  isOfSegment: boolean
}

export const SKIP_REASONS = ['disabled', 'segment', 'closed', 'full'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export interface Distribution {
  /** Whose turn it is, one for each task that finds somebody, in the order of giving. */
  turns: readonly string[]
  /** Tasks for which nobody had room. */
  left: number
  /** People who got none, or stopped getting some, and why. */
  skipped: readonly { userId: string; why: SkipReason }[]
}

/**
 * Gives each task to the person with the fewest open tasks, so that what people have comes out
 * even; among equals the first in the list is first.
 */
export function distribute(count: number, takers: readonly Taker[]): Distribution {
  const skipped: { userId: string; why: SkipReason }[] = []
  const free: { userId: string; open: number; capacity: number }[] = []
  for (const taker of takers) {
    const why = skipReason(taker)
    if (why === null) free.push({ ...taker })
    else skipped.push({ userId: taker.userId, why })
  }
  const turns: string[] = []
  while (turns.length < count && free.length > 0) {
    const next = free.reduce((least, taker) => (taker.open < least.open ? taker : least))
    turns.push(next.userId)
    next.open += 1
    if (next.open < next.capacity) continue
    skipped.push({ userId: next.userId, why: 'full' })
    free.splice(free.indexOf(next), 1)
  }
  return { turns, left: count - turns.length, skipped }
}

export function skipReason(taker: Taker): SkipReason | null {
  if (!taker.isEnabled) return 'disabled'
  if (!taker.isOfSegment) return 'segment'
  if (!taker.takesTasks) return 'closed'
  return taker.open >= taker.capacity ? 'full' : null
}
