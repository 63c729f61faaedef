import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryKeyOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { listApprovals, withdrawApproval } from '#shared/approvals/approvals-api.ts'
import type { PendingApprovalRow } from '#shared/approvals/pending-approval.ts'

/** Confirms the withdrawal of an own request. */
export function WithdrawRequest({
  approval,
  onDone,
  onClose,
}: {
  approval: PendingApprovalRow
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('approvals')
  const queries = useQueryClient()
  const withdraw = useSend(withdrawApproval)
  const { approvalId, kind, version } = approval
  return (
    <ConfirmAction
      isOpen
      intent="primary"
      title={t('ask.withdraw')}
      confirmText={t('withdraw')}
      onClose={onClose}
      onConfirm={async () => {
        try {
          await withdraw.mutateAsync({ approvalId, version })
          void showMessage({
            intent: 'success',
            message: t('done.withdraw', { approvalId }),
            key: `approval:${approvalId}`,
          })
        } finally {
          void queries.invalidateQueries({ queryKey: queryKeyOf(listApprovals) })
          onDone()
        }
      }}
    >
      <p>
        {t(`kind.${kind}`)} <span className="tabular">{approvalId}</span>
      </p>
    </ConfirmAction>
  )
}
