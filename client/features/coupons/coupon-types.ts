import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { RowOf } from '#client/screen/list/list-types.ts'
import type { couponOptions, listCoupons, listGrants } from '#shared/coupons/coupons-api.ts'

export type Coupon = RowOf<typeof listCoupons>
export type Grant = RowOf<typeof listGrants>
export type CouponOption = DataOf<typeof couponOptions>['coupons'][number]
