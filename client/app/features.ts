import * as access from '#client/features/access/screens.ts'
import * as collection from '#client/features/collection/screens.ts'
import * as aiCalls from '#client/features/ai-calls/screens.ts'
import * as announcements from '#client/features/announcements/screens.ts'
import * as coupons from '#client/features/coupons/screens.ts'
import * as customers from '#client/features/customers/screens.ts'
import * as orders from '#client/features/orders/screens.ts'
import * as products from '#client/features/products/screens.ts'
import * as repayments from '#client/features/repayments/screens.ts'
import * as reports from '#client/features/reports/screens.ts'
import * as review from '#client/features/review/screens.ts'
import * as rules from '#client/features/rules/screens.ts'
import * as scheduling from '#client/features/scheduling/screens.ts'
import * as session from '#client/features/session/screens.ts'
import * as system from '#client/features/system/screens.ts'
import * as telemarketing from '#client/features/telemarketing/screens.ts'
import * as tickets from '#client/features/tickets/screens.ts'
import * as vendors from '#client/features/vendors/screens.ts'
import * as wall from '#client/features/wall/screens.ts'
import type { Feature } from '#client/base/feature.ts'
import type { Screens } from '#client/base/screens.ts'

/** One line per feature. */
const FEATURES: readonly Feature[] = [
  session,
  customers,
  orders,
  repayments,
  review,
  collection,
  aiCalls,
  telemarketing,
  coupons,
  tickets,
  wall,
  reports,
  access,
  products,
  vendors,
  announcements,
  system,
  rules,
  scheduling,
]

export const SCREENS: Screens = {
  screens: Object.assign({}, ...FEATURES.map((feature) => feature.screens)),
  details: Object.assign({}, ...FEATURES.map((feature) => feature.details)),
  constants: {
    '/error_log': {
      load: () => import('#client/shell/errors/ErrorLogScreen.tsx'),
      title: 'shell:errors.title',
    },
  },
  statusPages: session.statusPages,
}
