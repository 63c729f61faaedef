/** The core behind /api/manage: one line per feature. */
import { buildCore, type Manage, type ManageDeps } from './core.ts'
import { aiCalls } from './features/ai-calls/feature.ts'
import { access } from './features/access/feature.ts'
import { announcements } from './features/announcements/feature.ts'
import { approvals } from './features/approvals/feature.ts'
import { collection } from './features/collection/feature.ts'
import { coupons } from './features/coupons/feature.ts'
import { customers } from './features/customers/feature.ts'
import { errors } from './features/errors/feature.ts'
import { exportFiles } from './features/exports/feature.ts'
import { home } from './features/home/feature.ts'
import { orders } from './features/orders/feature.ts'
import { preferences } from './features/preferences/feature.ts'
import { products } from './features/products/feature.ts'
import { repayments } from './features/repayments/feature.ts'
import { reports } from './features/reports/feature.ts'
import { review } from './features/review/feature.ts'
import { rules } from './features/rules/feature.ts'
import { scheduling } from './features/scheduling/feature.ts'
import { search } from './features/search/feature.ts'
import { session } from './features/session/feature.ts'
import { system } from './features/system/feature.ts'
import { telemarketing } from './features/telemarketing/feature.ts'
import { tickets } from './features/tickets/feature.ts'
import { vendors } from './features/vendors/feature.ts'
import { views } from './features/views/feature.ts'
import { voiceCalls } from './features/voice-calls/feature.ts'
import { wall } from './features/wall/feature.ts'
import { jobs } from './jobs/feature.ts'
import type { FeatureSettings, Manifest } from './kernel/feature.ts'
import { type MessageSettings, messageVendorOf } from './vendors/message-settings.ts'
import type { AiCallSettings } from './vendors/ai-call-settings.ts'
import { aiCallVendorsOf } from './vendors/ai-call-vendors.ts'
import { messageVendorsOf } from './vendors/message-vendors.ts'
import type { PayoutSettings } from './vendors/payout-settings.ts'
import { pageVendorsOf } from './vendors/page-vendors.ts'
import { checkVendorsOf } from './vendors/check-vendors.ts'
import { payoutVendorsOf } from './vendors/payout-vendors.ts'
import { voiceVendorsOf } from './vendors/voice-vendors.ts'
import { storageVendorsOf } from './vendors/storage-vendors.ts'

/** In any order. */
const FEATURES: readonly Manifest[] = [
  session,
  jobs,
  preferences,
  errors,
  search,
  announcements,
  exportFiles,
  views,
  system,
  access,
  approvals,
  home,
  orders,
  review,
  customers,
  products,
  vendors,
  repayments,
  collection,
  tickets,
  telemarketing,
  coupons,
  wall,
  reports,
  rules,
  scheduling,
  aiCalls,
  voiceCalls,
]

/**
 * @param messages without them the sandbox vendor plays one, in production none: nothing is sent,
 * and what waits for it waits
 * @param machineReview whether the rules of this installation judge applications, or somebody
 * outside does, through /inbound/machineReview
 * @param aiCallSettings the robot that calls borrowers of apps without services of their own
 * @param privateVendors whether configurations of third parties may be in the own network
 */
export function buildManage(
  deps: ManageDeps,
  payout: PayoutSettings,
  messages: MessageSettings = { kind: deps.production ? 'none' : 'sandbox' },
  machineReview: FeatureSettings['machineReview'] = 'external',
  privateVendors = !deps.production,
  aiCallSettings: AiCallSettings = { kind: deps.production ? 'none' : 'sandbox' },
): Promise<Manage> {
  const { production } = deps
  const allowPrivate = privateVendors
  return buildCore(deps, FEATURES, {
    settings: { production, machineReview, privateVendors },
    vendorsOf: (context, app) => ({
      payout: payoutVendorsOf(payout, context, app, { allowPrivate }),
      messages: messageVendorsOf(context, messageVendorOf(messages, { allowPrivate }), {
        allowPrivate,
      }),
      pages: pageVendorsOf(context, { allowPrivate }),
      checks: checkVendorsOf(context, { allowPrivate }),
      storage: storageVendorsOf(context, { allowPrivate }),
      aiCalls: aiCallVendorsOf(aiCallSettings, context, app, { allowPrivate }),
      voice: voiceVendorsOf(context, app, { allowPrivate }),
    }),
  })
}
