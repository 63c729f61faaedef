/** Blacklists a customer or ends an entry: asks for a reason and explains the effect. */
import type { ReactNode } from 'react'
import { useSend } from '#client/session/query.ts'
import { useBulk } from '#client/screen/use-bulk.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { addToBlacklist, removeFromBlacklist } from '#shared/customers/customer-list-api.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { blacklistQuestion, showOpenOrders } from './blacklist-question.tsx'

/** `id`: the customer to blacklist, or the entry to end. */
export interface BlacklistRequest {
  kind: 'blacklist' | 'unblacklist'
  id: string
  name: string
}

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
  // a single refused row keeps the question open, with its reason
  const { run } = useBulk({
    key: 'blacklist',
    done: (count) => t(kind === 'blacklist' ? 'done.blacklisted' : 'done.ended', { count }),
    onDone,
  })
  const { body, ...question } = blacklistQuestion(kind, request ? [request.name] : [], t)

  const act = (id: string, reason: string) =>
    run([id], async (ids) => {
      if (kind === 'unblacklist') return remove.mutateAsync({ blackIds: ids, reason })
      const { openOrders, ...result } = await add.mutateAsync({ userIds: ids, reason })
      showOpenOrders(openOrders, t)
      return result
    })
  return (
    <ConfirmAction
      isOpen={request !== null}
      {...question}
      confirmText={t(`action.${kind}`)}
      onConfirm={(reason) => (request === null ? Promise.resolve() : act(request.id, reason))}
      onClose={onClose}
    >
      {body}
    </ConfirmAction>
  )
}
