import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { httpPayoutVendor, type HttpPayoutSettings } from './http-payout-vendor.ts'
import type { PayoutVendor } from './payout-vendor.ts'
import { sandboxPayoutVendor, type SandboxSettings } from './sandbox-payout-vendor.ts'

/** `none`: nobody is paid, passed orders wait. */
export type PayoutSettings =
  | { kind: 'none' }
  | ({ kind: 'sandbox' } & SandboxSettings)
  | ({ kind: 'http' } & HttpPayoutSettings)

/**
 * The vendor of this process.
 * @param app the sandbox vendor calls its signed callback like any other vendor
 */
export function payoutVendorOf(
  settings: PayoutSettings,
  context: AppContext,
  app: FastifyInstance,
  { allowPrivate = true }: { allowPrivate?: boolean } = {},
): PayoutVendor | null {
  if (settings.kind === 'none') return null
  return settings.kind === 'http'
    ? httpPayoutVendor({ ...settings, allowPrivate })
    : sandboxPayoutVendor(settings, context, app)
}
