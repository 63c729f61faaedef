import Type from 'typebox'
import {
  endpoint,
  Id,
  Nullable,
  OneOf,
  Paise,
  Text,
  Time,
  Version,
} from '#shared/kernel/endpoint.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { EXPORT_FORMATS } from '#shared/exports/exports-api.ts'
import {
  AMOUNT_TYPES,
  COUPON_STATES,
  COUPON_TYPES,
  GRANT_EXCLUSIONS,
  GRANT_MOST,
  GRANT_SHEET,
  GRANT_SOURCES,
  PREFERENTIAL_TYPES,
  STAFF_SOURCES,
} from './coupon-sets.ts'
import { GRANT_STATES } from './grant-lifecycle.ts'

/** Calls of coupons and of what was granted of them. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const amount = Nullable(int)
const strict = { additionalProperties: false }

/** Pages with customers who may be given a coupon. */
const GRANTS = [
  'coupon_list:grant',
  'info:coupon',
  'no_certified:coupon',
  'unrequished:coupon',
  'no_relented:coupon',
  'loan_failed:coupon',
] as const
/** For the list, and for everybody who sees the customer. */
const GRANT_VIEWS = ['coupon_list:view', 'info:view'] as const

/** What a form that offers coupons shows of one. */
export const Offer = {
  couponId: text,
  name: text,
  amountType: OneOf(AMOUNT_TYPES),
  preferentialType: OneOf(PREFERENTIAL_TYPES),
  /** Paise of a fixed coupon; the most one by share gives. */
  discountAmount: amount,
  /** Basis points. */
  rate: amount,
  ratio: amount,
  minAmount: int,
  validDays: int,
  /** The most that may be granted of it, and what is granted and neither expired nor revoked. */
  budget: amount,
  committed: int,
}

export const CouponRow = Type.Object({
  ...Offer,
  type: OneOf(COUPON_TYPES),
  /** Products it may be used with; empty = all. */
  products: Type.Array(Type.Object({ productId: text, name: text })),
  creatorId: maybe,
  creator: text,
  state: OneOf(COUPON_STATES),
  granted: int,
  used: int,
  usedAmount: int,
  createTime: text,
  version: int,
})

export const listCoupons = endpoint({
  method: 'GET',
  path: '/coupon/list',
  access: ['coupon_list:view'],
  menu: 'coupon_list',
  input: ListInput({
    couponId: Type.Optional(Id()),
    name: Type.Optional(Text(1, 40)),
    type: Type.Optional(OneOf(COUPON_TYPES)),
    preferentialType: Type.Optional(OneOf(PREFERENTIAL_TYPES)),
    state: Type.Optional(OneOf(COUPON_STATES)),
    creator: Type.Optional(Text(1, 64)),
    createTimeFrom: Type.Optional(Time()),
    createTimeTo: Type.Optional(Time()),
  }),
  data: ListData(CouponRow),
  summary: 'Coupons, with what was granted and used of each',
})

/** Of all coupons that may be granted now, for the forms that offer them. */
export const couponOptions = endpoint({
  method: 'GET',
  path: '/coupon/options',
  access: ['coupon_list:view', ...GRANTS],
  input: Type.Object({}),
  data: Type.Object({
    coupons: Type.Array(Type.Object(Offer)),
    products: Type.Array(Type.Object({ productId: text, name: text })),
  }),
  summary: 'Coupons that are switched on, and products a coupon may be bound to',
})

/** Amounts: they are fixed once the coupon was granted. */
const Amounts = {
  amountType: OneOf(AMOUNT_TYPES),
  preferentialType: OneOf(PREFERENTIAL_TYPES),
  /** Required for a fixed coupon. */
  discountAmount: Type.Optional(Paise({ minimum: 1, maximum: 10 ** 12 })),
  /** Required for a coupon by share. */
  rate: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  /** Of a fixed coupon alone. */
  ratio: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
}
/** What may still be changed afterwards. */
const Rest = {
  name: Text(1, 40),
  minAmount: Paise({ minimum: 0, maximum: 10 ** 12 }),
  validDays: Type.Integer(),
  budget: Type.Optional(Paise({ minimum: 1, maximum: 10 ** 14 })),
  productIds: Type.Optional(Type.Array(Id(), { maxItems: 200, uniqueItems: true })),
}

export const addCoupon = endpoint({
  method: 'POST',
  path: '/coupon/add',
  access: ['coupon_list:add'],
  menu: 'coupon_list',
  input: Type.Object({ type: OneOf(COUPON_TYPES), ...Amounts, ...Rest }, strict),
  data: Type.Object({ couponId: text }),
  audit: 'addCoupon',
  idempotency: 'required',
  summary: 'Creates a coupon; nobody holds it before it is granted',
})

