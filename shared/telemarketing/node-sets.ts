/** Closed sets of marketing nodes. */

/** Chosen by a condition from the segment · from a list of customers. */
export const NODE_TYPES = ['batchRun', 'package'] as const
export const NODE_ACTIONS = ['tasks', 'messages', 'both'] as const
export type NodeAction = (typeof NODE_ACTIONS)[number]
export const NODE_WAYS = ['sms', 'whatsapp'] as const

/** Why a customer who matches is not taken; the first that holds counts. */
export const NODE_EXCLUSIONS = [
  /** Of a list: not in the segment now · the condition does not hold. */
  'left',
  'unmatched',
  'dnd',
  'stopped',
  /** This node contacted the customer before. */
  'contacted',
  /** Held out by a node. */
  'heldOut',
  /** A telemarketer has the customer. */
  'busy',
] as const
export type NodeExclusion = (typeof NODE_EXCLUSIONS)[number]

/** Why a contacted customer got no coupon of the node. */
export const COUPON_EXCLUSIONS = ['hasUnused', 'blacklisted', 'budget', 'off'] as const

export const RUN_STATES = ['running', 'done', 'failed', 'cancelled'] as const
export const NODE_MESSAGE_STATES = ['due', 'sent', 'failed', 'refused'] as const

/** Days in which a goal counts as the effect of a contact, and in which nobody else contacts the held out. */
export const EFFECT_DAYS = 7

/** Customers of a list. */
export const PACKAGE_MOST = 100_000
export const PACKAGE_SHEET = {
  bytes: 5 * 1024 * 1024,
  kinds: ['xlsx', 'csv'],
  refusal: 'repayments:batch.fileKind',
} as const
