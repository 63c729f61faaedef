/** How a row shows that it waits for a second person, and what can be done about it there. */
import type { RowAction } from '#client/ui/GridMenu.tsx'
import { type GridColumn, statusColumn } from '#client/ui/grid-columns.ts'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import type { PendingApprovalRow } from '#shared/approvals/pending-approval.ts'

type Waits = { approval: PendingApprovalRow | null }
type Say = (key: string, params?: Record<string, unknown>) => string

export function approvalColumn<Row extends Waits>(): GridColumn<Row> {
  return statusColumn<Row>({
    id: 'approval',
    exportKind: 'none',
    title: 'ui:approval.title',
    width: 150,
    value: (row) => (row.approval === null ? null : 'pending'),
    word: (_, { t }) => t('ui:approval.waits'),
    tone: () => 'warn',
  })
}

/** Why it cannot be asked for now: it was. Of another kind nothing is said. */
export function askedAlready({ approval }: Waits, kind: ApprovalKindName, t: Say): string | null {
  return approval?.kind === kind
    ? t('ui:approval.asked', { approvalId: approval.approvalId, name: approval.requestBy })
    : null
}

/** Whoever asked takes it back on the row. */
export function withdrawAction(
  { approval }: Waits,
  {
    userId,
    offline,
    t,
    onAsk,
  }: {
    userId: string
    offline: string | null
    t: Say
    onAsk: (approval: PendingApprovalRow) => void
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
          onClick: () => onAsk(approval),
        },
      ]
    : []
}
