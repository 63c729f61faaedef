/** Lines of a CSV file: RFC 4180, with the byte order mark a spreadsheet wants for anything but English. */
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

/** A number stays bare only when it really is one. */
function csvCell({ text, kind }: Cell): string {
  if (kind === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(text)) return text
  return `"${(kind === 'text' || kind === 'number' ? safeCell(text) : text).replaceAll('"', '""')}"`
}
