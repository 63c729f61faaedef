/**
 * Actions on the transfer an order waits on: retry, handle, give up. Each needs its own button
 * permission.
 */
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { call } from '#client/session/call.ts'
import { usePermission } from '#client/session/page.tsx'
import { useBulk } from '#client/screen/use-bulk.tsx'
import { alreadyRequested } from '#client/screen/waiting-approval.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import {
  cancelDisbursement,
  handleTransfer,
  previewFailed,
  redisburse,
} from '#shared/orders/disbursement-api.ts'
import type { RetryRequest } from '../disbursement/RetryQuestion.tsx'
import type { OrderDetail } from '../order-types.ts'

// these load the form library and the dialog parts
const HandleForm = lazyPart(() =>
  import('../disbursement/HandleForm.tsx').then((m) => ({ default: m.HandleForm })),
)
const RetryQuestion = lazyPart(() =>
  import('../disbursement/RetryQuestion.tsx').then((m) => ({ default: m.RetryQuestion })),
)

export function TransferActions({
  detail: { order, transfers, allowed },
  onDone,
}: {
  detail: OrderDetail
  onDone: () => void
}): ReactNode {
  const t = useText('orders')
  const { reason: offline } = useConnection()
  const retries = allowed.includes('RETRY_PAYOUT')
  const cancels = allowed.includes('CANCEL_DISBURSEMENT')
  const mayRetry = usePermission(redisburse.access) && retries
  const mayCancel = usePermission(cancelDisbursement.access) && cancels
  const mayHandle = usePermission(handleTransfer.access) && (retries || cancels)
  const [handling, setHandling] = useState(false)
  const [confirming, setConfirming] = useState<RetryRequest | null>(null)
  // a single refused order keeps the question open, with its reason
  const { run } = useBulk({ key: 'wait', onDone })
  const [last] = transfers
  if (last === undefined || !(mayRetry || mayHandle || mayCancel)) return null
  /** Opens the preview first; if the preview is refused, the request layer shows the error. */
  const previewRetry = async (action: RetryRequest['action']) => {
    const preview = await call(previewFailed, { orderIds: [order.orderId], action }).catch(
      () => null,
    )
    if (preview) setConfirming({ action, ...preview })
  }
  return (
    <div className="transfer-actions">
      {mayRetry && (
        <ActionButton
          icon="redo"
          text={t('wait.redisburse')}
          disabledReason={offline ?? alreadyRequested(order, 'redisburse', t)}
          onClick={() => previewRetry('redisburse')}
        />
      )}
      {mayHandle && (
        <ActionButton
          icon="take-action"
          text={t('wait.handle')}
          disabledReason={offline}
          onClick={() => setHandling(true)}
        />
      )}
      {mayCancel && (
        <ActionButton
          icon="ban-circle"
          intent="danger"
          variant="outlined"
          text={t('wait.cancel')}
          disabledReason={offline}
          onClick={() => previewRetry('cancel')}
        />
      )}
      {handling && (
        <HandleForm transfer={last} onDone={onDone} onClose={() => setHandling(false)} />
      )}
      {confirming && (
        <RetryQuestion request={confirming} run={run} onClose={() => setConfirming(null)} />
      )}
    </div>
  )
}
