/**
 * The template sheet of a batch write-off: one column, with its header in the reader's language.
 */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { writeOffTemplate as call } from '#shared/repayments/write-offs-api.ts'
import { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import {
  CSV_MIME,
  csvFile,
  csvLine,
  XLSX_MIME,
  xlsxFile,
  xlsxLine,
} from '#gateway/manage/features/exports/public.ts'

const NAME = 'batch-write-off'

export function writeOffTemplate({
  format = 'xlsx',
  title = 'Borrowing ID',
}: InputOf<typeof call>): FileAnswer {
  const head = [{ text: title, kind: 'text' as const }]
  return format === 'csv'
    ? new FileAnswer(CSV_MIME, csvFile([csvLine(head)]), `${NAME}.csv`)
    : new FileAnswer(XLSX_MIME, xlsxFile(NAME, [xlsxLine(head, true)], [20]), `${NAME}.xlsx`)
}
