/**
 * Rows for the clipboard and for a file, so that a spreadsheet neither runs nor rewrites a cell.
 */
import { safeCell } from '#shared/kernel/safe-cell.ts'

/** Tab-separated rows; tabs and line breaks inside a cell become spaces. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row) => row.map((cell) => safeCell(cell.replace(/[\t\r\n]+/g, ' '))).join('\t'))
    .join('\n')
}

/** RFC 4180, with the byte order mark that spreadsheets need for non-ASCII text. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string) => `"${safeCell(cell).replaceAll('"', '""')}"`
  return `\uFEFF${rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`
}
