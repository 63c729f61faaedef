/** Confirms a booked payment; the dialog shows what that changes. */
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CallError } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { CHANGED_BY_OTHER } from '#shared/kernel/problem.ts'
import { PAYMENT_STATE } from '#shared/repayments/repayment-problems.ts'
import { confirmRecord, previewConfirmation } from '#shared/repayments/repayments-api.ts'
import type { RecordRow } from '../payment-types.ts'
import { codeWord } from '../payment-words.ts'
import { PaymentPreview } from './PaymentPreview.tsx'

export interface PaymentToConfirm {
  record: RecordRow
  result: 'success' | 'fail'
}

export interface ConfirmPaymentProps {
  /** Null = the dialog is closed. */
  payment: PaymentToConfirm | null
  /** Updated rows: the payment as the call returned it, or its current state after a conflict. */
  onRow: (row: RecordRow) => void
  onClose: () => void
}

export function ConfirmPayment({ payment, onRow, onClose }: ConfirmPaymentProps): ReactNode {
  const t = useText('repayments')
  const send = useSend(confirmRecord)
  const isSuccess = payment?.result === 'success'
  const preview = useQuery({
    ...queryOf(previewConfirmation, { recordId: payment?.record.recordId ?? '' }, { quiet: true }),
    enabled: payment !== null && isSuccess,
    retry: false,
    staleTime: 0,
  })

  async function answer({ record, result }: PaymentToConfirm, reason: string): Promise<void> {
    try {
      onRow(
        await send.mutateAsync({
          recordId: record.recordId,
          version: record.version,
          result,
          ...(result === 'fail' ? { failReason: reason } : {}),
        }),
      )
      void showMessage({
        intent: 'success',
        message: t(`confirm.done.${result}`, { recordId: record.recordId }),
        key: `repayment:${record.recordId}`,
      })
    } catch (error) {
      if (
        error instanceof CallError &&
        (error.problem?.id === PAYMENT_STATE.id || error.problem?.id === CHANGED_BY_OTHER.id) &&
        error.data !== null
      ) {
        // the call layer has shown who decided first; nothing is left to confirm
        onRow(error.data as RecordRow)
        return
      }
      throw error
    }
  }
  const record = payment?.record
  return (
    <ConfirmAction
      isOpen={payment !== null}
      intent={isSuccess ? 'success' : 'danger'}
      title={
        payment === null
          ? ''
          : t(`confirm.title.${payment.result}`, { recordId: record?.recordId ?? '' })
      }
      {...(record ? { amount: record.amount } : {})}
      {...(isSuccess ? {} : { reason: { label: t('confirm.reason'), min: 4, max: 200 } })}
      confirmText={payment === null ? '' : t(`confirm.${payment.result}`)}
      onConfirm={(reason) => (payment === null ? Promise.resolve() : answer(payment, reason))}
      onClose={onClose}
    >
      {record && (
        <>
          <p>
            {record.userName ?? '—'} · {record.orderId ?? record.toldOrderId} ·{' '}
            {codeWord('type', record.repaymentType, t)} · {codeWord('channel', record.channel, t)} ·{' '}
            <span className="tabular">{record.utr ?? '—'}</span>
          </p>
          {isSuccess ? (
            <PaymentPreview preview={preview.data} error={preview.error} />
          ) : (
            <p>{t('confirm.failText')}</p>
          )}
        </>
      )}
    </ConfirmAction>
  )
}
