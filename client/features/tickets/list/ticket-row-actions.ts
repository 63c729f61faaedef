import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import type { OpenForm } from '../forms/TicketForms.tsx'
import { actionsOf, type TicketActionId } from '../ticket-rules.ts'
import { can, type TicketRow, type Viewer } from '../ticket-types.ts'
import type { Text } from '#client/base/use-text.ts'

export interface RowActionTools {
  viewer: Viewer
  /** Why nothing can be changed at the moment. */
  offline: string | null
  t: Text
  open: (row: TicketRow) => void
  page: () => void
  claim: () => void
  /** Reveals the phone, for a reason. */
  reveal: () => void
  form: (form: OpenForm) => void
}

export const ACTION_ICONS: Record<TicketActionId, NonNullable<RowAction['icon']>> = {
  claim: 'take-action',
  reply: 'chat',
  resolve: 'tick-circle',
  transfer: 'exchange',
  superior: 'arrow-up',
  approve: 'tick',
  reject: 'cross',
  withdraw: 'reset',
  release: 'undo',
  assign: 'new-person',
  reopen: 'redo',
  stop: 'stop',
}
const SEPARATED: ReadonlySet<TicketActionId> = new Set(['claim', 'approve', 'release', 'stop'])

/**
 * The menu of a row: the actions the person's codes allow, disabled with a reason where the ticket
 * does not.
 */
export function rowActions(
  row: TicketRow,
  { viewer, offline, t, open, page, claim, reveal, form }: RowActionTools,
): RowAction[] {
  const own = actionsOf(row, viewer).map(({ id, refusal }): RowAction => ({
    id,
    text: t(`tickets:action.${id}`),
    icon: ACTION_ICONS[id],
    separated: SEPARATED.has(id),
    disabledReason: refusal
      ? t(`tickets:refused.${refusal.key}`, { name: row.processorName ?? '' })
      : id === 'reply'
        ? null
        : offline,
    onClick: () => {
      if (id === 'claim') claim()
      else if (id === 'reply') open(row)
      else form({ kind: id, rows: [row] })
    },
  }))
  return [
    { id: 'open', text: t('tickets:action.open'), icon: 'document', onClick: () => open(row) },
    { id: 'page', text: t('tickets:action.page'), icon: 'link', onClick: page },
    ...(can(viewer, row.queue, 'reveal')
      ? [
          {
            id: 'reveal',
            text: t('tickets:action.reveal'),
            icon: 'eye-open',
            disabledReason: offline,
            onClick: reveal,
          } as const,
        ]
      : []),
    ...own,
  ]
}
