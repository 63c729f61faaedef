/** The rows of a list: AG Grid with its options, and its events in the terms of `DataGrid`. */
import type {
  CellClickedEvent,
  CellDoubleClickedEvent,
  CellKeyDownEvent,
  ColDef,
  ColumnMovedEvent,
  ColumnResizedEvent,
  GetLocaleTextParams,
  GetRowIdParams,
  GridApi,
  RowClassParams,
  SelectionChangedEvent,
  SortChangedEvent,
} from 'ag-grid-community'
import { type ReactNode, type RefObject, useCallback, useMemo } from 'react'
import { translate } from '#client/base/i18n.ts'
import { useLanguage } from '#client/base/use-text.ts'
import { copyText } from '#client/ui/value/copy.ts'
import { type ColumnState, writeColumns } from './column-store.ts'
import type { DataGridProps } from './data-grid-types.ts'
import { FRAME_MS } from './grid-binding.ts'
import type { GridTools } from './grid-cells.ts'
import { copyRows } from './grid-copy.ts'
import { SELECTION_COLUMN } from './grid-defs.ts'
import { onGridKey } from './grid-keys.ts'
import { AgGridReact, gridTheme, styleNonce } from './grid-modules.ts'
import { DEFAULT_COLUMN, ROW_CLASSES, ROW_SELECTION, USER_SELECTS } from './grid-options.ts'
import { columnsAfterMove, columnsAfterResize, sortOf } from './grid-state.ts'

/** The open menu of a row, and the element that gets the focus back. */
export interface RowMenu<Row> {
  row: Row
  at: { x: number; y: number }
  from: Element | null
}

export interface GridRowsProps<Row extends object> {
  list: DataGridProps<Row>
  /** The newest props, for callbacks that AG Grid keeps. */
  latest: RefObject<{ props: DataGridProps<Row> }>
  defs: ColDef<Row>[]
  tools: GridTools
  columnState: ColumnState
  onApi: (api: GridApi<Row> | null) => void
  onMenu: (menu: RowMenu<Row>) => void
  onSelect: () => void
  onOpen: (row: Row, newWindow: boolean) => void
  copyCell: (row: Row, column: string) => void
}

export function GridRows<Row extends object>({
  list,
  latest,
  defs,
  tools,
  columnState,
  onApi,
  onMenu,
  onSelect,
  onOpen,
  copyCell,
}: GridRowsProps<Row>): ReactNode {
  const language = useLanguage()
  const reduced = useMemo(
    () =>
      window.matchMedia('(prefers-reduced-motion: reduce)').matches ||
      document.documentElement.dataset.motion === 'off',
    [],
  )
  const onKey = useCallback(
    (event: CellKeyDownEvent<Row>) =>
      onGridKey(event, {
        open: onOpen,
        copyCell,
        copyRows: (rows) =>
          void copyText(copyRows(rows, latest.current.props.columns, event.api, tools)),
        menu: (row, at) =>
          latest.current.props.rowActions && onMenu({ row, at, from: document.activeElement }),
      }),
    [onOpen, copyCell, tools, latest, onMenu],
  )
  const onClick = useCallback(
    (event: CellClickedEvent<Row>) => {
      const mouse = event.event as MouseEvent
      if (!event.data || !(mouse.target as HTMLElement).closest('[data-open]')) return
      onOpen(event.data, mouse.ctrlKey || mouse.metaKey)
    },
    [onOpen],
  )
  return (
    <AgGridReact<Row>
      // AG Grid reads its own texts once.
      key={language}
      theme={gridTheme}
      styleNonce={styleNonce()}
      columnDefs={defs}
      defaultColDef={DEFAULT_COLUMN}
      context={tools}
      getRowId={({ data }: GetRowIdParams<Row>) => list.getRowId(data)}
      getLocaleText={({ key, defaultValue }: GetLocaleTextParams<Row>) =>
        translate(`grid:ag.${key}`, { defaultValue })
      }
      rowClassRules={ROW_CLASSES}
      getRowClass={({ node }: RowClassParams<Row>) =>
        node.id !== undefined && node.id === latest.current.props.openId
          ? 'is-open'
          : node.id !== undefined && latest.current.props.busyIds?.has(node.id)
            ? 'is-busy'
            : undefined
      }
      rowSelection={list.selection ? ROW_SELECTION : undefined}
      selectionColumnDef={SELECTION_COLUMN}
      asyncTransactionWaitMillis={FRAME_MS}
      cellFlashDuration={reduced ? 2000 : 500}
      cellFadeDuration={reduced ? 0 : 700}
      ensureDomOrder
      animateRows={false}
      suppressNoRowsOverlay
      loading={false}
      multiSortKey="ctrl"
      tabToNextCell={() => false}
      tabToNextHeader={() => false}
      tooltipShowDelay={500}
      enableBrowserTooltips
      suppressColumnVirtualisation={list.columns.length < 16}
      onGridReady={(event) => onApi(event.api)}
      onGridPreDestroyed={() => onApi(null)}
      onCellKeyDown={(event) => onKey(event as CellKeyDownEvent<Row>)}
      onCellClicked={onClick}
      onCellDoubleClicked={(event: CellDoubleClickedEvent<Row>) =>
        event.data && onOpen(event.data, false)
      }
      onCellContextMenu={(event) => {
        if (!event.data || !latest.current.props.rowActions) return
        const mouse = event.event as MouseEvent
        mouse.preventDefault()
        onMenu({
          row: event.data,
          at: { x: mouse.clientX, y: mouse.clientY },
          from: document.activeElement,
        })
      }}
      onSelectionChanged={(event: SelectionChangedEvent<Row>) =>
        USER_SELECTS.has(event.source) && onSelect()
      }
      onSortChanged={(event: SortChangedEvent<Row>) =>
        event.source === 'uiColumnSorted' &&
        list.onView({ sort: sortOf(event.api, list.columns), page: 1 })
      }
      onColumnMoved={(event: ColumnMovedEvent<Row>) =>
        event.finished &&
        event.source === 'uiColumnMoved' &&
        writeColumns(list.id, columnsAfterMove(event.api, list.columns, columnState))
      }
      onColumnResized={(event: ColumnResizedEvent<Row>) =>
        event.finished &&
        event.source === 'uiColumnResized' &&
        writeColumns(list.id, columnsAfterResize(event.api, list.columns, columnState))
      }
    />
  )
}