export const editCoupon = endpoint({
  method: 'POST',
  path: '/coupon/edit',
  access: ['coupon_list:edit'],
  menu: 'coupon_list',
  input: Type.Object(
    {
      couponId: Id(),
      version: Version(),
      ...Rest,
      ...Object.fromEntries(
        Object.entries(Amounts).map(([name, schema]) => [name, Type.Optional(schema)]),
      ),
    },
    strict,
  ),
  data: CouponRow,
  audit: 'editCoupon',
  idempotency: 'required',
  summary: 'Changes a coupon; what customers hold of it stays as it was granted',
})

export const setCouponStatus = endpoint({
  method: 'POST',
  path: '/coupon/status',
  access: ['coupon_list:status'],
  menu: 'coupon_list',
  input: Type.Object(
    {
      couponIds: Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }),
      state: OneOf(COUPON_STATES),
    },
    strict,
  ),
  data: BulkData(),
  audit: 'couponStatus',
  idempotency: 'required',
  summary: 'Switches coupons: one that is off is not granted; what was granted stays valid',
})

export const GrantRow = Type.Object({
  grantId: text,
  couponId: text,
  couponName: text,
  type: OneOf(COUPON_TYPES),
  /** As they were when it was granted. */
  amountType: OneOf(AMOUNT_TYPES),
  preferentialType: OneOf(PREFERENTIAL_TYPES),
  discountAmount: amount,
  rate: amount,
  ratio: amount,
  minAmount: int,
  userId: text,
  userName: text,
  /** What it is used with. */
  orderId: maybe,
  recordId: maybe,
  state: OneOf(GRANT_STATES),
  source: OneOf(GRANT_SOURCES),
  grantTime: text,
  grantBy: text,
  /** The end of its last IST day. */
  expireTime: text,
  useTime: maybe,
  /** Paise it came to: given up of fees, or added to a limit. */
  amount: int,
  revokeReason: maybe,
  version: int,
})

export const listGrants = endpoint({
  method: 'GET',
  path: '/coupon/grant/list',
  access: GRANT_VIEWS,
  menu: 'coupon_list',
  input: ListInput({
    grantId: Type.Optional(Id()),
    couponId: Type.Optional(Id()),
    userId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    recordId: Type.Optional(Id()),
    state: Type.Optional(OneOf(GRANT_STATES)),
    source: Type.Optional(OneOf(GRANT_SOURCES)),
    grantTimeFrom: Type.Optional(Time()),
    grantTimeTo: Type.Optional(Time()),
  }),
  data: ListData(GrantRow),
  summary: 'Coupons granted to customers, with their state',
})

const userIds = Type.Array(Id(), { minItems: 1, maxItems: GRANT_MOST, uniqueItems: true })

export const previewGrant = endpoint({
  method: 'POST',
  path: '/coupon/grant/preview',
  access: ['coupon_list:grant'],
  menu: 'coupon_list',
  /** Pasted text; a sheet is sent as a file beside it or instead. */
  input: Type.Object({ couponId: Id(), list: Type.Optional(Text(0, 200_000)) }, strict),
  files: { name: 'file', least: 0, most: 1, ...GRANT_SHEET },
  data: Type.Object({
    /** Customers who would be given the coupon. */
    userIds: Type.Array(text),
    /** Paise that would be granted at most, and what the budget leaves; null = no budget or cap. */
    worth: amount,
    left: amount,
    excluded: Type.Array(Type.Object({ userId: text, why: OneOf(GRANT_EXCLUSIONS) })),
    excludedCount: int,
  }),
  audit: 'previewGrant',
  summary:
    'Customers of a list or sheet who would be granted a coupon, and why the others would not',
})

export const grantTemplate = endpoint({
  method: 'GET',
  path: '/export/template/coupon',
  access: ['coupon_list:grant'],
  menu: 'coupon_list',
  input: Type.Object({
    format: Type.Optional(OneOf(EXPORT_FORMATS)),
    /** Header of its column. */
    title: Type.Optional(Text(1, 60)),
  }),
  // a file response has no envelope
  data: Type.Null(),
  summary: 'Template of the sheet of customers for a coupon',
})

export const grantCoupon = endpoint({
  method: 'POST',
  path: '/coupon/grant',
  access: GRANTS,
  menu: 'coupon_list',
  input: Type.Object(
    { couponId: Id(), userIds, source: Type.Optional(OneOf(STAFF_SOURCES)) },
    strict,
  ),
  data: BulkData(),
  audit: 'grantCoupon',
  idempotency: 'required',
  summary: 'Grants a coupon to customers: one unused of a kind each, within its budget',
})

export const revokeGrants = endpoint({
  method: 'POST',
  path: '/coupon/revoke',
  access: ['coupon_list:revoke'],
  menu: 'coupon_list',
  input: Type.Object(
    {
      grantIds: Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }),
      reason: Text(4, 200),
    },
    strict,
  ),
  data: BulkData(),
  audit: 'revokeCoupon',
  idempotency: 'required',
  summary: 'Revokes unused coupons of customers',
})
