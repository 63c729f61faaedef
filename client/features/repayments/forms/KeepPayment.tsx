/**
 * Requests to keep a payment that its channel later reported as failed. Another person approves.
 */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { keepRecord } from '#shared/repayments/repayments-api.ts'
import type { RecordRow } from '../payment-types.ts'

export function KeepPayment({
  record: { recordId, version, amount, userName, orderId },
  onDone,
  onClose,
}: {
  record: RecordRow
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('repayments')
  const request = useSend(keepRecord)
  return (
    <ConfirmAction
      isOpen
      intent="primary"
      title={t('keep.title', { recordId })}
      amount={amount}
      reason={{ min: 4, max: 200 }}
      confirmText={t('reverse.submit')}
      onClose={onClose}
      onConfirm={async (reason) => {
        try {
          const { approvalId } = await request.mutateAsync({ recordId, version, reason })
          void showMessage({
            intent: 'success',
            message: t('reverse.done', { approvalId }),
            key: `approval:${approvalId}`,
          })
        } finally {
          // a refusal may mean that another user made the request first
          onDone()
        }
      }}
    >
      <p>
        {userName} · {orderId}
      </p>
      <p>{t('keep.effect')}</p>
    </ConfirmAction>
  )
}
