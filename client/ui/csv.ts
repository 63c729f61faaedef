/** Rows on the clipboard, and in a file: a spreadsheet pastes them without running or rewriting anything. */
import { safeCell } from '#shared/kernel/safe-cell.ts'

/** Tab-separated rows; tabs and line breaks inside a cell become spaces. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows
    .map((row) => row.map((cell) => safeCell(cell.replace(/[\t\r\n]+/g, ' '))).join('\t'))
    .join('\n')
}

/** RFC 4180, with the byte order mark a spreadsheet wants for anything but English. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map((cell) => `"${safeCell(cell).replaceAll('"', '""')}"`).join(',')}\r\n`).join('')}`
}
