/**
 * Blacklists customers or ends entries: asks for a reason, explains the effect, lists the results.
 */
import type { ReactNode } from 'react'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { useBulk } from '#client/screen/use-bulk.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { addToBlacklist, removeFromBlacklist } from '#shared/customers/customer-list-api.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'

/** `ids`: customers to blacklist, or entries to end. */
export interface BlacklistRequest {
  kind: 'blacklist' | 'unblacklist'
  ids: readonly string[]
  names: readonly string[]
}

const NAMES_SHOWN = 8
const REASON = { min: 4, max: 200 }

export function BlacklistQuestions({
  request,
  onDone,
  onClose,
}: {
  request: BlacklistRequest | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useCustomerText()
  const add = useSend(addToBlacklist)
  const remove = useSend(removeFromBlacklist)
  const kind = request?.kind ?? 'blacklist'
  const { run, refused } = useBulk({
    key: 'blacklist',
    done: (count) => t(kind === 'blacklist' ? 'done.blacklisted' : 'done.ended', { count }),
    onDone,
  })

  const act = (ids: readonly string[], reason: string) =>
    run(ids, async (some) => {
      if (kind === 'unblacklist') return remove.mutateAsync({ blackIds: some, reason })
      const { openOrders, ...result } = await add.mutateAsync({ userIds: some, reason })
      if (openOrders.length > 0)
        void showMessage({
          intent: 'warning',
          message: t('done.openOrders', {
            count: openOrders.length,
            orders: openOrders
              .slice(0, NAMES_SHOWN)
              .map(({ orderId }) => orderId)
              .join(', '),
          }),
          key: 'blacklist-orders',
        })
      return result
    })
  return (
    <>
      <ConfirmAction
        isOpen={request !== null}
        intent={kind === 'blacklist' ? 'danger' : 'primary'}
        title={t(`ask.${kind}`)}
        {...(request !== null && request.ids.length > 1 ? { count: request.ids.length } : {})}
        reason={REASON}
        confirmText={t(`action.${kind}`)}
        onConfirm={(reason) => (request === null ? Promise.resolve() : act(request.ids, reason))}
        onClose={onClose}
      >
        <p>
          <strong>{[...new Set(request?.names)].slice(0, NAMES_SHOWN).join(', ')}</strong>
        </p>
        <p>{t(`means.${kind}`)}</p>
      </ConfirmAction>
      {refused}
    </>
  )
}
