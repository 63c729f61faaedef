/** Actions on the selected tickets, including those on other pages. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { showMessage } from '#client/session/messages.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import type { ChosenRows } from '#client/ui/grid/use-grid-selection.ts'
import type { FormKind, OpenForm } from '../forms/TicketForms.tsx'
import { actionsOf } from '../ticket-rules.ts'
import {
  canSome,
  type TicketQueue,
  type TicketRow,
  type TicketTab,
  type Viewer,
} from '../ticket-types.ts'

interface BulkBarProps {
  tab: TicketTab
  queue: TicketQueue | null
  viewer: Viewer
  chosen: ChosenRows<TicketRow>
  offline: string | null
  onForm: (form: OpenForm) => void
}

type BulkKind = Extract<FormKind, 'assign' | 'transfer' | 'approve' | 'reject'>

export function TicketBulkBar({
  tab,
  queue,
  viewer,
  chosen,
  offline,
  onForm,
}: BulkBarProps): ReactNode {
  const t = useText('tickets')
  const kinds: BulkKind[] = [
    ...(tab !== 'finished' && tab !== 'handover' && canSome(viewer, queue, 'distribute')
      ? (['assign'] as const)
      : []),
    ...(tab !== 'finished' && tab !== 'handover' && canSome(viewer, queue, 'transfer')
      ? (['transfer'] as const)
      : []),
    ...(tab === 'handover' || canSome(viewer, queue, 'decide')
      ? (['approve', 'reject'] as const)
      : []),
  ]
  return kinds.map((kind) => (
    <ActionButton
      key={kind}
      size="small"
      text={t(`action.${kind}`)}
      disabledReason={
        offline ??
        (!chosen.allMatching && fitting(chosen.rows, kind, viewer).length === 0
          ? t('refused.noneFits')
          : null)
      }
      onClick={() =>
        chosen.take((rows) => {
          const fit = fitting(rows, kind, viewer)
          if (fit.length > 0) onForm({ kind, rows: fit, left: rows.length - fit.length })
          else
            void showMessage({
              intent: 'warning',
              message: t('refused.noneFits'),
              key: 'ticket-done',
            })
        })
      }
    />
  ))
}

/**
 * Selected rows that allow the action, all of one queue because the form lists the people of one
 * queue.
 */
function fitting(rows: readonly TicketRow[], kind: BulkKind, viewer: Viewer): TicketRow[] {
  const fit = rows.filter((row) =>
    actionsOf(row, viewer).some((action) => action.id === kind && action.refusal === null),
  )
  return kind === 'assign' || kind === 'transfer'
    ? fit.filter((row) => row.queue === fit[0]?.queue)
    : fit
}
