/** The core behind /api/manage: one line per feature. */
import { buildCore, type Manage, type ManageDeps } from './core.ts'
import { access } from './features/access/feature.ts'
import { announcements } from './features/announcements/feature.ts'
import { approvals } from './features/approvals/feature.ts'
import { collection } from './features/collection/feature.ts'
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
import { search } from './features/search/feature.ts'
import { session } from './features/session/feature.ts'
import { system } from './features/system/feature.ts'
import { tickets } from './features/tickets/feature.ts'
import { views } from './features/views/feature.ts'
import { wall } from './features/wall/feature.ts'
import { jobs } from './jobs/feature.ts'
import type { FeatureSettings, Manifest } from './kernel/feature.ts'
import { type MessageSettings, messageVendorOf } from './vendors/message-settings.ts'
import { type PayoutSettings, payoutVendorOf } from './vendors/payout-settings.ts'

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
  repayments,
  collection,
  tickets,
  wall,
  reports,
]

/**
 * @param messages without them the sandbox vendor plays one, in production none: nobody is told,
 * and what waits for it waits
 * @param machineReview whether the rules of this installation judge applications, or somebody
 * outside does, through /inbound/machineReview
 */
export function buildManage(
  deps: ManageDeps,
  payout: PayoutSettings,
  messages: MessageSettings = { kind: deps.production ? 'none' : 'sandbox' },
  machineReview: FeatureSettings['machineReview'] = 'external',
): Promise<Manage> {
  const { secureCookies, production } = deps
  return buildCore(deps, FEATURES, {
    settings: { secureCookies, production, machineReview },
    vendorsOf: (context, app) => ({
      payout: payoutVendorOf(payout, context, app),
      messages: messageVendorOf(messages),
    }),
  })
}
