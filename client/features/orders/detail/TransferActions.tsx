/** What becomes of the transfer an order waits on, each for those whose code it is (roles.md 2.2): sent again, handled, given up. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/live/use-connection.ts'
import { call } from '#client/session/call.ts'
import { usePermission } from '#client/session/page.tsx'
import { askedAlready } from '#client/shell/waiting-approval.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { previewFailed } from '#shared/orders/disbursement-api.ts'
import type { AskedRetry } from '../disbursement/RetryQuestion.tsx'
import type { OrderDetail } from '../order-types.ts'
import type { Say } from '../order-words.ts'

// bring the form library and the question's parts
const HandleForm = lazy(() =>
  import('../disbursement/HandleForm.tsx').then((m) => ({ default: m.HandleForm })),
)
const RetryQuestion = lazy(() =>
  import('../disbursement/RetryQuestion.tsx').then((m) => ({ default: m.RetryQuestion })),
)

export function TransferActions({
  detail: { order, transfers, allowed },
  onDone,
}: {
  detail: OrderDetail
  onDone: () => void
}): ReactNode {
  const { t } = useTranslation(['orders', 'ui'])
  const say = t as unknown as Say
  const { reason: offline } = useConnection()
  const retries = allowed.includes('RETRY_PAYOUT')
  const cancels = allowed.includes('CANCEL_DISBURSEMENT')
  const mayRetry = usePermission(['wait_relent:redisburse']) && retries
  const mayCancel = usePermission(['wait_relent:cancel']) && cancels
  const mayHandle = usePermission(['wait_relent:handle']) && (retries || cancels)
  const [handling, setHandling] = useState(false)
  const [asked, setAsked] = useState<AskedRetry | null>(null)
  const [last] = transfers
  if (last === undefined || !(mayRetry || mayHandle || mayCancel)) return null
  /** What would happen is asked first; a refusal of the question is shown by the call. */
  const ask = async (action: AskedRetry['action']) => {
    const preview = await call(previewFailed, { orderIds: [order.orderId], action }).catch(
      () => null,
    )
    if (preview) setAsked({ action, ...preview })
  }
  return (
    <div className="transfer-actions">
      {mayRetry && (
        <ActionButton
          icon="redo"
          text={t('wait.redisburse')}
          disabledReason={offline ?? askedAlready(order, 'redisburse', say)}
          onClick={() => ask('redisburse')}
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
          onClick={() => ask('cancel')}
        />
      )}
      <Suspense fallback={null}>
        {handling && (
          <HandleForm transfer={last} onDone={onDone} onClose={() => setHandling(false)} />
        )}
        {asked && <RetryQuestion asked={asked} onDone={onDone} onClose={() => setAsked(null)} />}
      </Suspense>
    </div>
  )
}
