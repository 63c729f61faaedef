/** Closed sets of coupons. */

/** Raises what a customer may apply for · gives up fees with a payment. */
export const COUPON_TYPES = ['raiseLimit', 'reduction'] as const
export type CouponType = (typeof COUPON_TYPES)[number]

/** An amount in paise · a share in basis points. */
export const AMOUNT_TYPES = ['fixed', 'rate'] as const
export type AmountType = (typeof AMOUNT_TYPES)[number]

/** What a coupon is for; a customer holds one unused coupon of each at most. */
export const PREFERENTIAL_TYPES = ['interest', 'serviceFee', 'overdueFine', 'limit'] as const
export type PreferentialType = (typeof PREFERENTIAL_TYPES)[number]

/** The type of a coupon follows from what it is for. */
export const TYPE_OF = {
  interest: 'reduction',
  serviceFee: 'reduction',
  overdueFine: 'reduction',
  limit: 'raiseLimit',
} as const satisfies Record<PreferentialType, CouponType>

export const COUPON_STATES = ['enabled', 'disabled'] as const
export type CouponState = (typeof COUPON_STATES)[number]

export const GRANT_SOURCES = ['manual', 'import', 'node', 'followUp'] as const
export type GrantSource = (typeof GRANT_SOURCES)[number]

/** Reasons staff may choose for a grant; the others are set by the feature that grants. */
export const STAFF_SOURCES = ['manual', 'import'] as const satisfies readonly GrantSource[]

/** Why a customer of a list gets none. */
export const GRANT_EXCLUSIONS = [
  'unknown',
  'hasUnused',
  'blacklisted',
  'repeated',
  'unreadable',
  'tooMany',
] as const
export type GrantExclusion = (typeof GRANT_EXCLUSIONS)[number]

/** Why a coupon cannot be used with a payment or an application. */
export const UNFIT_REASONS = [
  'otherCustomer',
  'otherKind',
  'product',
  'minimum',
  'notYet',
  'over',
  'nothing',
  'reduction',
  'paymentType',
] as const
export type UnfitReason = (typeof UNFIT_REASONS)[number]

/** Basis points of a budget from which its coupon is near the end. */
export const BUDGET_WARNING = 8_000

export const VALID_DAYS = { least: 1, most: 365 } as const
/** Customers of one grant. */
export const GRANT_MOST = 5_000
export const GRANT_SHEET = {
  bytes: 1_048_576,
  kinds: ['xlsx', 'csv'],
  refusal: 'ui:fault.sheet',
} as const
