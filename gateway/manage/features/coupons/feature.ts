import { COUPONS_MENU } from '#shared/coupons/coupons-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { couponExpire } from './coupon-expire-job.ts'
import { couponsRoutes } from './coupons-routes.ts'
import { grantCouponJob } from './grant-coupon.ts'
import { revokeGrantsJob } from './revoke-grants.ts'
import { switchCouponsJob } from './switch-coupons.ts'

export const coupons: Feature = {
  menu: COUPONS_MENU,
  schedules: [couponExpire],
  jobTypes: [grantCouponJob, revokeGrantsJob, switchCouponsJob],
  routes: (base, { context }) => couponsRoutes(base, context),
}
