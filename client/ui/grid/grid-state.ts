/** Reads sort, order, widths and focus from the grid in our types. */
import type { GridApi } from 'ag-grid-community'
import type { ColumnState } from './column-store.ts'
import type { GridColumn } from './column-types.ts'
import type { SortPart } from './grid-url.ts'

/** For screens with their own keys (J/K, next case). */
export interface GridHandle<Row> {
  focused: () => Row | null
  /** Focuses a row and scrolls to it; false when it is not on the page. */
  focusRow: (id: string) => boolean
  /** Focuses the row that had the focus last, or the first. */
  enter: () => void
  /** One row down or up; returns that row, or null at the end. */
  move: (by: 1 | -1) => Row | null
  /** Focuses the first row after the focused one that matches, around the end of the page. */
  next: (matches: (row: Row) => boolean) => Row | null
  /** Toggles the selection of the focused row. */
  toggleFocused: () => void
  /** Opens the menu of the focused row. */
  openMenu: () => void
  applyPending: () => void
}

/** @param selected called when the selection was changed here */
export function gridHandle<Row>(
  apiOf: () => GridApi<Row> | null,
  apply: () => void,
  menu: (row: Row, rowId: string) => void,
  selected: () => void,
): GridHandle<Row> {
  function focusIndex(index: number): Row | null {
    const api = apiOf()
    const node = api?.getDisplayedRowAtIndex(index)
    const column = api?.getFocusedCell()?.column ?? api?.getAllDisplayedColumns()[0]
    if (!api || !node?.data || !column) return null
    api.ensureIndexVisible(index)
    api.setFocusedCell(index, column)
    return node.data
  }
  const focusedIndex = () => apiOf()?.getFocusedCell()?.rowIndex ?? -1
  return {
    focused: () => apiOf()?.getDisplayedRowAtIndex(focusedIndex())?.data ?? null,
    focusRow: (id) => {
      const index = apiOf()?.getRowNode(id)?.rowIndex
      return index !== null && index !== undefined && focusIndex(index) !== null
    },
    enter: () => void focusIndex(Math.max(0, focusedIndex())),
    move: (by) => focusIndex(focusedIndex() + by),
    next(matches) {
      const count = apiOf()?.getDisplayedRowCount() ?? 0
      for (let step = 1; step <= count; step += 1) {
        const index = (focusedIndex() + step) % count
        const row = apiOf()?.getDisplayedRowAtIndex(index)?.data
        if (row !== undefined && matches(row)) return focusIndex(index)
      }
      return null
    },
    toggleFocused: () => {
      const node = apiOf()?.getDisplayedRowAtIndex(focusedIndex())
      node?.setSelected(!node.isSelected(), false, 'spaceKey')
      selected()
    },
    openMenu: () => {
      const node = apiOf()?.getDisplayedRowAtIndex(focusedIndex())
      if (node?.data && node.id !== undefined) menu(node.data, node.id)
    },
    applyPending: apply,
  }
}

/** The sort the user selected, as the server takes it. */
export function sortOf<Row>(api: GridApi<Row>, columns: readonly GridColumn<Row>[]): SortPart[] {
  return api
    .getColumnState()
    .filter((state) => state.sort)
    .toSorted((a, b) => (a.sortIndex ?? 0) - (b.sortIndex ?? 0))
    .flatMap((state) => {
      const field = columns.find((column) => column.id === state.colId)?.sort
      return field && state.sort ? [{ field, dir: state.sort }] : []
    })
    .slice(0, 3)
}

export function columnsAfterMove<Row>(
  api: GridApi<Row>,
  columns: readonly GridColumn<Row>[],
  before: ColumnState,
): ColumnState {
  const ours = new Set(columns.map((column) => column.id))
  const state = api.getColumnState().filter((column) => ours.has(column.colId))
  return {
    ...before,
    order: state.map((column) => column.colId),
    hidden: state.filter((column) => column.hide).map((column) => column.colId),
    // Dragging over the edge of a pinned part pins and unpins too.
    pinned: Object.fromEntries(
      state.map((column) => [
        column.colId,
        column.pinned === 'left' || column.pinned === 'right' ? column.pinned : 'none',
      ]),
    ),
  }
}

export function columnsAfterResize<Row>(
  api: GridApi<Row>,
  columns: readonly GridColumn<Row>[],
  before: ColumnState,
): ColumnState {
  const ours = new Set(columns.map((column) => column.id))
  const widths = api
    .getColumnState()
    .flatMap((column) =>
      ours.has(column.colId) && column.width
        ? [[column.colId, Math.round(column.width)] as const]
        : [],
    )
  return { ...before, widths: { ...before.widths, ...Object.fromEntries(widths) } }
}
