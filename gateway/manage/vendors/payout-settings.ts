import type { FastifyInstance } from 'fastify'
import type { House } from '#gateway/manage/kernel/house.ts'
import { httpPayoutVendor, type HttpPayoutSettings } from './http-payout-vendor.ts'
import type { PayoutVendor } from './payout-vendor.ts'
import { sandboxPayoutVendor, type SandboxSettings } from './sandbox-payout-vendor.ts'

export type PayoutSettings = ({ kind: 'sandbox' } & SandboxSettings) | ({ kind: 'http' } & HttpPayoutSettings)

/** The vendor of this process. @param app the sandbox vendor calls its signed callback like any other vendor */
export function payoutVendorOf(settings: PayoutSettings, house: House, app: FastifyInstance): PayoutVendor {
  return settings.kind === 'http' ? httpPayoutVendor(settings) : sandboxPayoutVendor(settings, house, app)
}
