/** Closed sets of payments and instalments (roles.md 5.7). */

export const PLAN_STATUSES = [
  'unpaid',
  'processing',
  'partlyPaid',
  'paid',
  'overdue',
  'writtenOff',
  'rolledOver',
] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]

export const PAY_STATES = ['inProgress', 'success', 'fail'] as const
export const REPAYMENT_TYPES = ['full', 'partial', 'rollover', 'coolingOff'] as const
export const RECORD_SOURCES = ['customer', 'staff', 'proof', 'writeOff', 'callback'] as const
/** Why a person should look at a payment. */
export const RECORD_FLAGS = ['unknownOrder', 'notPayable', 'surplus', 'recovery'] as const

/** Why a received payment is taken back. */
export const REVERSAL_CAUSES = ['bounced', 'duplicateUtr'] as const

/** What staff may book; the exit of the cooling-off has a call of its own. */
export const STAFF_REPAYMENT_TYPES = ['full', 'partial', 'rollover'] as const
export const QUOTE_TYPES = ['full', 'partial', 'rollover', 'coolingOff'] as const
export type QuoteType = (typeof QUOTE_TYPES)[number]

/** Numbers of the dictionary `repay_channel`. */
export const CHANNELS = [1, 2, 3, 4] as const
/** Cash over a counter: only with its receipt, which is a proof (domain.md 1, rule 16). */
export const OFFLINE = 3

/** Whether a payment waits for a person although nobody booked it: its order is unknown or cannot take it. */
export function isParked({ payState, flag }: { payState: string; flag: string | null }): boolean {
  return payState === 'inProgress' && (flag === 'unknownOrder' || flag === 'notPayable')
}

export type AmountRule = 'less' | 'equal'

/** The rule a kind of payment sets to its amount: partial < due, full = due, rollover = its own due (trust.md C3). */
export function amountRule(type: QuoteType): AmountRule {
  return type === 'partial' ? 'less' : 'equal'
}

/** Whether an amount keeps its rule; nothing is no payment. */
export function fitsDue(type: QuoteType, amount: number, due: number): boolean {
  if (amount < 1) return false
  return amountRule(type) === 'less' ? amount < due : amount === due
}
