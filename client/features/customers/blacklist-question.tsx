/** Confirmations before customers enter or leave the blacklist, and the messages afterwards. */
import type { Text } from '#client/base/use-text.ts'
import { showMessage } from '#client/session/messages.ts'
import type { addToBlacklist } from '#shared/customers/customer-list-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'

const NAMES_SHOWN = 8
const REASON = { min: 4, max: 200 }

export function blacklistQuestion(
  kind: 'blacklist' | 'unblacklist',
  names: readonly string[],
  t: Text,
) {
  return {
    intent: kind === 'blacklist' ? ('danger' as const) : ('primary' as const),
    title: t(`ask.${kind}`),
    reason: REASON,
    body: (
      <>
        <p>
          <strong>{[...new Set(names)].slice(0, NAMES_SHOWN).join(', ')}</strong>
        </p>
        <p>{t(`means.${kind}`)}</p>
      </>
    ),
  }
}

/** Open orders of blacklisted customers stay as they are. */
export function showOpenOrders(orders: DataOf<typeof addToBlacklist>['openOrders'], t: Text): void {
  if (orders.length === 0) return
  void showMessage({
    intent: 'warning',
    message: t('done.openOrders', {
      count: orders.length,
      orders: orders
        .slice(0, NAMES_SHOWN)
        .map(({ orderId }) => orderId)
        .join(', '),
    }),
    key: 'blacklist-orders',
  })
}
