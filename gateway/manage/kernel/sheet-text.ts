/** The words of an uploaded sheet: what a list of ids is read from. */
import type { Upload } from './uploads.ts'
import { readWorkbook } from './workbook.ts'

/**
 * @returns of a workbook one cell a line; a bare number or what a formula makes is no word
 * @throws Problem G-FILE for a file that calls itself a workbook and cannot be read
 */
export function sheetText(file: Upload): string {
  if (file.kind !== 'xlsx') return file.bytes.toString('utf8')
  return readWorkbook(file)
    .flatMap(({ rows }) =>
      rows.flatMap(({ cells }) =>
        [...cells.values()].filter(({ kind }) => kind === 'text').map(({ text }) => text),
      ),
    )
    .join('\n')
}
