/** The vendors of calling robots: that of the installation, and one for each configuration. */
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type AiCallSettings, aiCallVendorOf } from './ai-call-settings.ts'
import type { AiCallVendor } from './ai-call-vendor.ts'
import { httpAiCallVendor } from './http-ai-call-vendor.ts'
import { type VendorsByLane, vendorsByLane } from './routing/vendors-by-lane.ts'
import { watchedCall } from './routing/watched-call.ts'
import { sandboxRobot } from './sandbox-robot.ts'

export type AiCallVendors = VendorsByLane<AiCallVendor>

declare module '#gateway/manage/kernel/feature.ts' {
  interface Vendors {
    aiCalls: AiCallVendors
  }
}

export function aiCallVendorsOf(
  settings: AiCallSettings,
  context: AppContext,
  app: FastifyInstance,
  { allowPrivate }: { allowPrivate: boolean },
): AiCallVendors {
  const installation = aiCallVendorOf(settings, context, app, { allowPrivate })
  const delays = settings.kind === 'sandbox' ? settings : {}
  return vendorsByLane(context, installation, (configuration) => {
    const { cfgId, vendorCode: code, baseUrl, timeoutMs, values } = configuration
    const { keyId = '', secret = '' } = values
    const vendor = configuration.sandbox
      ? sandboxRobot({ ...delays, code }, context, app)
      : httpAiCallVendor({ code, baseUrl, keyId, secret, timeoutMs, allowPrivate })
    return {
      ...vendor,
      start: (order) =>
        watchedCall(
          context,
          cfgId,
          () => vendor.start(order),
          ({ accepted }) => ({ outcome: accepted ? 'ok' : 'refused', error: null }),
        ),
      query: (callId) =>
        watchedCall(
          context,
          cfgId,
          () => vendor.query(callId),
          () => ({ outcome: 'ok', error: null }),
        ),
    }
  })
}
