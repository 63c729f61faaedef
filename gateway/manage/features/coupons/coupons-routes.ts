import type { FastifyInstance } from 'fastify'
import * as api from '#shared/coupons/coupons-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { couponList, findOptions } from './coupon-queries.ts'
import { grantCoupon } from './grant-coupon.ts'
import { grantList } from './grant-queries.ts'
import { grantTemplate, previewGrant } from './preview-grant.ts'
import { revokeGrants } from './revoke-grants.ts'
import { addCoupon, editCoupon } from './save-coupon.ts'
import { switchCoupons } from './switch-coupons.ts'

export function couponsRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listCoupons, ({ db }, input) => couponList(db, input))
  serveQuery(app, context, api.couponOptions, ({ db }) => findOptions(db))
  serveQuery(app, context, api.listGrants, ({ db, actor }, input) => grantList(db, actor, input))
  serveQuery(app, context, api.grantTemplate, (_, input) => Promise.resolve(grantTemplate(input)))
  serveUpload(app, context, api.previewGrant, previewGrant)

  serveCommand(app, context, api.addCoupon, async (tx, input) => ({
    couponId: await addCoupon(tx, input),
  }))
  serveCommand(app, context, api.editCoupon, editCoupon)
  serveCommand(app, context, api.setCouponStatus, switchCoupons)
  serveCommand(app, context, api.grantCoupon, grantCoupon)
  serveCommand(app, context, api.revokeGrants, revokeGrants)
}
