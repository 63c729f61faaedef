/**
 * Lines of a CSV file: RFC 4180, with the byte order mark that spreadsheets need for non-ASCII
 * text.
 */
import { safeCell } from '#shared/kernel/safe-cell.ts'
import type { Cell } from './export-cells.ts'

export const CSV_MIME = 'text/csv; charset=utf-8'
const BOM = '\uFEFF'

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

export function csvFile(lines: readonly string[]): Buffer {
  return Buffer.from(BOM + lines.join(''), 'utf8')
}

/** Only a real number is written without quotes. */
function csvCell({ text, kind }: Cell): string {
  if (kind === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(text)) return text
  return `"${(kind === 'text' || kind === 'number' ? safeCell(text) : text).replaceAll('"', '""')}"`
}
