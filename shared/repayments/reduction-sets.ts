/** Closed sets of reductions, the levels of roles, and what each level may waive. */

export const REDUCTION_STATES = ['pending', 'approved', 'rejected', 'used', 'lapsed'] as const
/** Why one ended without a decision on its merits, or no longer counts. */
export const REDUCTION_CAUSES = [
  'withdrawn',
  'expired',
  'revoked',
  'orderClosed',
  'reversed',
] as const

/** Longest validity in IST days after today. */
export const MOST_VALID_DAYS = 7

/**
 * Parts that can be waived, in this order: a later part only when the earlier one is waived in
 * full. Principal is never waived.
 */
export const REDUCED_PARTS = ['overdueFine', 'serviceFee', 'interest'] as const
export type ReducedPart = (typeof REDUCED_PARTS)[number]
/** Paise of each part. */
export type ReduceItems = Record<ReducedPart, number>

interface Level {
  level: number
  /** Parameter with the role's maximum to launch or approve, in per cent of the open fees. */
  cap: string
}

/**
 * By the code of the role; a role without a level waives nothing. The administrator has the level
 * of the director.
 */
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

/** Codes of roles at least one level above. */
export function rolesAbove(level: number): string[] {
  return Object.keys(LEVELS).filter((mark) => levelOf(mark).level > level)
}

/** Every role with a level. */
export const LEVELLED_ROLES: readonly string[] = Object.keys(LEVELS)

export function sumOfItems(items: ReduceItems): number {
  return REDUCED_PARTS.reduce((sum, part) => sum + items[part], 0)
}

/** Maximum of the open fees, in paise, that a cap in per cent allows; rounded down to the paisa. */
export function capOf(open: ReduceItems, percent: number): number {
  return Number((BigInt(sumOfItems(open)) * BigInt(percent)) / 100n)
}

/** Spreads an amount over the parts in their order. @param amount paise */
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

/** The first part that breaks the order or exceeds its open amount; null when there is none. */
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
