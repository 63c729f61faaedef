/** The workbook the terms of a new product are filled in: headers and words as its reader sees them, an example in each sheet. */
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { productTemplate as call } from '#shared/products/products-api.ts'
import { XLSX_MIME, xlsxBook, xlsxLine } from '#gateway/manage/features/exports/public.ts'
import { FileAnswer } from '#gateway/manage/kernel/serve.ts'
import {
  type Column,
  columnKey,
  COLUMNS,
  EXAMPLE_KEY,
  NOTE_KEY,
  PARTS,
  type Say,
  sheetKey,
  wordsIn,
} from './terms-sheets.ts'

export async function termsTemplate({
  language = 'en',
}: InputOf<typeof call>): Promise<FileAnswer> {
  const say = await wordsIn(language)
  const sheets = PARTS.map((part) => {
    const columns = COLUMNS[part]
    const heads = [...columns.map((column) => say(columnKey(part, column))), say(NOTE_KEY)]
    const example = [
      ...columns.map((column) => exampleOf(column, say)),
      { text: say(EXAMPLE_KEY), kind: 'text' as const },
    ]
    return {
      title: say(sheetKey(part)),
      lines: [
        xlsxLine(
          heads.map((text) => ({ text, kind: 'text' })),
          true,
        ),
        xlsxLine(example),
      ],
      widths: heads.map((head, i) =>
        Math.max(12, head.length + 4, (example[i]?.text.length ?? 0) + 2),
      ),
      choices: Object.fromEntries(
        columns.flatMap(({ words }, i) =>
          words === undefined ? [] : [[i, Object.values(words).map(say)]],
        ),
      ),
    }
  })
  return new FileAnswer(XLSX_MIME, xlsxBook(sheets), 'product-terms.xlsx')
}

function exampleOf({ kind, words, example = '' }: Column, say: Say) {
  return {
    text: words === undefined ? example : say(words[example] ?? ''),
    kind: kind === 'word' ? ('text' as const) : ('number' as const),
  }
}
