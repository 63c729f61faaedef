/**
 * Actions for one payment: confirm or fail a booked payment; request the reversal of a received one,
 * or to keep it when its channel took it back; withdraw that request.
 */
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useState } from 'react'
import { WithdrawRequest } from '#client/features/approvals/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import type { PendingApprovalRow } from '#shared/approvals/pending-approval.ts'
import { confirmRecord, keepRecord, reverseRecord } from '#shared/repayments/repayments-api.ts'
import type { PaymentToConfirm } from '../forms/ConfirmPayment.tsx'
import { confirmRefusal, failRefusal } from '../forms/payment-rules.ts'
import { KeepPayment } from '../forms/KeepPayment.tsx'
import { requestRefusal } from '../forms/request-refusal.ts'
import { ReversePayment } from '../forms/ReversePayment.tsx'
import type { RecordRow } from '../payment-types.ts'

/** Whether the user has an action for any of the payments. */
export function useActsOn(records: readonly RecordRow[]): boolean {
  const mayConfirm = usePermission(confirmRecord.access)
  const mayReverse = usePermission(reverseRecord.access)
  const mayKeep = usePermission(keepRecord.access)
  const { user } = useSession()
  return records.some(
    ({ payState, reversedTime, conflictTime, approval }) =>
      (payState === 'inProgress' && mayConfirm) ||
      (payState === 'success' && reversedTime === null && mayReverse) ||
      (conflictTime !== null && mayKeep) ||
      approval?.requestById === user.userId,
  )
}

export function RecordActions({
  record,
  onConfirm,
  onChanged,
}: {
  record: RecordRow
  onConfirm: (payment: PaymentToConfirm) => void
  onChanged: () => void
}): ReactNode {
  const t = useText('repayments')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const mayConfirm = usePermission(confirmRecord.access)
  const mayReverse = usePermission(reverseRecord.access)
  const mayKeep = usePermission(keepRecord.access)
  const [confirming, setConfirming] = useState<'reverse' | 'keep' | null>(null)
  const [withdrawing, setWithdrawing] = useState<PendingApprovalRow | null>(null)
  const why = (key: string | null) => (key === null ? offline : t(key))
  const { approval } = record
  // stays mounted while the row changes behind an open dialog
  const isOwn = approval?.requestById === user.userId || withdrawing !== null
  const takesReversal = record.payState === 'success' && record.reversedTime === null && mayReverse
  const takesKeep = record.conflictTime !== null && mayKeep
  if (takesReversal || takesKeep || isOwn || confirming !== null) {
    return (
      <span className="money-actions">
        {isOwn ? (
          <ActionButton
            size="small"
            variant="outlined"
            icon="cross"
            text={t('ui:approval.withdraw')}
            disabledReason={offline}
            onClick={() => setWithdrawing(approval)}
          />
        ) : (
          <>
            {takesKeep && (
              <ActionButton
                size="small"
                variant="outlined"
                icon="tick"
                text={t('keep.action')}
                disabledReason={offline ?? requestRefusal(record, 'paymentStands', t)}
                onClick={() => setConfirming('keep')}
              />
            )}
            {takesReversal && (
              <ActionButton
                size="small"
                variant="outlined"
                intent="danger"
                icon="undo"
                text={t('reverse.action')}
                disabledReason={offline ?? requestRefusal(record, 'reversePayment', t)}
                onClick={() => setConfirming('reverse')}
              />
            )}
          </>
        )}
        {confirming === 'reverse' && (
          <ReversePayment record={record} onDone={onChanged} onClose={() => setConfirming(null)} />
        )}
        {confirming === 'keep' && (
          <KeepPayment record={record} onDone={onChanged} onClose={() => setConfirming(null)} />
        )}
        {withdrawing === null ? null : (
          <WithdrawRequest
            approval={withdrawing}
            onDone={onChanged}
            onClose={() => setWithdrawing(null)}
          />
        )}
      </span>
    )
  }
  if (record.payState !== 'inProgress' || !mayConfirm) return null
  return (
    <span className="money-actions">
      <ActionButton
        size="small"
        intent="success"
        icon="tick"
        text={t('confirm.success')}
        disabledReason={why(confirmRefusal(record, user.userId))}
        onClick={() => onConfirm({ record, result: 'success' })}
      />
      <ActionButton
        size="small"
        variant="outlined"
        intent="danger"
        icon="cross"
        text={t('confirm.fail')}
        disabledReason={why(failRefusal(record, user.userId))}
        onClick={() => onConfirm({ record, result: 'fail' })}
      />
    </span>
  )
}
