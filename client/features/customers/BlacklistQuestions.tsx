/** Puts customers on the blacklist, or ends entries: why, what it means, and what came of it. */
import type { ReactNode } from 'react'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { useBulk } from '#client/shell/use-bulk.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { addToBlacklist, removeFromBlacklist } from '#shared/customers/customer-list-api.ts'
import { useSay } from './use-say.ts'

/** `ids` of customers to list, of entries to end. */
export interface AskedBlacklist {
  kind: 'blacklist' | 'unblacklist'
  ids: readonly string[]
  names: readonly string[]
}

const NAMES_SHOWN = 8
const REASON = { min: 4, max: 200 }

export function BlacklistQuestions({
  asked,
  onDone,
  onClose,
}: {
  asked: AskedBlacklist | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useSay()
  const add = useSend(addToBlacklist)
  const remove = useSend(removeFromBlacklist)
  const kind = asked?.kind ?? 'blacklist'
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
        isOpen={asked !== null}
        intent={kind === 'blacklist' ? 'danger' : 'primary'}
        title={t(`ask.${kind}`)}
        {...(asked !== null && asked.ids.length > 1 ? { count: asked.ids.length } : {})}
        reason={REASON}
        confirmText={t(`action.${kind}`)}
        onConfirm={(reason) => (asked === null ? Promise.resolve() : act(asked.ids, reason))}
        onClose={onClose}
      >
        <p>
          <strong>{[...new Set(asked?.names)].slice(0, NAMES_SHOWN).join(', ')}</strong>
        </p>
        <p>{t(`means.${kind}`)}</p>
      </ConfirmAction>
      {refused}
    </>
  )
}
