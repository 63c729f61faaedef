/** Rows of a list as text: for the clipboard and as a file. */
import type { GridApi } from 'ag-grid-community'
import { toCsv, toTsv } from './csv.ts'
import type { CellTools, GridColumn } from './grid-columns.ts'

/** Rows with the visible columns, a header line first. */
export function copyRows<Row>(rows: readonly Row[], columns: readonly GridColumn<Row>[], api: GridApi<Row>, tools: CellTools): string {
  const shown = api.getAllDisplayedColumns().flatMap((column) => columns.find((one) => one.id === column.getColId()) ?? [])
  return toTsv([shown.map((column) => tools.t(column.title)), ...rows.map((row) => shown.map((column) => column.text(row, tools)))])
}

export function downloadRows<Row>(name: string, rows: readonly Row[], columns: readonly GridColumn<Row>[], tools: CellTools): void {
  const csv = toCsv(rows, columns.filter((column) => column.exportAs !== 'none').map((column) => ({
    title: tools.t(column.title),
    text: (row: Row) => (column.exportText ?? column.text)(row, tools),
    kind: column.exportAs === 'number' ? 'number' as const : 'text' as const,
  })))
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
