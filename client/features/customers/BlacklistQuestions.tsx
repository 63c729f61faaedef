/** Puts customers on the blacklist, or ends entries: why, what it means, and what came of it. */
import { type ReactNode, useState } from 'react'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { RefusedRows } from '#client/shell/RefusedRows.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { addToBlacklist, removeFromBlacklist } from '#shared/customers/customer-list-api.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { useSay } from './use-say.ts'

/** `ids` of customers to list, of entries to end. */
export interface AskedBlacklist {
  kind: 'blacklist' | 'unblacklist'
  ids: readonly string[]
  names: readonly string[]
}

const NAMES_SHOWN = 8
const REASON = { min: 4, max: 200 }

export function BlacklistQuestions({ asked, onDone, onClose }: { asked: AskedBlacklist | null; onDone: () => void; onClose: () => void }): ReactNode {
  const t = useSay()
  const add = useSend(addToBlacklist)
  const remove = useSend(removeFromBlacklist)
  const [failed, setFailed] = useState<BulkResult['failed']>([])

  async function act({ kind, ids }: AskedBlacklist, reason: string): Promise<void> {
    const result = kind === 'blacklist' ? await add.mutateAsync({ userIds: [...ids], reason }) : { ...(await remove.mutateAsync({ blackIds: [...ids], reason })), openOrders: [] }
    const said = result.jobId === undefined ? (result.ok.length > 0 ? t(kind === 'blacklist' ? 'done.blacklisted' : 'done.ended', { count: result.ok.length }) : null) : t('done.started')
    if (said !== null) void showMessage({ intent: 'success', message: said, key: 'blacklist' })
    const { openOrders } = result
    if (openOrders.length > 0) void showMessage({ intent: 'warning', message: t('done.openOrders', { count: openOrders.length, orders: openOrders.slice(0, NAMES_SHOWN).map(({ orderId }) => orderId).join(', ') }), key: 'blacklist-orders' })
    setFailed(result.failed)
    onDone()
  }
  const kind = asked?.kind ?? 'blacklist'
  return (
    <>
      <ConfirmAction
        isOpen={asked !== null}
        intent={kind === 'blacklist' ? 'danger' : 'primary'}
        title={t(`ask.${kind}`)}
        {...(asked !== null && asked.ids.length > 1 ? { count: asked.ids.length } : {})}
        reason={REASON}
        confirmText={t(`action.${kind}`)}
        onConfirm={(reason) => (asked === null ? Promise.resolve() : act(asked, reason))}
        onClose={onClose}
      >
        <p><strong>{[...new Set(asked?.names)].slice(0, NAMES_SHOWN).join(', ')}</strong></p>
        <p>{t(`means.${kind}`)}</p>
      </ConfirmAction>
      <RefusedRows failed={failed} onClose={() => setFailed([])} />
    </>
  )
}
