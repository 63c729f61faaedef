import type { ExportFormat } from '#shared/exports/exports-api.ts'
import { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import { CSV_MIME, csvFile, csvLine } from './csv-file.ts'
import { XLSX_MIME, xlsxFile, xlsxLine } from './xlsx-file.ts'

/** An empty sheet of one column, to be filled in, with its header in the reader's language. */
export function oneColumnSheet(
  name: string,
  { format = 'xlsx', title = 'Borrowing ID' }: { format?: ExportFormat; title?: string },
): FileAnswer {
  const head = [{ text: title, kind: 'text' as const }]
  return format === 'csv'
    ? new FileAnswer(CSV_MIME, csvFile([csvLine(head)]), `${name}.csv`)
    : new FileAnswer(XLSX_MIME, xlsxFile(name, [xlsxLine(head, true)], [20]), `${name}.xlsx`)
}
