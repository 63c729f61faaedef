/** What other features may use of coupons. */
export { type Coupon, findCoupon, findOptions as readCouponOptions } from './coupon-queries.ts'
export { hasUnused as hasUnusedCoupon } from './coupon-store.ts'
export { giveCoupon, type Giving } from './give-coupon.ts'
export { type CouponOutcome, giveCoupons } from './give-coupons.ts'
export { type Grant as CouponGrant, readGrants as readCouponGrants } from './grant-store.ts'
export {
  couponOf,
  couponOfRecord,
  giveBackOfOrder,
  giveBackOfRecord,
  reviseCoupons,
  takeCoupon,
  unfitReason,
  unusedOf as unusedCouponsOf,
  useCoupon,
} from './use-coupon.ts'
