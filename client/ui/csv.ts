/** CSV that a spreadsheet opens without running or rewriting anything (trust: ASVS 1.2.10, ux.md B12). */

export interface CsvColumn<Row> {
  title: string
  text: (row: Row) => string
  /** `number` is written bare, everything else as text that keeps its zeros and digits. */
  kind: 'text' | 'number'
}

const BOM = '\uFEFF'

export function toCsv<Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string {
  const lines = [columns.map((column) => quote(safeText(column.title))), ...rows.map((row) => columns.map((column) => csvCell(column.text(row), column.kind)))]
  return `${BOM}${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

/** One cell, quoted; a number stays bare only when it really is one. */
export function csvCell(text: string, kind: 'text' | 'number'): string {
  if (kind === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(text)) return text
  return quote(safeText(text))
}

/** Tab-separated rows for the clipboard; tabs and line breaks inside a cell become spaces. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => safeText(cell.replace(/[\t\r\n]+/g, ' '))).join('\t')).join('\n')
}

/**
 * A leading apostrophe keeps formulas from running, and phones and long ids from losing zeros or turning into 9.8E+11.
 */
function safeText(text: string): string {
  const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && text !== '-'
  const rewritten = /^0\d+$|^\d{11,}$/.test(text)
  return formula || rewritten ? `'${text}` : text
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
