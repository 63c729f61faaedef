/** The payout vendors there are: that of the installation, and one for each configuration. */
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { httpPayoutVendor } from './http-payout-vendor.ts'
import { type PayoutSettings, payoutVendorOf } from './payout-settings.ts'
import type { PayoutVendor } from './payout-vendor.ts'
import { type VendorLane, type VendorsByLane, vendorsByLane } from './routing/vendors-by-lane.ts'
import { watchedCall } from './routing/watched-call.ts'
import { sandboxPayoutVendor } from './sandbox-payout-vendor.ts'

export type PayoutLane = VendorLane
export type PayoutVendors = VendorsByLane<PayoutVendor>

declare module '#gateway/manage/kernel/feature.ts' {
  interface Vendors {
    payout: PayoutVendors
  }
}

export function payoutVendorsOf(
  settings: PayoutSettings,
  context: AppContext,
  app: FastifyInstance,
  { allowPrivate }: { allowPrivate: boolean },
): PayoutVendors {
  const installation = payoutVendorOf(settings, context, app, { allowPrivate })
  const delays = settings.kind === 'sandbox' ? settings : {}
  return vendorsByLane(context, installation, (configuration) => {
    const { cfgId, vendorCode: code, baseUrl, timeoutMs, values } = configuration
    const { keyId = '', secret = '' } = values
    const vendor = configuration.sandbox
      ? sandboxPayoutVendor({ ...delays, code }, context, app)
      : httpPayoutVendor({ code, baseUrl, keyId, secret, timeoutMs, allowPrivate })
    return watched(context, cfgId, vendor)
  })
}

function watched(context: AppContext, cfgId: string, vendor: PayoutVendor): PayoutVendor {
  return {
    code: vendor.code,
    send: (instruction) =>
      watchedCall(
        context,
        cfgId,
        () => vendor.send(instruction),
        (answer) =>
          answer.accepted
            ? { outcome: 'ok', error: null }
            : answer.final
              ? { outcome: 'refused', error: null }
              : { outcome: 'failed', error: 'declined' },
      ),
    query: (platformOrderNo) =>
      watchedCall(
        context,
        cfgId,
        () => vendor.query(platformOrderNo),
        () => ({ outcome: 'ok', error: null }),
      ),
    settle: () => vendor.settle(),
    close: () => vendor.close(),
  }
}
