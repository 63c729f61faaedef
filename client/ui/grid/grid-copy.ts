/** Rows of a list as text for the clipboard. */
import type { GridApi } from 'ag-grid-community'
import { toTsv } from './csv.ts'
import type { CellTools, GridColumn } from './column-types.ts'

/** Rows with the visible columns, a header line first. */
export function copyRows<Row>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  api: GridApi<Row>,
  tools: CellTools,
): string {
  const shown = api
    .getAllDisplayedColumns()
    .flatMap((column) => columns.find((one) => one.id === column.getColId()) ?? [])
  return toTsv([
    shown.map((column) => tools.t(column.title)),
    ...rows.map((row) => shown.map((column) => column.text(row, tools))),
  ])
}
