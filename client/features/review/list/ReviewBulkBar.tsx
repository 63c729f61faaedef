/** What can be done with the selected rows. */
import type { ReactNode } from 'react'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { useSay } from '../use-say.ts'
import { can, type ReviewRow, type ReviewTab, type Viewer } from '../review-types.ts'
import { actionsOf, type RowActionId } from '../review-rules.ts'
import type { FormKind, OpenForm } from './ReviewForms.tsx'

interface BulkBarProps {
  tab: ReviewTab
  viewer: Viewer
  rows: readonly ReviewRow[]
  offline: string | null
  onForm: (form: OpenForm) => void
  onClaim: (reviewIds: readonly string[]) => Promise<void>
  onDone: () => void
}

/** The server takes at most these at once; more claims than the capacity are refused there. */
const CLAIM_LIMIT = 10
const ROW_LIMIT = 50

export function ReviewBulkBar({ tab, viewer, rows, offline, onForm, onClaim, onDone }: BulkBarProps): ReactNode {
  const t = useSay()
  const fit = (id: RowActionId) => rows.filter((row) => actionsOf(row, viewer, { count: 0, max: 0 }).some((action) => action.id === id && action.refusal === null))
  const show = (kind: FormKind) => () => onForm({ kind, rows: fit(kind).slice(0, ROW_LIMIT) })
  const reason = (id: RowActionId) => offline ?? (fit(id).length === 0 ? t('refused.noneFits') : null)
  const claimable = fit('claim')
  const kinds: FormKind[] = [
    ...(can(viewer, 'claim') && tab !== 'queue' ? (['release'] as const) : []),
    ...(can(viewer, 'assign') ? (['assign'] as const) : []),
    ...((can(viewer, 'handover') && tab !== 'queue') || can(viewer, 'approve') ? (['handover'] as const) : []),
    ...(tab === 'handover' || can(viewer, 'approve') ? (['approve', 'reject'] as const) : []),
  ]
  return (
    <>
      {can(viewer, 'claim') && (
        <ActionButton
          size="small"
          intent="primary"
          text={t('action.claim')}
          disabledReason={reason('claim') ?? (claimable.length > CLAIM_LIMIT ? t('refused.atMost', { max: CLAIM_LIMIT }) : null)}
          onClick={async () => {
            await onClaim(claimable.map((row) => row.reviewId))
            onDone()
          }}
        />
      )}
      {kinds.map((kind) => (
        <ActionButton key={kind} size="small" text={t(`action.${kind}`)} disabledReason={reason(kind)} onClick={show(kind)} />
      ))}
    </>
  )
}
