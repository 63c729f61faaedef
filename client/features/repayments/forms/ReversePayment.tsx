/** Requests the reversal of a received payment. Another person approves it. */
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Effect } from '#client/features/approvals/public.tsx'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { REVERSAL_CAUSES } from '#shared/repayments/payment-sets.ts'
import { previewReversal, reverseRecord } from '#shared/repayments/repayments-api.ts'
import type { RecordRow } from '../payment-types.ts'

export function ReversePayment({
  record,
  onDone,
  onClose,
}: {
  record: RecordRow
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('repayments')
  const request = useSend(reverseRecord)
  const [cause, setCause] = useState<(typeof REVERSAL_CAUSES)[number]>('bounced')
  const { recordId, version } = record
  const preview = useQuery({
    ...queryOf(previewReversal, { recordId, cause }, { quiet: true }),
    retry: false,
  })
  return (
    <ConfirmAction
      isOpen
      intent="danger"
      title={t('reverse.title', { recordId })}
      amount={record.amount}
      reason={{ min: 4, max: 200 }}
      confirmText={t('reverse.submit')}
      onClose={onClose}
      onConfirm={async (reason) => {
        try {
          const { approvalId } = await request.mutateAsync({ recordId, version, cause, reason })
          void showMessage({
            intent: 'success',
            message: t('reverse.done', { approvalId }),
            key: `approval:${approvalId}`,
          })
        } finally {
          // refused because somebody else requested it first: the row shows their request
          onDone()
        }
      }}
    >
      <p>
        {record.userName} · {record.orderId}
      </p>
      <div className="money-kind">
        <Segmented
          label={t('reverse.cause')}
          value={cause}
          segments={REVERSAL_CAUSES.map((value) => ({
            value,
            label: t(`reverse.causes.${value}`),
          }))}
          onChange={setCause}
        />
      </div>
      <p>{t('reverse.effect')}</p>
      {preview.error ? (
        <p className="money-note is-wrong" role="alert">
          {failureText(preview.error)}
        </p>
      ) : null}
      {preview.data ? <Effect effect={preview.data} /> : null}
    </ConfirmAction>
  )
}
