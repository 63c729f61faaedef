/** Which part of a debt a payment clears (parameter repay.order). Pure, integer paise. */

export const PARTS = ['fine', 'interest', 'service', 'principal'] as const
export type Part = (typeof PARTS)[number]

/** What an instalment still owes, in paise. */
export interface OpenParts {
  fine: number
  interest: number
  service: number
  principal: number
}

export interface OpenPlan extends OpenParts {
  planId: string
}

export interface Allocation {
  /** What the payment cleared, by plan; plans it did not reach are missing. */
  cleared: Map<string, OpenParts>
  /** Paise beyond the debt: customer credit. */
  surplus: number
}

/**
 * Allocates a payment over instalments that are given oldest due first. Each instalment is cleared
 * in the order of `parts` before the next one. For a bad debt the principal of all instalments
 * comes first, then their other parts, because lent money has priority over income. Σ cleared +
 * surplus = amount, and no part is cleared by more than it owes.
 * @param amount paise, whole, ≥ 0
 * @param parts every part once
 * @throws RangeError for an amount that is no whole number of paise, or parts that are not all of
 * them
 */
export function allocatePayment(
  plans: readonly OpenPlan[],
  amount: number,
  { parts = PARTS, isBadDebt = false }: { parts?: readonly Part[]; isBadDebt?: boolean } = {},
): Allocation {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError(`${amount} is not a whole number of paise`)
  if (parts.length !== PARTS.length || PARTS.some((part) => !parts.includes(part)))
    throw new RangeError(`a payment is allocated to ${PARTS.join(', ')}, each once`)
  const cleared = new Map<string, OpenParts>()
  let left = amount
  const clear = (plan: OpenPlan, part: Part): void => {
    const taken = Math.min(left, plan[part])
    if (taken === 0) return
    const so = cleared.get(plan.planId) ?? { fine: 0, interest: 0, service: 0, principal: 0 }
    so[part] += taken
    cleared.set(plan.planId, so)
    left -= taken
  }
  if (isBadDebt) for (const plan of plans) clear(plan, 'principal')
  for (const plan of plans)
    for (const part of parts) if (!isBadDebt || part !== 'principal') clear(plan, part)
  return { cleared, surplus: left }
}

/** Reads parameter repay.order. @throws TypeError when it does not name every part once */
export function readParts(text: string): Part[] {
  const parts = text.split(',').map((part) => part.trim())
  const known = parts.filter((part): part is Part => (PARTS as readonly string[]).includes(part))
  if (parts.length !== PARTS.length || new Set(known).size !== PARTS.length)
    throw new TypeError(`repay.order must name ${PARTS.join(', ')} once each`)
  return known
}
