/**
 * Keys inside the rows of a grid; AG Grid itself handles arrow keys and page keys, and selects with
 * Space.
 */
import type { CellKeyDownEvent, GridApi, SuppressKeyboardEventParams } from 'ag-grid-community'
import type { GridTools } from './grid-cells.ts'

export interface GridKeyActions<Row> {
  open: (row: Row, newWindow: boolean) => void
  copyCell: (row: Row, column: string) => void
  copyRows: (rows: readonly Row[]) => void
  menu: (row: Row, at: { x: number; y: number }) => void
}

export function onGridKey<Row>(event: CellKeyDownEvent<Row>, actions: GridKeyActions<Row>): void {
  const { api, node, data } = event
  const key = event.event as KeyboardEvent
  if (data === undefined || key.isComposing) return
  const ctrl = key.ctrlKey || key.metaKey
  const column = event.column.getColId()
  if (key.key === 'Enter') actions.open(data, ctrl)
  else if (ctrl && key.code === 'KeyC' && key.shiftKey) actions.copyRows(chosenRows(api, data))
  // Text selected with the mouse is copied by the browser.
  else if (ctrl && key.code === 'KeyC' && !String(window.getSelection() ?? ''))
    actions.copyCell(data, column)
  else if (key.key === 'ContextMenu' || (key.key === 'F10' && key.shiftKey)) {
    const box = (key.target as HTMLElement).getBoundingClientRect()
    actions.menu(data, { x: box.left + 8, y: box.bottom })
  } else if (key.shiftKey && (key.key === 'ArrowDown' || key.key === 'ArrowUp')) {
    // The grid moves the focus after this: both ends belong to the range.
    const next = api.getDisplayedRowAtIndex(
      (node.rowIndex ?? 0) + (key.key === 'ArrowDown' ? 1 : -1),
    )
    api.setNodesSelected({
      nodes: [node, ...(next ? [next] : [])],
      newValue: true,
      source: 'keyboardEvent' as never,
    })
    return
  } else return
  key.preventDefault()
  key.stopPropagation()
}

/**
 * Home and End stay in the row, with Ctrl they go to the first and last cell (ARIA APG grid
 * pattern); AG Grid would always leave the row.
 */
function takeHomeEnd<Row>({ api, event, node }: SuppressKeyboardEventParams<Row>): boolean {
  if (event.key !== 'Home' && event.key !== 'End') return false
  const columns = api.getAllDisplayedColumns()
  const column = event.key === 'Home' ? columns[0] : columns.at(-1)
  const corner = event.ctrlKey || event.metaKey
  const row = !corner
    ? (node.rowIndex ?? 0)
    : event.key === 'Home'
      ? 0
      : api.getDisplayedRowCount() - 1
  event.preventDefault()
  if (column) {
    api.ensureIndexVisible(row)
    api.ensureColumnVisible(column)
    api.setFocusedCell(row, column)
  }
  return true
}

/**
 * Keys that AG Grid must not handle: Home and End, and Space where it shows the row beside the
 * list; with single keys disabled Space selects again.
 */
export function keepKeys<Row>(params: SuppressKeyboardEventParams<Row, GridTools>): boolean {
  return (
    takeHomeEnd(params) ||
    (params.event.key === ' ' &&
      params.context.peeks() &&
      document.documentElement.dataset.singleKeys !== 'off')
  )
}

function chosenRows<Row>(api: GridApi<Row>, focused: Row): Row[] {
  const selected = api.getSelectedRows()
  return selected.length ? selected : [focused]
}
