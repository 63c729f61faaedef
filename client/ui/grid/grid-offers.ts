/**
 * The shortcuts of a list and the actions of its current row, for the palette and the list of `?`.
 */
import type { GridApi, IRowNode } from 'ag-grid-community'
import type { RowAction } from './GridMenu.tsx'
import type { OfferedAction, OfferedKey } from '#client/ui/frame/offers.ts'

interface Has {
  opens: boolean
  selects: boolean
  peeks: boolean
  acts: boolean
}

export function gridKeys({ opens, selects, peeks, acts }: Has): OfferedKey[] {
  return [
    { code: 'Period', labelKey: 'ui:keys.apply' },
    ...(opens
      ? ([
          { code: 'Enter', labelKey: 'ui:keys.open' },
          { code: 'Control+Enter', labelKey: 'ui:keys.openBeside' },
        ] as const)
      : []),
    ...(selects && !peeks ? ([{ code: 'Space', labelKey: 'ui:keys.select' }] as const) : []),
    ...(selects
      ? ([
          { code: 'Shift+ArrowDown', labelKey: 'ui:keys.range' },
          { code: 'Shift+ArrowUp', labelKey: 'ui:keys.range' },
        ] as const)
      : []),
    ...(acts ? ([{ code: 'Shift+F10', labelKey: 'ui:keys.rowMenu' }] as const) : []),
    { code: 'Control+KeyC', labelKey: 'ui:keys.copyCell' },
    { code: 'Control+Shift+KeyC', labelKey: 'ui:keys.copyRows' },
  ]
}

interface Offered<Row> {
  api: GridApi<Row> | null
  /** The row shown beside the list. */
  openId: string | null
  pending: number
  text: (
    key: 'keys.apply' | 'keys.nothingWaits' | 'keys.open' | 'keys.copyCell' | 'keys.copyRows',
  ) => string
  /** The label of a row. */
  nameOf: (row: Row) => string
  apply: () => void
  open: ((row: Row) => void) | null
  copyCell: ((row: Row, column: string) => void) | null
  copyRows: (rows: readonly Row[]) => void
  actionsOf: ((row: Row) => readonly RowAction[]) | null
}

export function gridActions<Row>({
  api,
  openId,
  pending,
  text,
  nameOf,
  apply,
  open,
  copyCell,
  copyRows,
  actionsOf,
}: Offered<Row>): OfferedAction[] {
  const waiting: OfferedAction = {
    id: 'apply',
    text: text('keys.apply'),
    code: 'Period',
    disabledReason: pending === 0 ? text('keys.nothingWaits') : null,
    run: apply,
  }
  const node = api ? rowInHand(api, openId) : null
  const row = node?.data
  if (!api || !row) return [waiting]
  const note = nameOf(row)
  const column = api.getFocusedCell()?.column.getColId()
  const selected = api.getSelectedRows()
  return [
    ...(actionsOf?.(row) ?? []).map((action): OfferedAction => ({
      id: `row-${action.id}`,
      text: action.text,
      note,
      disabledReason: action.disabledReason || null,
      run: action.onClick,
    })),
    ...(open
      ? [{ id: 'open', text: text('keys.open'), note, code: 'Enter', run: () => open(row) }]
      : []),
    ...(copyCell && column !== undefined
      ? [
          {
            id: 'copy-cell',
            text: text('keys.copyCell'),
            note,
            code: 'Control+KeyC',
            run: () => copyCell(row, column),
          },
        ]
      : []),
    {
      id: 'copy-rows',
      text: text('keys.copyRows'),
      code: 'Control+Shift+KeyC',
      run: () => copyRows(selected.length > 0 ? selected : [row]),
    },
    waiting,
  ]
}

/** The focused row, else the only selected one, else the one shown beside. */
function rowInHand<Row>(api: GridApi<Row>, openId: string | null): IRowNode<Row> | null {
  const focused = api.getFocusedCell()
  const selected = api.getSelectedNodes()
  return (
    (focused ? api.getDisplayedRowAtIndex(focused.rowIndex) : undefined) ??
    (selected.length === 1 ? selected[0] : undefined) ??
    (openId === null ? undefined : api.getRowNode(openId)) ??
    null
  )
}
