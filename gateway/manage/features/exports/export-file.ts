/**
 * A list as a file: the header, the rows, and a last line that names who exported it. Jobs and
 * direct downloads make the same file.
 */
import { createHash } from 'node:crypto'
import { istClock, istDay } from '#shared/kernel/time.ts'
import { CSV_MIME, csvFile, csvLine } from './csv-file.ts'
import { type Cell, cellOf } from './export-cells.ts'
import type { ExportInput } from './queue-export.ts'
import { XLSX_MIME, xlsxFile, xlsxLine } from './xlsx-file.ts'

type Shape = Pick<ExportInput, 'columns' | 'format' | 'title'>

/** Who exported a file, when, and the number to find it in the operate log. */
export interface Taken {
  account: string
  userName: string
  /** Instant. */
  at: string
  number: string
}

const MOST_LETTERS = 48

export function linesOf({ columns, format }: Shape, rows: readonly unknown[]): string {
  const line = format === 'csv' ? csvLine : xlsxLine
  return rows.map((row) => line(columns.map((column) => cellOf(row, column)))).join('')
}

export function fileOf(
  { columns, format, title }: Shape,
  lines: readonly string[],
  { account, userName, at, number }: Taken,
): { mime: string; bytes: Buffer; sha256: Buffer } {
  const head = columns.map((column): Cell => ({ text: column.title, kind: 'text' }))
  // at the end, so that the first line stays the header
  const mark: Cell[] = [
    {
      text: `${account} (${userName}) · ${istDay(at)} ${istClock(at)} IST · ${number}`,
      kind: 'text',
    },
  ]
  const bytes =
    format === 'csv'
      ? csvFile([csvLine(head), ...lines, csvLine(mark)])
      : xlsxFile(
          title,
          [xlsxLine(head, true), ...lines, '<row/>', xlsxLine(mark)],
          columns.map((column) => Math.min(MOST_LETTERS, Math.max(12, column.title.length + 4))),
        )
  return {
    mime: format === 'csv' ? CSV_MIME : XLSX_MIME,
    bytes,
    sha256: createHash('sha256').update(bytes).digest(),
  }
}

/** @param code of the list: its menu names the file */
export function fileNameOf(
  code: string,
  { format }: Pick<ExportInput, 'format'>,
  { at, number }: Taken,
): string {
  return `${code.slice(0, code.indexOf(':'))}-${istDay(at)}-${number}.${format}`
}
