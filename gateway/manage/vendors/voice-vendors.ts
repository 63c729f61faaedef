/**
 * The exchanges of apps, one for each configuration. There is none of the installation: an app
 * without one has people who dial by hand.
 */
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { httpVoiceVendor } from './http-voice-vendor.ts'
import { type VendorsByLane, vendorsByLane } from './routing/vendors-by-lane.ts'
import { watchedCall } from './routing/watched-call.ts'
import { sandboxVoiceVendor } from './sandbox-voice-vendor.ts'
import type { VoiceVendor } from './voice-vendor.ts'

export type VoiceVendors = VendorsByLane<VoiceVendor>

declare module '#gateway/manage/kernel/feature.ts' {
  interface Vendors {
    voice: VoiceVendors
  }
}

/** A person waits for their telephone to ring. */
const ANSWER_WITHIN_MS = 5_000

export function voiceVendorsOf(
  context: AppContext,
  app: FastifyInstance,
  { allowPrivate }: { allowPrivate: boolean },
): VoiceVendors {
  return vendorsByLane<VoiceVendor>(context, null, (configuration) => {
    const { cfgId, vendorCode: code, baseUrl, values } = configuration
    const { keyId = '', secret = '' } = values
    const timeoutMs = Math.min(configuration.timeoutMs, ANSWER_WITHIN_MS)
    const vendor = configuration.sandbox
      ? sandboxVoiceVendor({ code }, context, app)
      : httpVoiceVendor({ code, baseUrl, keyId, secret, timeoutMs, allowPrivate })
    return {
      ...vendor,
      start: (order) =>
        watchedCall(
          context,
          cfgId,
          () => vendor.start(order),
          (answer) =>
            answer.accepted
              ? { outcome: 'ok', error: null }
              : answer.isFault
                ? { outcome: 'failed', error: 'declined' }
                : { outcome: 'refused', error: null },
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
