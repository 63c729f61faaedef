import type { Text } from '#client/base/use-text.ts'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import { actionsOf, type RowActionId } from '../review-rules.ts'
import type { ReviewRow, Viewer } from '../review-types.ts'
import type { OpenForm } from './ReviewForms.tsx'

export interface RowActionTools {
  viewer: Viewer
  held: { count: number; max: number }
  /** Why nothing can be changed now (offline); null = online. */
  offline: string | null
  t: Text
  open: (row: ReviewRow) => void
  claim: (row: ReviewRow) => void
  form: (form: OpenForm) => void
}

const ICONS: Record<RowActionId, RowAction['icon']> = {
  open: 'document',
  claim: 'take-action',
  release: 'undo',
  handover: 'exchange',
  withdraw: 'reset',
  approve: 'tick',
  reject: 'cross',
  assign: 'new-person',
  takeOver: 'swap-horizontal',
  retry: 'redo',
  toQueue: 'send-to',
  quality: 'endorsed',
}

/** Row menu: actions by permission, disabled with a reason where the row does not allow them. */
export function rowActions(row: ReviewRow, tools: RowActionTools): RowAction[] {
  const { viewer, held, offline, t, open, claim, form } = tools
  return actionsOf(row, viewer, held).map(({ id, refusal }) => ({
    id,
    text: t(`review:action.${id}`),
    icon: ICONS[id],
    separated: id === 'assign' || id === 'release',
    disabledReason: refusal
      ? t(`review:refused.${refusal.key}`, { state: t(`review:state.${row.state}`), max: held.max })
      : id === 'open' || id === 'quality'
        ? null
        : offline,
    onClick: () => {
      if (id === 'open' || id === 'quality') open(row)
      else if (id === 'claim') claim(row)
      else form({ kind: id, rows: [row] })
    },
  }))
}
