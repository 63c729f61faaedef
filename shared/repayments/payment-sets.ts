/** Closed sets of payments and instalments. */

export const PLAN_STATUSES = [
  'unpaid',
  'processing',
  'partlyPaid',
  'paid',
  'overdue',
  'writtenOff',
  'rolledOver',
  'dropped',
] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]
/** Days on which an instalment was settled, beside the day it fell due. */
export const SETTLED_SIDES = ['early', 'onTime', 'late'] as const

export const PAY_STATES = ['inProgress', 'success', 'fail'] as const
export const REPAYMENT_TYPES = ['full', 'partial', 'rollover', 'coolingOff'] as const
export const RECORD_SOURCES = ['customer', 'staff', 'proof', 'writeOff', 'callback'] as const
/** Why a payment needs attention. */
export const RECORD_FLAGS = ['unknownOrder', 'notPayable', 'surplus', 'recovery'] as const

/** Why a received payment is reversed. */
export const REVERSAL_CAUSES = ['bounced', 'duplicateUtr'] as const

/** Kinds staff may book; the cooling-off exit has its own endpoint. */
export const STAFF_REPAYMENT_TYPES = ['full', 'partial', 'rollover'] as const
export const QUOTE_TYPES = ['full', 'partial', 'rollover', 'coolingOff'] as const
export type QuoteType = (typeof QUOTE_TYPES)[number]

/** Numbers of the dictionary `repay_channel`. */
export const CHANNELS = [1, 2, 3, 4] as const
/** Cash is accepted only with its receipt, which is a proof. */
export const OFFLINE = 3

/** Whether a payment is parked for staff: its order is unknown or cannot accept it. */
export function isParked({ payState, flag }: { payState: string; flag: string | null }): boolean {
  return payState === 'inProgress' && (flag === 'unknownOrder' || flag === 'notPayable')
}

export type AmountRule = 'less' | 'equal'

/**
 * The rule for the amount by kind of payment: partial < due, full = due, rollover = its own due.
 */
export function amountRule(type: QuoteType): AmountRule {
  return type === 'partial' ? 'less' : 'equal'
}

/** Whether an amount follows the rule of its kind; 0 is no payment. */
export function fitsDue(type: QuoteType, amount: number, due: number): boolean {
  if (amount < 1) return false
  return amountRule(type) === 'less' ? amount < due : amount === due
}
