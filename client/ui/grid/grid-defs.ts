/**
 * Turns our columns into AG Grid's, with the user's arrangement and the current sort. The server
 * sorts; the grid shows the arrows.
 */
import type { ColDef, SelectionColumnDef } from 'ag-grid-community'
import type { ColumnPreset, ColumnState } from './column-store.ts'
import { placeColumns } from './column-store.ts'
import { type GridTools, MenuCell, PresenceCell } from './grid-cells.ts'
import type { GridColumn } from './column-types.ts'
import { headerWidth } from './header-width.ts'
import { keepKeys } from './grid-keys.ts'
import type { SortPart } from './grid-url.ts'

export const PRESENCE_COLUMN = 'presence'
export const MENU_COLUMN = 'menu'

/** 32 px in every size: the whole cell is the checkbox. */
export const SELECTION_COLUMN: SelectionColumnDef = {
  width: 32,
  minWidth: 32,
  maxWidth: 32,
  pinned: 'left',
  resizable: false,
  suppressMovable: true,
  sortable: false,
  cellClass: 'cell-select',
  headerClass: 'cell-select',
  suppressHeaderMenuButton: true,
  suppressKeyboardEvent: keepKeys,
}

export function presetsOf<Row>(columns: readonly GridColumn<Row>[]): ColumnPreset[] {
  return columns.map(({ id, hidden, pin, width }) => ({ id, hidden, pin, width }))
}

export interface GridDefsInput<Row> {
  columns: readonly GridColumn<Row>[]
  state: ColumnState
  sort: readonly SortPart[]
  tools: GridTools
  /** Of the page's texts. */
  size: string
  withPresence: boolean
  withMenu: boolean
  /** Whether the current patch of a cell made it worse: amber instead of green. */
  isWorse: (id: string, column: string) => boolean
}

export function columnDefs<Row>({
  columns,
  state,
  sort,
  tools,
  size,
  withPresence,
  withMenu,
  isWorse,
}: GridDefsInput<Row>): ColDef<Row>[] {
  const byId = new Map(columns.map((column) => [column.id, column]))
  const defs = placeColumns(presetsOf(columns), state).map((placed): ColDef<Row> => {
    const column = byId.get(placed.id) as GridColumn<Row>
    const at = sort.findIndex((part) => part.field === column.sort)
    const right = column.align === 'right'
    const title = tools.t(column.title)
    // a width the user gave stays
    const isGiven = state.widths[column.id] !== undefined
    return {
      colId: column.id,
      headerName: title,
      headerTooltip: title,
      headerClass: right ? 'ag-right-aligned-header' : undefined,
      valueGetter: ({ data }) => (data === undefined ? undefined : column.value(data)),
      valueFormatter: ({ data }) => (data ? column.text(data, tools) : ''),
      tooltipValueGetter: ({ data }) => (data ? column.tip?.(data, tools) || undefined : undefined),
      cellRenderer: column.renderer,
      cellRendererParams: { of: column },
      cellClass: ({ data }) =>
        [
          right ? 'cell-right' : column.align === 'center' ? 'cell-center' : '',
          data && column.className ? column.className(data) : '',
        ].filter(Boolean),
      cellClassRules:
        column.upIsWorse === undefined
          ? undefined
          : { 'flash-worse': ({ node }) => isWorse(node.id ?? '', column.id) },
      enableCellChangeFlash: !column.since,
      hide: placed.hidden,
      pinned: placed.pin,
      width: isGiven
        ? placed.width
        : Math.max(placed.width, headerWidth(title, column.sort !== undefined, size)),
      minWidth: 40,
      maxWidth: 900,
      sortable: column.sort !== undefined,
      // The rows arrive sorted and the grid must not reorder them.
      comparator: () => 0,
      sort: at < 0 ? null : (sort[at]?.dir ?? null),
      sortIndex: at < 0 || sort.length < 2 ? null : at,
    }
  })
  const seenBy = tools.t('ui:grid.seenBy')
  if (withPresence)
    defs.push({
      colId: PRESENCE_COLUMN,
      headerName: seenBy,
      headerTooltip: seenBy,
      width: Math.max(84, headerWidth(seenBy, false, size)),
      minWidth: 62,
      sortable: false,
      resizable: false,
      cellRenderer: PresenceCell,
      cellRendererParams: { of: null },
      valueGetter: () => '',
      lockPosition: 'right',
    })
  if (withMenu)
    defs.push({
      colId: MENU_COLUMN,
      headerName: tools.t('ui:grid.rowActions'),
      headerTooltip: tools.t('ui:grid.rowActions'),
      pinned: 'right',
      width: 44,
      minWidth: 44,
      maxWidth: 44,
      sortable: false,
      resizable: false,
      suppressMovable: true,
      lockPosition: 'right',
      cellRenderer: MenuCell,
      cellRendererParams: { of: null },
      cellClass: 'cell-actions',
      headerClass: 'cell-actions',
      valueGetter: () => '',
    })
  return defs
}
