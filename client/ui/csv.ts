/** Rows on the clipboard: a spreadsheet pastes them without running or rewriting anything. */
import { safeCell } from '#shared/kernel/safe-cell.ts'

/** Tab-separated rows; tabs and line breaks inside a cell become spaces. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => safeCell(cell.replace(/[\t\r\n]+/g, ' '))).join('\t')).join('\n')
}
