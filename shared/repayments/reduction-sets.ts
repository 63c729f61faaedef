/** Closed sets of reductions, who stands above whom, and what each level may give up (roles.md 1 and 4; domain.md 2.5). */

export const REDUCTION_STATES = ['pending', 'approved', 'rejected', 'used', 'lapsed'] as const
/** Why one was rejected or lapsed without a decision on its merits, or no longer counts. */
export const REDUCTION_CAUSES = [
  'withdrawn',
  'expired',
  'revoked',
  'orderClosed',
  'reversed',
] as const

/** Longest validity in IST days after today. */
export const MOST_VALID_DAYS = 7

/** What is given up, in this order: a later part only when the earlier is given up whole (domain.md 2.5). Principal never. */
export const REDUCED_PARTS = ['overdueFine', 'serviceFee', 'interest'] as const
export type ReducedPart = (typeof REDUCED_PARTS)[number]
/** Paise of each part. */
export type ReduceItems = Record<ReducedPart, number>

interface Level {
  level: number
  /** Parameter with the most it may launch or approve, in per cent of the open fees. */
  cap: string
}

/** By the role's mark; a role without a level gives up nothing. The administrator stands beside the director. */
const LEVELS: Readonly<Record<string, Level>> = {
  collector: { level: 1, cap: 'reduce.cap.collector' },
  collection_specialist: { level: 1, cap: 'reduce.cap.specialist' },
  team_leader: { level: 2, cap: 'reduce.cap.team_leader' },
  external_supervisor: { level: 2, cap: 'reduce.cap.external_supervisor' },
  internal_supervisor: { level: 3, cap: 'reduce.cap.internal_supervisor' },
  manager: { level: 4, cap: 'reduce.cap.manager' },
  director: { level: 5, cap: 'reduce.cap.director' },
  administrator: { level: 5, cap: 'reduce.cap.director' },
}

export function levelOf(roleMark: string | null): Level {
  return (roleMark === null ? undefined : LEVELS[roleMark]) ?? { level: 0, cap: '' }
}

/** Marks of roles that stand at least one level above. */
export function rolesAbove(level: number): string[] {
  return Object.keys(LEVELS).filter((mark) => levelOf(mark).level > level)
}

/** Every role with a level. */
export const LEVELLED_ROLES: readonly string[] = Object.keys(LEVELS)

export function sumOfItems(items: ReduceItems): number {
  return REDUCED_PARTS.reduce((sum, part) => sum + items[part], 0)
}

/** Most paise of open fees that a cap of so many per cent allows, cut to the paisa. */
export function capOf(open: ReduceItems, percent: number): number {
  return Number((BigInt(sumOfItems(open)) * BigInt(percent)) / 100n)
}

/** An amount over the parts in their order, as far as it goes. @param amount paise */
export function itemsFor(open: ReduceItems, amount: number): ReduceItems {
  let left = amount
  const take = (part: ReducedPart) => {
    const taken = Math.min(left, open[part])
    left -= taken
    return taken
  }
  return {
    overdueFine: take('overdueFine'),
    serviceFee: take('serviceFee'),
    interest: take('interest'),
  }
}

/** The first part that breaks the order or exceeds what is open; null when all is well. */
export function faultOfItems(
  items: ReduceItems,
  open: ReduceItems,
): { part: ReducedPart; fault: 'tooMuch' | 'order' } | null {
  let earlierWhole = true
  for (const part of REDUCED_PARTS) {
    if (items[part] > open[part]) return { part, fault: 'tooMuch' }
    if (items[part] > 0 && !earlierWhole) return { part, fault: 'order' }
    if (items[part] < open[part]) earlierWhole = false
  }
  return null
}
