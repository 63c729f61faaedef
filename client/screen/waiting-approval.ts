/** How a row shows a pending approval, and what can be done about it. */
import type { Text } from '#client/base/use-text.ts'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import { statusColumn } from '#client/ui/grid/grid-columns.ts'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import type { PendingApprovalRow } from '#shared/approvals/pending-approval.ts'

type Waits = { approval: PendingApprovalRow | null }
export function approvalColumn<Row extends Waits>(): GridColumn<Row> {
  return statusColumn<Row>({
    id: 'approval',
    exportKind: 'none',
    title: 'ui:approval.title',
    width: 176,
    value: (row) => (row.approval === null ? null : 'pending'),
    word: (_, { t }) => t('ui:approval.waits'),
    tone: () => 'warn',
  })
}

/** Why it cannot be requested now: a request is pending. Null for another kind. */
export function alreadyRequested(
  { approval }: Waits,
  kind: ApprovalKindName,
  t: Text,
): string | null {
  return approval?.kind === kind
    ? t('ui:approval.asked', { approvalId: approval.approvalId, name: approval.requestBy })
    : null
}

/** The requester withdraws it from the row. */
export function withdrawAction(
  { approval }: Waits,
  {
    userId,
    offline,
    t,
    onWithdraw,
  }: {
    userId: string
    offline: string | null
    t: Text
    onWithdraw: (approval: PendingApprovalRow) => void
  },
): RowAction[] {
  return approval?.requestById === userId
    ? [
        {
          id: 'withdrawRequest',
          text: t('ui:approval.withdraw'),
          icon: 'cross',
          separated: true,
          disabledReason: offline,
          onClick: () => onWithdraw(approval),
        },
      ]
    : []
}
