/** Bulk actions for the selected rows. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { showMessage } from '#client/session/messages.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import type { ChosenRows } from '#client/ui/grid/use-grid-selection.ts'
import { can, type ReviewRow, type ReviewTab, type Viewer } from '../review-types.ts'
import { actionsOf, type RowActionId } from '../review-rules.ts'
import type { FormKind, OpenForm } from './ReviewForms.tsx'

interface BulkBarProps {
  tab: ReviewTab
  viewer: Viewer
  chosen: ChosenRows<ReviewRow>
  offline: string | null
  onForm: (form: OpenForm) => void
  onClaim: (reviewIds: readonly string[]) => Promise<void>
  onDone: () => void
}

/** The server's limit per call; it also refuses claims beyond the capacity. */
const CLAIM_LIMIT = 10

export function ReviewBulkBar({
  tab,
  viewer,
  chosen,
  offline,
  onForm,
  onClaim,
  onDone,
}: BulkBarProps): ReactNode {
  const t = useText('review')
  const fit = (rows: readonly ReviewRow[], id: RowActionId) =>
    rows.filter((row) =>
      actionsOf(row, viewer, { count: 0, max: 0 }).some(
        (action) => action.id === id && action.refusal === null,
      ),
    )
  const show = (kind: FormKind) => () =>
    chosen.take((rows) => {
      const fitting = fit(rows, kind)
      if (fitting.length > 0) onForm({ kind, rows: fitting, left: rows.length - fitting.length })
      else
        void showMessage({ intent: 'warning', message: t('refused.noneFits'), key: 'review-done' })
    })
  // nothing is known about rows that are not loaded
  const reason = (id: RowActionId) =>
    offline ??
    (!chosen.allMatching && fit(chosen.rows, id).length === 0 ? t('refused.noneFits') : null)
  const claimable = fit(chosen.rows, 'claim')
  const kinds: FormKind[] = [
    ...(can(viewer, 'claim') && tab !== 'queue' ? (['release'] as const) : []),
    ...(can(viewer, 'assign') ? (['assign'] as const) : []),
    ...((can(viewer, 'handover') && tab !== 'queue') || can(viewer, 'approve')
      ? (['handover'] as const)
      : []),
    ...(tab === 'handover' || can(viewer, 'approve') ? (['approve', 'reject'] as const) : []),
  ]
  return (
    <>
      {can(viewer, 'claim') && (
        <ActionButton
          size="small"
          intent="primary"
          text={t('action.claim')}
          disabledReason={
            reason('claim') ??
            (chosen.allMatching || claimable.length > CLAIM_LIMIT
              ? t('refused.atMost', { max: CLAIM_LIMIT })
              : null)
          }
          onClick={async () => {
            await onClaim(claimable.map((row) => row.reviewId))
            onDone()
          }}
        />
      )}
      {kinds.map((kind) => (
        <ActionButton
          key={kind}
          size="small"
          text={t(`action.${kind}`)}
          disabledReason={reason(kind)}
          onClick={show(kind)}
        />
      ))}
    </>
  )
}
