import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

const id = Type.String()
const maybe = Nullable(id)

/** A coupon was created, edited or switched. */
export const COUPON_CHANGED = liveEvent('coupon.changed', Type.Object({ couponId: id, state: id }))

/** A coupon was granted, used, returned, revoked, or expired, as its state shows. */
export const COUPON_GRANTED = liveEvent(
  'coupon.granted',
  Type.Object({
    couponId: id,
    grantId: id,
    userId: id,
    /** Of what it is used with. */
    orderId: maybe,
    recordId: maybe,
    state: id,
    amount: Type.Integer(),
    useTime: maybe,
  }),
)

/** A node granted a coupon to many customers; the rooms of each receive it. */
export const COUPONS_GRANTED = liveEvent(
  'coupons.granted',
  Type.Object({ couponId: id, count: Type.Integer() }),
)
